import type { z } from 'zod'
import type { ChannelKind } from '../../ports/channel-kind.ts'
import { discordConfig } from './discord/config.ts'
import { feishuConfig } from './feishu/config.ts'
import { lineConfig } from './line/config.ts'
import { mattermostConfig } from './mattermost/config.ts'
import { slackConfig } from './slack/config.ts'
import { teamsConfig } from './teams/config.ts'
import { telegramConfig } from './telegram/config.ts'

/** A kind that ships with Parley. Its settings are known without loading it. */
export type BuiltInKind = { config: (zod: typeof z) => z.ZodObject; load(): Promise<ChannelKind> }

/** The kind of an account: its name, unless the account says otherwise. */
export const getKind = (name: string, { kind }: { kind?: string | undefined }): string => kind ?? name

/** The built-in kinds, one entry for each. */
export const builtInKinds: Readonly<Record<string, BuiltInKind>> = {
  discord: { config: discordConfig, load: async () => (await import('./discord/kind.ts')).discordKind },
  feishu: { config: feishuConfig, load: async () => (await import('./feishu/kind.ts')).feishuKind },
  line: { config: lineConfig, load: async () => (await import('./line/kind.ts')).lineKind },
  mattermost: { config: mattermostConfig, load: async () => (await import('./mattermost/kind.ts')).mattermostKind },
  slack: { config: slackConfig, load: async () => (await import('./slack/kind.ts')).slackKind },
  teams: { config: teamsConfig, load: async () => (await import('./teams/kind.ts')).teamsKind },
  telegram: { config: telegramConfig, load: async () => (await import('./telegram/kind.ts')).telegramKind },
}
