import type { Author } from '../../authority/roles.ts'
import { refuse } from '../../errors.ts'
import { type Decision, decideBy, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import type { Consent, ConsentKind, DayBudget, LedgerEvent } from './ledger-events.ts'
import { daySpending, findConsent, type LedgerState } from './ledger-state.ts'
import { worldLimits } from './world-limits.ts'

export type LedgerCommand =
  | ({ type: 'record-consent' } & Consent)
  | { type: 'set-standing-brief'; world: string | null; text: string | null }
  /** With a world: of the talks there, from then on. */
  | { type: 'set-day-budget'; budget: DayBudget; by: Author; world?: string }
  /** Before a model call. `day` is the calendar day of the owner. */
  | { type: 'reserve-spending'; run: string; day: string; tokens: number; money: number; world?: string }
  | { type: 'settle-spending'; run: string; tokens: number; money: number }
  | { type: 'stop-talks'; by: Author }
  | { type: 'resume-talks'; by: Author }

/** Longest text of each kind. */
export const consentChars: Readonly<Record<ConsentKind, number>> = {
  display_name: worldLimits.displayNameChars * 2,
  profile: worldLimits.profileChars,
  chat_policy: worldLimits.reasonChars * 20,
  join_text: worldLimits.joinTextChars,
  purpose: worldLimits.purposeChars,
  brief: worldLimits.briefChars,
  standing_brief: worldLimits.briefChars,
  owner_answer: worldLimits.turnChars,
  own_turn: worldLimits.turnChars,
  world_text: worldLimits.worldTextChars,
  broadcast: worldLimits.briefChars,
}

const deciders: Deciders<LedgerState, LedgerCommand, LedgerEvent> = {
  'record-consent': (state, command) => {
    const { at, type: _, ...consent } = command
    if (state.consents.some((entry) => entry.consent === consent.consent)) return nothing
    const refusal = refuseText(consent.kind, consent.text, consentChars[consent.kind], false)
    return refusal ?? { events: [{ type: 'consent.given', at, data: consent }] }
  },
  'set-standing-brief': (state, { at, world, text }) => {
    if (text === null) return { events: [{ type: 'standing-brief.set', at, data: { world, text, consent: null } }] }
    const refusal = refuseText('brief', text, worldLimits.briefChars)
    if (refusal) return refusal
    const consent = findConsent(state, 'standing_brief', text)?.consent
    if (consent === undefined) return refuse('consent_missing', { kind: 'standing_brief' })
    return { events: [{ type: 'standing-brief.set', at, data: { world, text, consent } }] }
  },
  'set-day-budget': (state, { at, budget, by, world }) => {
    if (by.role !== 'owner') return refuse('owner_only')
    const isFull = Object.keys(state.worldBudgets).length >= worldLimits.worldBudgets
    if (world !== undefined && isFull && !Object.hasOwn(state.worldBudgets, world))
      return refuse('too_many_entries', { what: 'budgets of worlds', limit: worldLimits.worldBudgets })
    const bounded = { tokens: Math.max(0, budget.tokens), money: Math.max(0, budget.money) }
    return { events: [{ type: 'budget.set', at, data: { budget: bounded, by, ...(world !== undefined && { world }) } }] }
  },
  'reserve-spending': (state, { at, run, day, tokens, money, world }) => {
    if (Object.hasOwn(state.reserved, run)) return nothing
    if (state.stopped) return refuse('talks_stopped', { by: state.stopped.by })
    const spent = daySpending(state, day)
    const isOver = spent.tokens + tokens > state.budget.tokens || spent.money + money > state.budget.money
    if (isOver) return refuse('talk_budget_spent', { scope: 'day' })
    const most = world === undefined ? undefined : state.worldBudgets[world]
    if (world !== undefined && most) {
      const there = daySpending(state, day, world)
      if (there.tokens + tokens > most.tokens || there.money + money > most.money) return refuse('talk_budget_spent', { scope: 'world' })
    }
    return { events: [{ type: 'budget.reserved', at, data: { run, day, tokens, money, ...(world !== undefined && { world }) } }] }
  },
  'settle-spending': (state, { at, run, tokens, money }) =>
    Object.hasOwn(state.reserved, run) ? { events: [{ type: 'budget.settled', at, data: { run, tokens, money } }] } : nothing,
  'stop-talks': (state, { at, by }) => (state.stopped ? nothing : { events: [{ type: 'ledger.stopped', at, data: { by } }] }),
  'resume-talks': (state, { at, by }) => {
    if (by.role !== 'owner' && by.role !== 'operator') return refuse('owner_only')
    return state.stopped ? { events: [{ type: 'ledger.resumed', at, data: { by } }] } : nothing
  },
}

export const decideLedger = (state: LedgerState, command: Timed<LedgerCommand>): Decision<LedgerEvent> => decideBy(deciders, state, command)
