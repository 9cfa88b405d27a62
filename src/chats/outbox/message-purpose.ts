import type { MessagePurpose, OutgoingMessage } from '../../ports/hooks.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'

/** Lets plugins change messages on their way. */
export type Preparing = {
  /** False where no plugin does: then nothing is read for it. */
  isOn(): boolean
  prepare(outgoing: Omit<OutgoingMessage, 'kind'>): Promise<ReplyPayload>
}

export const noPreparing: Preparing = { isOn: () => false, prepare: async ({ message }) => message }

/** `about` of what a plugin sends by itself. */
export const aboutPlugin = (plugin: string): string => `plugin:${plugin}`

/**
 * Null for messages that plugins must not change: cards and questions by which people allow something, requests of strangers, and
 * what plugins send themselves, which would never end. Votes count for the words of a poll as they were asked.
 */
export function findPurpose(of: {
  about: string | null
  reply: object | null
  isDraft: boolean
  message: ReplyPayload
}): MessagePurpose | null {
  const { about, reply, isDraft, message } = of
  if (message.poll) return null
  if (about !== null && /^(?:approvals|pairing|plugin):/.test(about)) return null
  if (
    message.presentation?.blocks.some(
      (block) => block.type === 'buttons' && block.buttons.some(({ action }) => action?.type === 'approval'),
    )
  )
    return null
  if (about?.startsWith('question:')) return 'question'
  if (reply !== null) return isDraft ? 'draft' : 'reply'
  return about !== null && /^(?:sent|dialog):/.test(about) ? 'sent' : 'notice'
}
