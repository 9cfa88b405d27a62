import type { Author } from '../../authority/roles.ts'
import type { Fact } from './decision.ts'

/** Texts that say something about an owner or in their name. None leaves without an entry in the ledger. */
export const consentKinds = [
  'display_name',
  'profile',
  'chat_policy',
  'join_text',
  'purpose',
  'brief',
  'standing_brief',
  'owner_answer',
  'own_turn',
  'world_text',
  'broadcast',
] as const

export type ConsentKind = (typeof consentKinds)[number]

/** `surface`: where the owner saw the text, such as `web` or `telegram`; `self` if a permission of the owner covers it. */
export type Consent = { consent: string; kind: ConsentKind; text: string; about: string | null; by: Author; surface: string }

export type DayBudget = { tokens: number; money: number }

/** Decisions of the owner of an account, on the owner's machine. */
export type LedgerEvent =
  | Fact<'consent.given', Consent>
  /** The brief for chats that come without one of their own; of a world, or of the account. Null removes it. */
  | Fact<'standing-brief.set', { world: string | null; text: string | null; consent: string | null }>
  /** Of the account, or of its talks in one world. */
  | Fact<'budget.set', { budget: DayBudget; by: Author; world?: string }>
  | Fact<'budget.reserved', { run: string; day: string; tokens: number; money: number; world?: string }>
  | Fact<'budget.settled', { run: string; tokens: number; money: number }>
  /** The kill switch: no run starts, live conversations are closed. */
  | Fact<'ledger.stopped', { by: Author }>
  | Fact<'ledger.resumed', { by: Author }>
