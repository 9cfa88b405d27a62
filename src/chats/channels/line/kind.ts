import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { lineAddress } from './address.ts'
import { type LineConfig, lineConfig } from './config.ts'
import { openLine } from './open.ts'
import { lineRenderer } from './render.ts'

export const lineKind: ChannelKind<LineConfig> = {
  kind: 'line',
  title: 'LINE',
  renderer: lineRenderer,
  config: lineConfig(z),
  secrets: [
    {
      key: 'token',
      title: { en: 'Channel access token (not shown)', zh: '频道访问令牌（不显示）' },
      variables: ['LINE_CHANNEL_ACCESS_TOKEN', 'LINE_TOKEN'],
    },
    {
      key: 'channelSecret',
      title: { en: 'Channel secret (not shown)', zh: '频道密钥（不显示）' },
      variables: ['LINE_CHANNEL_SECRET'],
    },
  ],
  address: lineAddress,
  open: openLine,
}
