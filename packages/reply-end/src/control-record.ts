import type { EndChoice, Locale } from './labels.ts'

/**
 * | from | what happens | to |
 * |---|---|---|
 * | – | reply delivered with keyboard | offered; the one offered before is superseded |
 * | – | keyboard could not be attached | unattached |
 * | offered | tap | continued or stopped |
 * | offered | a message, or a newer reply      | superseded |
 * | offered | time is over | expired |
 * | any other | tap | unchanged |
 */
export type ControlState = 'offered' | 'unattached' | 'continued' | 'stopped' | 'superseded' | 'expired'

export type ControlRecord = {
  id: string
  conversation: string
  session: string
  turn: string
  replyId: string
  channel: string
  account: string
  chat: string
  topic?: string
  message: string
  locale: Locale
  state: ControlState
  offeredAt: number
  expiresAt: number
  choice?: EndChoice
  by?: string
  at?: number
  /** Goes up with every change: the first accepted tap wins. */
  rev: number
  /** The person who may tap; without it, anyone who sees the control. */
  asker?: string
  /** Rows of buttons that the reply had of its own; they stay when ours go. */
  above?: readonly (readonly object[])[]
  /** A message came before it arrived. */
  isWrittenAfter?: boolean
}

export type Closure = { state: 'open' | 'continue' | 'closed'; choice?: EndChoice; by?: string; at?: number; turn?: string; note?: string }

/** An outside effect, stored with the decision: after a crash it happens later. */
export type Effect = { key: string; tries: number } & (
  | { does: 'toast'; query: string; text: string }
  /** `shown`: what stays; empty takes all buttons away. */
  | { does: 'strip'; chat: string; message: string; shown: readonly (readonly object[])[] }
  | { does: 'end-choice'; control: string; turn: string; choice: EndChoice; by: string; at: number }
)

/** A control whose delivery is not confirmed yet. */
export type PreparedControl = Omit<ControlRecord, 'message' | 'state' | 'offeredAt' | 'expiresAt' | 'choice' | 'by' | 'at' | 'rev'> & {
  /** Where it is put on a message that is already there. */
  message?: string
}

/** All about one conversation. One document, so that one compare-and-set decides everything. */
export type ConversationControls = {
  conversation: string
  /** Newest last, bounded. */
  records: readonly ControlRecord[]
  prepared: readonly PreparedControl[]
  closure: Closure
  /** The update that brought the choice in `closure`; 0 where the platform counts none. */
  choiceUpdate: number
  /** A choice that the next turn is told, and the turn that was told. */
  carried: { closure: Closure; turn?: string } | null
  /** The latest turn begins, or began, because of a message: later choices do not belong to it. */
  isTextLatest?: boolean
  effects: readonly Effect[]
  /** Callback queries and updates that were already taken in, bounded. */
  seen: readonly string[]
  localeSetting: Locale | null
  lastScript: Locale | null
}

export const endControlLimits = {
  recordsPerConversation: 20,
  preparedPerConversation: 5,
  seenPerConversation: 100,
  effectTries: 3,
  expireAfterMs: 24 * 60 * 60 * 1_000,
  conflictTries: 50,
} as const

export const emptyControls = (conversation: string): ConversationControls => ({
  conversation,
  records: [],
  prepared: [],
  closure: { state: 'open' },
  choiceUpdate: 0,
  carried: null,
  effects: [],
  seen: [],
  localeSetting: null,
  lastScript: null,
})
