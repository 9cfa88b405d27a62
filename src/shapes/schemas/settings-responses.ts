import { z } from 'zod'
import { named } from './component.ts'

export const settings = named(
  'Settings',
  z.object({
    file: z.string().describe('Name of the file, without its folder.'),
    revision: z.string().describe('Given back with a change.'),
    text: z.string().describe('The file, with dots for secrets that were written into it.'),
    values: z.record(z.string(), z.unknown()).describe('models, team, channels and budgets as written, with dots for secrets.'),
    problems: z.array(z.string()),
    secrets: z.array(z.string()).describe('Names of the secrets stored here. Their values are in no response.'),
    platforms: z.array(
      z.object({
        kind: z.string(),
        title: z.string(),
        secrets: z.array(z.object({ key: z.string(), title: z.string(), isOptional: z.boolean() })),
      }),
    ),
    mcp: z.array(z.string()).describe('Names of MCP servers that members can be given.'),
  }),
)

export const settingsPreview = named(
  'SettingsPreview',
  z.object({
    revision: z.string().describe('Of the text it is compared with.'),
    diff: z.string().describe('A unified diff; empty when nothing changes.'),
  }),
)

const ability = z.object({ ok: z.boolean(), why: z.string().exactOptional() })

export const modelCheck = named(
  'ModelCheck',
  z.object({
    model: z.string(),
    answers: ability,
    firstTokenMs: z.number().nullable(),
    streams: ability,
    tools: ability,
    asksQuestions: ability,
  }),
)

export const channelCheck = named(
  'ChannelCheck',
  z.object({
    account: z.string().nullable().describe('The name of the account at its platform.'),
    problem: z.string().nullable(),
  }),
)
