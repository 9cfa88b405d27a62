import { languageCodes } from '../../shapes/language.ts'
import { z } from 'zod'

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

/** One account on a chat platform. Its name is whatever you like; named after the platform, `kind` can be left out. */
export const channelSchema = z.strictObject({
  kind: z.string().min(1).max(40).optional().describe('Which platform: telegram, or one of a plugin. Its name unless set.'),
  enabled: z.boolean().default(true),
  token: z.string().min(1).optional().describe('What the platform gave you for this account; best as ${TELEGRAM_TOKEN}.'),
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Another server than the platform's own, such as a Bot API server of yours."),
  agent: z.string().optional().describe("Who answers there. The team's default unless set."),
  language: z.enum(languageCodes).optional().describe('For words of Parley itself. What each person has set over there unless set here.'),
  allow: allowSchema.prefault({}),
  notify: addresses
    .default([])
    .describe(
      'Your own chats: approvals, questions to the owner and requests of strangers are shown there. A private one is the owner until people are listed.',
    ),
  webhook: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).describe('Where the platform calls this server: https://…/v1/channels/<name>/webhook'),
      secret: z
        .string()
        .min(16)
        .max(256)
        .regex(/^[\w-]+$/)
        .describe('Only calls that carry it are heard; best as ${TELEGRAM_WEBHOOK_SECRET}.'),
    })
    .optional()
    .describe('Without it, messages are fetched by long polling, which needs no public address.'),
  rates: z
    .strictObject({
      perChatPerSecond: z.number().positive().max(10_000).optional(),
      perGroupPerMinute: z.number().positive().max(600_000).optional(),
      perSecond: z.number().positive().max(10_000).optional(),
    })
    .prefault({})
    .describe('How much may be sent, where your account or your own server may send more than the platform usually allows.'),
  streaming: z.boolean().default(true).describe('Shows long replies in private chats while they are written.'),
  options: z.record(z.string(), z.unknown()).default({}).describe('For channels of plugins.'),
})

export type ChannelConfig = z.output<typeof channelSchema>
