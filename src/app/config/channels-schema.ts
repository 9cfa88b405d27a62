import { languageCodes } from '../../shapes/language.ts'
import { z } from 'zod'
import { builtInKinds, getKind } from '../../chats/channels/registry.ts'
import { entryName } from './entry-name.ts'

const addresses = z.array(z.union([z.string().min(1).max(200), z.int().transform(String)])).max(1_000)

/** Senders admitted on a channel. */
const allowSchema = z.strictObject({
  people: addresses.optional().describe('Ids of people on that platform; "*" allows all.'),
  addresses: addresses.optional().describe('Chats in which everyone may write, such as a group.'),
  strangers: z
    .enum(['ask', 'ignore'])
    .optional()
    .describe(
      'All others: ask gives them a code that you accept with "parley requests accept"; ignore drops their messages. ask unless set.',
    ),
})

/** Settings of every account. Its name is free; named after the platform, `kind` can be left out. */
const accountSchema = z.looseObject({
  kind: z.string().min(1).max(40).optional().describe('Which platform: a built-in one, or one of a plugin. Its name unless set.'),
  enabled: z.boolean().default(true),
  agent: z.string().optional().describe("Who answers there. The team's default unless set."),
  language: z.enum(languageCodes).optional().describe('For words of Parley itself. What each person has set over there unless set here.'),
  allow: allowSchema.prefault({}),
  notify: addresses
    .default([])
    .describe(
      'Your own chats: approvals, questions to the owner and requests of strangers are shown there. A private one is the owner until people are listed.',
    ),
  streaming: z.boolean().default(true).describe('Shows long replies in private chats while they are written.'),
  inlineButtons: z
    .enum(['off', 'dm', 'group', 'all'])
    .default('all')
    .describe('Where buttons are shown: nowhere, in private chats, in groups, or everywhere. Elsewhere they are listed as text.'),
  onUnknown: z
    .enum(['report', 'repeat'])
    .default('report')
    .describe(
      'A message that the platform did not confirm: report tells people and waits for them; repeat sends it again, which may show it twice.',
    ),
  options: z.record(z.string(), z.unknown()).default({}).describe('Settings of a platform that a plugin brings.'),
})

const commonKeys = new Set(Object.keys(accountSchema.shape))

/** Keys that an account may have, by its kind. */
export const accountKeys = (kind: string): string[] => [...commonKeys, ...Object.keys(findSettings(kind)?.shape ?? {})]

/** An account with its settings checked: `settings` has those that only its platform has. */
export type ChannelConfig = Pick<z.output<typeof accountSchema>, keyof (typeof accountSchema)['shape']> & { settings: unknown }

export const channelsSchema = z.record(entryName, z.unknown()).transform((accounts, ctx): Record<string, ChannelConfig> => {
  const read = Object.entries(accounts).map(([name, entry]) => [name, readAccount(name, entry, ctx.issues)] as const)
  return Object.fromEntries(read.flatMap(([name, account]) => (account ? [[name, account]] : [])))
})

/** The kind of an account, and so the settings that it may have, can depend on its name. */
function readAccount(name: string, entry: unknown, issues: z.core.$ZodRawIssue[]): ChannelConfig | null {
  const report = (error: z.ZodError): null => {
    for (const issue of error.issues) issues.push({ ...issue, path: [name, ...issue.path], input: entry } as z.core.$ZodRawIssue)
    return null
  }
  const common = accountSchema.safeParse(entry)
  if (!common.success) return report(common.error)
  const entries = Object.entries(common.data)
  const account = Object.fromEntries(entries.filter(([key]) => commonKeys.has(key))) as Omit<ChannelConfig, 'settings'>
  const own = Object.fromEntries(entries.filter(([key]) => !commonKeys.has(key)))
  const builtIn = findSettings(getKind(name, account))
  const read = (builtIn ?? z.strictObject({})).safeParse(own)
  if (!read.success) return report(read.error)
  return { ...account, settings: builtIn ? read.data : account.options }
}

const builtInSettings = new Map(Object.entries(builtInKinds).map(([kind, { config }]) => [kind, config(z)]))

const findSettings = (kind: string): z.ZodObject | undefined => builtInSettings.get(kind)

/** For editors: an account is one of the built-in kinds, or one of a plugin. */
export const editorAccounts = z.union([
  ...[...builtInSettings].map(([kind, { shape }]) =>
    z.strictObject({ ...accountSchema.shape, kind: z.literal(kind).optional(), ...shape }),
  ),
  z.strictObject(accountSchema.shape),
])
