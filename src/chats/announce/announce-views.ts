import type { ApprovalDecision } from '../../authority/audience.ts'
import type { Language } from '../../shapes/language.ts'
import type { Author } from '../../authority/roles.ts'
import type { CardMode } from './approval-message.ts'

/**
 * Bookkeeping of what people were told; not folded from events. `announced`: how far in each dialog. `askedAt`: open questions
 * and approvals that stand at an address. `approvals`: by question, the approvals that are shown together.
 */
export const announceViews = { announced: 'announced', askedAt: 'asked-at', approvals: 'approvals-together' } as const

/** A question that stands at an address. */
export type AskedAt = {
  question: string
  channel: string
  address: string
  delivery: string
  /** Set where several options are chosen by buttons: how the message is shown, and the values chosen so far. */
  choosing?: { shown: QuestionShown; values: readonly string[] }
}

/** Facts about the address that change how a question is shown there. */
export type QuestionShown = { language: Language; isElsewhere: boolean; isGroup: boolean; isSide: boolean }

export const askedAtKey = (question: string, { channel, address }: { channel: string; address: string }): string =>
  `${question}/${channel}/${address}`

/** A message about approvals: the card of an approver, or the waiting line for the others. */
export type ApprovalCopy = {
  shows: 'card' | 'waiting'
  delivery: string
  channel: string
  address: string
  dialog: string
  /** The first of the approvals that were asked together. */
  batch: string
  questions: readonly string[]
  mode: CardMode
  /** The person of a private chat; null in a group, and for the waiting line. */
  reader: Author | null
  /** Shown outside the chats of its dialog. */
  isElsewhere: boolean
  language: Language
  /** The surface each requester wrote by, by their id. */
  surfaces: Readonly<Record<string, string>>
  /** Decisions that the message shown last offers. */
  offered?: readonly ApprovalDecision[]
  /** Of the message that was shown last. */
  hash: string
}

/** Approvals that were asked together, and those of them of which further people were notified. */
export type ApprovalBatch = { batch: string; dialog: string; questions: readonly string[]; escalated: readonly string[] }

export const isApprovalCopy = (body: AskedAt | ApprovalCopy): body is ApprovalCopy => 'shows' in body
