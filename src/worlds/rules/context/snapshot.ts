import type { Language } from '../../../shapes/language.ts'
import type { WorldToken } from '../boundary/conversation-tokens.ts'
import type { OriginType } from '../chat-policy.ts'
import type { ReplyPolicy, Side, WrapUpCause } from '../conversation-events.ts'
import type { PublicIdentity } from '../identity/public-identity.ts'

/** A fact, or why there is none: not set by its owner, not for this side's eyes, or without meaning here. */
export type Field<Value> = { is: 'available'; value: Value } | { is: 'not_set' | 'not_visible' | 'not_applicable' }

export const available = <Value>(value: Value): Field<Value> => ({ is: 'available', value })

export const readValue = <Value>(field: Field<Value>): Value | null => (field.is === 'available' ? field.value : null)

export const reportingModes = ['none', 'end', 'milestones', 'each_turn'] as const

export type ReportingMode = (typeof reportingModes)[number]

export type Participant = PublicIdentity & { profile: Field<string>; membership: Field<string> }

/**
 * Knowledge of one side of one intent, in version 1. Written at kickoff and replaced whole by a refresh. The document that a model
 * reads is rendered from it and never read back.
 */
export type ContextSnapshot = {
  version: 1
  intent: string
  side: Side
  language: Language
  facts: {
    mode: 'direct' | 'world'
    origin: OriginType
    replyPolicy: ReplyPolicy
    /** The line that the sender's owner approved for the recipient. */
    purpose: Field<string>
  }
  /** Of this side only: the other side never sees it. */
  brief: Field<string>
  additional: Field<string>
  world: Field<{ world: string; name: string; text: string; identityMode: 'imaginary' | 'realistic'; dsl: readonly WorldToken[] }>
  you: Participant
  peer: Participant
  policy: {
    reporting: ReportingMode
    /** A baseline of another intent was given in the same session before. */
    isLaterIntent: boolean
    /** Set from the notice to conclude on. */
    budget: Field<{ turns: number; minutes: number }>
    wrapUp: Field<WrapUpCause>
  }
  /** Random text that is in this document and nowhere else; it must never come out again. */
  canary: string
}
