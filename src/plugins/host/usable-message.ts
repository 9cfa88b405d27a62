import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { normaliseMessage } from '../../chats/message/normalise.ts'
import { actionOf, type MessagePresentationAction, type MessagePresentationButton } from '../../chats/message/presentation.ts'
import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import { describeError } from '../../errors.ts'
import type { MessagePurpose } from '../../ports/hooks.ts'
import { isRecord } from '../../shapes/record.ts'

const freePurposes: readonly (MessagePurpose | undefined)[] = ['reply', 'draft', 'sent', undefined]

/**
 * The message as a plugin changed it, or null where it is the same. It goes through the same gate as what a stranger sends, except
 * that its own buttons get its name and those of the core stay what they are. Throws for everything else.
 */
export function usableMessage(made: unknown, before: ReplyPayload | null, plugin: string, purpose?: MessagePurpose): ReplyPayload | null {
  if (made === null || made === undefined || isDeepStrictEqual(made, before)) return null
  const isKept = (action: unknown): boolean => before !== null && listActions(before).some((known) => isDeepStrictEqual(known, action))
  const mark = randomUUID()
  const held: MessagePresentationAction[] = []
  const hold = (action: MessagePresentationAction): object => ({ type: 'callback', value: `${mark}${held.push(action) - 1}` })
  const read = normaliseMessage(
    withActions(made, (action) => {
      const { type, value, plugin: named = plugin } = action
      if (type === 'plugin' && named === plugin && typeof value === 'string') return hold({ type, plugin, value })
      // Of a question, of the core or of another plugin: as it is, or not at all.
      return (type === 'question' || type === 'approval' || type === 'plugin') && isKept(action)
        ? hold(action as MessagePresentationAction)
        : action
    }),
    // A file of this machine that the message has already.
    { mayUseFiles: before?.media !== undefined && isRecord(made) && isDeepStrictEqual(made['media'], before.media) },
  )
  if ('refused' in read) throw new Error(describeError(read.refused.code, read.refused.details).message)
  const [left] = read.dropped
  if (left) throw new Error(`${left.at}: ${left.why}`)
  const message = withActions(read.message, (action) =>
    typeof action['value'] === 'string' && action['value'].startsWith(mark)
      ? (held[Number(action['value'].slice(mark.length))] ?? action)
      : action,
  ) as ReplyPayload
  if (before !== null && !freePurposes.includes(purpose) && !isDeepStrictEqual(listActions(message), listActions(before)))
    throw new Error('the buttons of a question or a notice keep their actions and their order')
  return message
}

/** The message with each action of a button replaced. What is no message stays as it is: the gate refuses it. */
function withActions(message: unknown, replace: (action: Record<string, unknown>) => object): unknown {
  if (!isRecord(message) || !isRecord(message['presentation']) || !Array.isArray(message['presentation']['blocks'])) return message
  const blocks = (message['presentation']['blocks'] as unknown[]).map((block) => {
    if (!isRecord(block) || !Array.isArray(block['buttons'])) return block
    const buttons = (block['buttons'] as unknown[]).map((button) =>
      isRecord(button) && isRecord(button['action']) ? { ...button, action: replace(button['action']) } : button,
    )
    return { ...block, buttons }
  })
  return { ...message, presentation: { ...message['presentation'], blocks } }
}

function listActions({ presentation }: ReplyPayload): MessagePresentationAction[] {
  return (presentation?.blocks ?? []).flatMap((block) =>
    block.type === 'buttons'
      ? block.buttons.map((button: MessagePresentationButton) => actionOf(button))
      : block.type === 'select'
        ? block.options.map((option) => actionOf(option))
        : [],
  )
}
