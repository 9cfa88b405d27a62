import { z } from 'zod'
import type { ChannelKind } from '../../../ports/channel-kind.ts'
import { teamsAddress } from './address.ts'
import { type TeamsConfig, teamsConfig } from './config.ts'
import { openTeams } from './open.ts'
import { teamsRenderer } from './render.ts'

export const teamsKind: ChannelKind<TeamsConfig> = {
  kind: 'teams',
  title: 'Microsoft Teams',
  renderer: teamsRenderer,
  config: teamsConfig(z),
  secrets: [
    {
      key: 'appId',
      title: { en: 'Application (client) ID', zh: '应用程序（客户端）ID' },
      variables: ['TEAMS_APP_ID', 'MICROSOFT_APP_ID'],
    },
    {
      key: 'appPassword',
      title: { en: 'Client secret (not shown)', zh: '客户端密码（不显示）' },
      variables: ['TEAMS_APP_PASSWORD', 'MICROSOFT_APP_PASSWORD'],
    },
    {
      key: 'tenantId',
      title: { en: 'Directory (tenant) ID (empty for a bot of all tenants)', zh: '目录（租户）ID（多租户机器人则留空）' },
      variables: ['TEAMS_TENANT_ID', 'MICROSOFT_APP_TENANT_ID'],
      optional: true,
    },
  ],
  address: teamsAddress,
  open: openTeams,
}
