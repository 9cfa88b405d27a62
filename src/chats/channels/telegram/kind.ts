import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { telegramAddress } from './address.ts'
import { type TelegramConfig, telegramConfig } from './config.ts'
import { openTelegram } from './open.ts'
import { telegramRenderer } from './render.ts'

export const telegramKind: ChannelKind<TelegramConfig> = {
  kind: 'telegram',
  title: 'Telegram',
  renderer: telegramRenderer,
  config: telegramConfig(z),
  secrets: [
    {
      key: 'token',
      title: { en: 'Token from @BotFather (not shown)', zh: '@BotFather 给的令牌（不显示）' },
      variables: ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_TOKEN'],
    },
  ],
  address: telegramAddress,
  open: openTelegram,
}
