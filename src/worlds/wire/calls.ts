import { describeError, type Refusal, refuse } from '../../errors.ts'
import { issueInWords } from '../../shapes/issue-words.ts'
import type { HostInput, HostOperation } from '../../ports/worlds.ts'
import type { FrameError, ResultFrame } from './frames.ts'
import { operationInputs } from './operation-inputs.ts'

export const frameError = ({ code, details }: Refusal): FrameError => ({ ...describeError(code, details), details })

/** The input of an operation from outside. */
export function readInput<Name extends HostOperation>(name: Name, input: unknown): { value: HostInput<Name> } | { refused: Refusal } {
  const parsed = operationInputs[name].safeParse(input)
  if (parsed.success) return { value: parsed.data }
  const issue = parsed.error.issues[0]
  const field = issue?.path.join('.') || 'input'
  return refuse('bad_request', { field, why: issue ? issueInWords(issue) : 'it does not fit' })
}

/** A result of a delivery as the operation it is. */
export function toOperation(frame: ResultFrame): { name: HostOperation; input: object } {
  const at = { request: frame.chatRequestId, delivery: frame.deliveryId }
  switch (frame.type) {
    case 'accepted':
      return { name: 'deliveries.accept', input: at }
    case 'reply': {
      const { author, asksOwner, asksEnd, link } = frame
      return { name: 'deliveries.reply', input: { ...at, text: frame.payload.text, author, asksOwner, asksEnd, link } }
    }
    case 'kept_silent': {
      const { reason, asksOwner, asksEnd } = frame
      return { name: 'deliveries.keep-silent', input: { ...at, reason, asksOwner, asksEnd } }
    }
  }
}
