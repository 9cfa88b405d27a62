import { z } from 'zod'
import { normaliseMessage } from '../../chats/message/normalise.ts'
import { messageLimits } from '../../chats/message/message-limits.ts'
import { line, text } from '../text.ts'

/** An account by its name in parley.yaml, and a place there. */
export const channelName: z.ZodType<string, string> = line(64).describe(
  'Name of the account in parley.yaml; optional when there is only one.',
)

/** As it is typed: numbers of a chat are welcome too. */
export const targetName: z.ZodType<string, string> = line(300)
  .refine((value) => value !== '', 'is empty')
  .describe('Address as the platform writes it, such as 42 or -1001:topic:7 on Telegram.')

export const messageId: z.ZodType<string, string> = line(200)
  .refine((value) => value !== '', 'is empty')
  .describe("The platform's own id of the message.")

export const at = { channel: channelName.optional(), target: targetName }

export const content = {
  message: text(messageLimits.textChars).optional().describe('Text in Markdown.'),
  presentation: z.record(z.string(), z.unknown()).optional().describe('Title, tone and blocks; see docs/guides/messages.md.'),
}

/**
 * A strict object that first detects fields of one platform: then the error names the portable
 * field instead of calling theirs unknown.
 */
export function spoken<Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>, z.input<z.ZodObject<Shape>>> {
  const loose = z.looseObject(shape).check((context) => {
    const body = context.value as Record<string, unknown>
    const read = normaliseMessage(body)
    if ('refused' in read && (read.refused.code === 'native_field' || read.refused.code === 'action_reserved')) {
      context.issues.push({ code: 'custom', input: body, message: 'cannot be sent', params: { refused: read.refused } })
      return
    }
    const keys = Object.keys(body).filter((key) => !Object.hasOwn(shape, key))
    if (keys.length > 0) context.issues.push({ code: 'unrecognized_keys', keys, input: body, message: 'there is no such field' })
  })
  return loose.meta({ additionalProperties: false })
}
