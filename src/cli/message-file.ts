import type { MessageRequest } from '../shapes/wire.ts'
import { UsageError } from './fault.ts'
import { isRecord } from '../shapes/record.ts'

type Fields = Record<string, unknown>

export type MessageWords = Pick<MessageRequest, 'message' | 'presentation' | 'media' | 'replyTo' | 'silent'> & { delivery?: Fields }

const fieldNames = ['text', 'presentation', 'media', 'delivery', 'send']

/** `parley preview` takes whole messages, so the same file can be sent: a presentation itself has none of these at its top. */
export const isWholeMessage = (given: Fields): boolean => ['text', 'presentation', 'media'].some((field) => Object.hasOwn(given, field))

/** Turns a whole message into one request. Fields that a request lacks are refused, not dropped. */
export function wordsOfMessage(given: Fields): MessageWords {
  const other = Object.keys(given).find((field) => !fieldNames.includes(field))
  if (other !== undefined)
    throw new UsageError(`The message has a field "${other}", which cannot be sent from here.`, `It may have: ${fieldNames.join(', ')}.`)
  const { text, presentation, media, delivery } = given
  const send = isRecord(given['send']) ? given['send'] : {}
  return {
    ...(typeof text === 'string' && { message: text }),
    ...(isRecord(presentation) && { presentation }),
    ...(media !== undefined && { media: [media].flat().map(getAddress) }),
    ...(isRecord(delivery) && { delivery }),
    ...(typeof send['replyTo'] === 'string' && { replyTo: send['replyTo'] }),
    ...(send['silent'] === true && { silent: true }),
  }
}

function getAddress(medium: unknown): string {
  if (typeof medium === 'string') return medium
  if (isRecord(medium) && typeof medium['url'] === 'string' && Object.keys(medium).length === 1) return medium['url']
  throw new UsageError('Media must be a list of addresses.', 'Such as: "media": ["https://…"]')
}
