import type { MessageRequest } from '../client/wire.ts'
import { UsageError } from './fault.ts'

type Fields = Record<string, unknown>

export type MessageWords = Pick<MessageRequest, 'message' | 'presentation' | 'media' | 'replyTo' | 'silent'> & { delivery?: Fields }

const known = ['text', 'presentation', 'media', 'delivery', 'send']

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `parley preview` takes whole messages, so the same file can be sent: a presentation itself has none of these at its top. */
export const isWholeMessage = (given: Fields): boolean => ['text', 'presentation', 'media'].some((field) => Object.hasOwn(given, field))

/** What a whole message says, as one request says it. What a request cannot say is refused rather than lost. */
export function wordsOfMessage(given: Fields): MessageWords {
  const other = Object.keys(given).find((field) => !known.includes(field))
  if (other !== undefined)
    throw new UsageError(`The message has a field "${other}", which cannot be sent from here.`, `It may have: ${known.join(', ')}.`)
  const { text, presentation, media, delivery } = given
  const send = isFields(given['send']) ? given['send'] : {}
  return {
    ...(typeof text === 'string' && { message: text }),
    ...(isFields(presentation) && { presentation }),
    ...(media !== undefined && { media: [media].flat().map(addressOf) }),
    ...(isFields(delivery) && { delivery }),
    ...(typeof send['replyTo'] === 'string' && { replyTo: send['replyTo'] }),
    ...(send['silent'] === true && { silent: true }),
  }
}

function addressOf(medium: unknown): string {
  if (typeof medium === 'string') return medium
  if (isFields(medium) && typeof medium['url'] === 'string' && Object.keys(medium).length === 1) return medium['url']
  throw new UsageError('Media of the message are more than addresses.', 'Here they are addresses alone: "media": ["https://…"]')
}
