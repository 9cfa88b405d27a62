import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { discordAddress } from './address.ts'
import { type DiscordConfig, discordConfig } from './config.ts'
import { openDiscord } from './open.ts'
import { discordRenderer } from './render.ts'

export const discordKind: ChannelKind<DiscordConfig> = {
  kind: 'discord',
  title: 'Discord',
  renderer: discordRenderer,
  config: discordConfig(z),
  secrets: [
    {
      key: 'token',
      title: { en: 'Bot token (not shown)', zh: '机器人令牌（不显示）' },
      variables: ['DISCORD_BOT_TOKEN', 'DISCORD_TOKEN'],
    },
    {
      key: 'publicKey',
      title: { en: 'Public key, for taps over HTTP (empty for the gateway)', zh: '公钥，用于通过 HTTP 接收点按（用网关则留空）' },
      variables: ['DISCORD_PUBLIC_KEY'],
      optional: true,
    },
  ],
  address: discordAddress,
  open: openDiscord,
}
