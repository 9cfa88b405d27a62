import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { feishuAddress } from './address.ts'
import { type FeishuConfig, feishuConfig } from './config.ts'
import { openFeishu } from './open.ts'
import { feishuRenderer } from './render.ts'

export const feishuKind: ChannelKind<FeishuConfig> = {
  kind: 'feishu',
  title: 'Feishu',
  renderer: feishuRenderer,
  config: feishuConfig(z),
  secrets: [
    { key: 'appId', title: { en: 'App ID (cli_…)', zh: 'App ID（cli_…）' }, variables: ['FEISHU_APP_ID', 'LARK_APP_ID'] },
    {
      key: 'appSecret',
      title: { en: 'App Secret (not shown)', zh: 'App Secret（不显示）' },
      variables: ['FEISHU_APP_SECRET', 'LARK_APP_SECRET'],
    },
    {
      key: 'encryptKey',
      title: {
        en: 'Encrypt Key, for events over HTTP (empty for the long connection)',
        zh: 'Encrypt Key，用于通过 HTTP 接收事件（用长连接则留空）',
      },
      variables: ['FEISHU_ENCRYPT_KEY', 'LARK_ENCRYPT_KEY'],
      optional: true,
    },
  ],
  address: feishuAddress,
  open: openFeishu,
}
