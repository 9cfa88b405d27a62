import { describeError } from '../../errors.ts'
import { normaliseMessage } from './normalise.ts'
import type { MessagePresentation, MessagePresentationBlock } from './presentation.ts'
import type { ReplyPayload } from './reply-payload.ts'
import { presentationReading } from './text-reading.ts'

/** A message of an agent with a presentation below its words. Its plain reading is stored beside it, for readers that show no presentation. */
export type ShownMessage = { words: string; presentation: MessagePresentation }

/** The plain reading. It starts with the words as they are, so that their parts can be found in it by length. */
export function shownReading({ words, presentation }: ShownMessage): string {
  const reading = presentationReading(presentation)
  if (words.trim() === '') return reading
  return reading === '' ? words : `${words}\n\n${reading}`
}

/** Untrusted JSON of an agent as a presentation, or the fault in words. Nothing is left out silently: an agent can correct it. */
export function readPresentation(input: unknown): { presentation: MessagePresentation } | { fault: string } {
  const read = normaliseMessage({ presentation: input })
  if ('refused' in read) {
    const { message, hint } = describeError(read.refused.code, read.refused.details)
    return { fault: `${message} ${hint}` }
  }
  const [first] = read.dropped
  if (first) return { fault: `${first.at}: ${first.why}` }
  return read.message.presentation ? { presentation: read.message.presentation } : { fault: 'presentation: it has no title and no blocks' }
}

/** Messages in their order as one: title and tone are those of the first presentation, what comes after it continues its blocks. */
export function joinMessages(messages: readonly { words: string; presentation?: MessagePresentation | undefined }[]): ReplyPayload {
  const before: string[] = []
  let joined: MessagePresentation | undefined
  for (const { words, presentation } of messages) {
    if (joined) {
      joined = {
        ...joined,
        blocks: [...joined.blocks, ...textBlock(words), ...textBlock(presentation?.title ?? ''), ...(presentation?.blocks ?? [])],
      }
      continue
    }
    if (words.trim() !== '') before.push(words)
    joined = presentation
  }
  return { ...(before.length > 0 && { text: before.join('\n\n') }), ...(joined && { presentation: joined }) }
}

const textBlock = (text: string): MessagePresentationBlock[] => (text.trim() === '' ? [] : [{ type: 'text', text }])
