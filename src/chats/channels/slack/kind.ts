import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { slackAddress } from './address.ts'
import { type SlackConfig, slackConfig } from './config.ts'
import { openSlack } from './open.ts'
import { slackRenderer } from './render.ts'

export const slackKind: ChannelKind<SlackConfig> = {
  kind: 'slack',
  title: 'Slack',
  renderer: slackRenderer,
  config: slackConfig(z),
  secrets: [
    {
      key: 'token',
      title: { en: 'Bot token, xoxb-… (not shown)', zh: '机器人令牌 xoxb-…（不显示）' },
      variables: ['SLACK_BOT_TOKEN', 'SLACK_TOKEN'],
    },
    {
      key: 'appToken',
      title: { en: 'App-level token for socket mode, xapp-… (empty for HTTP)', zh: 'Socket Mode 的应用令牌 xapp-…（用 HTTP 则留空）' },
      variables: ['SLACK_APP_TOKEN'],
      optional: true,
    },
    {
      key: 'signingSecret',
      title: { en: 'Signing secret for HTTP (empty for socket mode)', zh: 'HTTP 的签名密钥（用 Socket Mode 则留空）' },
      variables: ['SLACK_SIGNING_SECRET'],
      optional: true,
    },
  ],
  address: slackAddress,
  open: openSlack,
}
