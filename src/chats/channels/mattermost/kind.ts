import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { mattermostAddress } from './address.ts'
import { type MattermostConfig, mattermostConfig } from './config.ts'
import { openMattermost } from './open.ts'
import { mattermostRenderer } from './render.ts'

export const mattermostKind: ChannelKind<MattermostConfig> = {
  kind: 'mattermost',
  title: 'Mattermost',
  renderer: mattermostRenderer,
  config: mattermostConfig(z),
  secrets: [
    {
      key: 'token',
      title: { en: 'Access token of the bot account (not shown)', zh: '机器人账号的访问令牌（不显示）' },
      variables: ['MATTERMOST_BOT_TOKEN', 'MATTERMOST_TOKEN'],
    },
    {
      key: 'url',
      title: { en: 'Address of your Mattermost server, https://…', zh: '您的 Mattermost 服务器地址，https://…' },
      variables: ['MATTERMOST_URL'],
    },
  ],
  address: mattermostAddress,
  open: openMattermost,
}
