import { z } from 'zod'
import { languageCodes } from '../language.ts'
import { named, when } from './component.ts'

export const notifications = named(
  'Notifications',
  z.object({
    publicKey: z.string().describe('Key of this server, for `pushManager.subscribe`.'),
    subscription: z
      .object({
        endpoint: z.string(),
        language: z.enum(languageCodes),
        timeZone: z.string(),
        shows: z.enum(['words', 'nothing']),
        quiet: z.object({ from: z.string(), to: z.string() }).nullable(),
        sentAt: when.nullable().describe('When its push service last took a message.'),
        failure: z.object({ at: when, why: z.string() }).nullable().describe('Set while the last message did not arrive.'),
      })
      .nullable()
      .describe('That of the browser that asks; null where it has none, or where its push service dropped it.'),
  }),
)
