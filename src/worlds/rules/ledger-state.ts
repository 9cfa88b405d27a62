import type { Author } from '../../authority/roles.ts'
import { without } from './decision.ts'
import type { Consent, ConsentKind, DayBudget, LedgerEvent } from './ledger-events.ts'
import { worldLimits } from './world-limits.ts'

export type LedgerState = {
  seq: number
  /** The latest entries; all of them are in the stream. */
  consents: readonly (Consent & { at: number })[]
  /** By world; the one of the account is under the empty name. */
  standingBriefs: Readonly<Record<string, string>>
  budget: DayBudget
  day: { day: string; tokens: number; money: number }
  reserved: Readonly<Record<string, { day: string; tokens: number; money: number }>>
  stopped: { by: string; at: number } | null
}

export const initialLedger: LedgerState = {
  seq: 0,
  consents: [],
  standingBriefs: {},
  budget: { tokens: worldLimits.dayTokens, money: worldLimits.dayMoney },
  day: { day: '', tokens: 0, money: 0 },
  reserved: {},
  stopped: null,
}

const sampleAuthor: Author = { id: '', name: '', role: 'owner' }

export const ledgerSample: LedgerState = {
  ...initialLedger,
  consents: [{ consent: '', kind: 'profile', text: '', about: '', by: sampleAuthor, surface: '', at: 0 }],
  standingBriefs: { a: '' },
  reserved: { a: { day: '', tokens: 0, money: 0 } },
  stopped: { by: '', at: 0 },
}

export function evolveLedger(before: LedgerState, event: LedgerEvent): LedgerState {
  const state: LedgerState = { ...before, seq: before.seq + 1 }
  switch (event.type) {
    case 'consent.given':
      return { ...state, consents: [...state.consents, { ...event.data, at: event.at }].slice(-worldLimits.consents) }
    case 'standing-brief.set': {
      const { world, text } = event.data
      const standingBriefs = text === null ? without(state.standingBriefs, world ?? '') : { ...state.standingBriefs, [world ?? '']: text }
      return { ...state, standingBriefs }
    }
    case 'budget.set':
      return { ...state, budget: event.data.budget }
    case 'budget.reserved': {
      const { run, day, tokens, money } = event.data
      return {
        ...state,
        day: state.day.day === day ? state.day : { day, tokens: 0, money: 0 },
        reserved: { ...state.reserved, [run]: { day, tokens, money } },
      }
    }
    case 'budget.settled': {
      const { run, tokens, money } = event.data
      const isToday = state.reserved[run]?.day === state.day.day
      const day = isToday ? { ...state.day, tokens: state.day.tokens + tokens, money: state.day.money + money } : state.day
      return { ...state, day, reserved: without(state.reserved, run) }
    }
    case 'ledger.stopped':
      return { ...state, stopped: { by: event.data.by.name, at: event.at } }
    case 'ledger.resumed':
      return { ...state, stopped: null }
  }
}

/** The entry that approves exactly this text, the latest first. */
export const findConsent = (state: LedgerState, kind: ConsentKind, text: string): (Consent & { at: number }) | null =>
  state.consents.findLast((entry) => entry.kind === kind && entry.text === text) ?? null

/** The brief for a chat that comes without one: that of the world before that of the account. */
export const findStandingBrief = ({ standingBriefs }: LedgerState, world: string | null): string | null =>
  (world === null ? undefined : standingBriefs[world]) ?? standingBriefs[''] ?? null

/** Spent and reserved on one day. */
export function daySpending({ day, reserved }: LedgerState, today: string): DayBudget {
  const open = Object.values(reserved).filter((each) => each.day === today)
  const spent = day.day === today ? day : { tokens: 0, money: 0 }
  return {
    tokens: open.reduce((sum, { tokens }) => sum + tokens, spent.tokens),
    money: open.reduce((sum, { money }) => sum + money, spent.money),
  }
}
