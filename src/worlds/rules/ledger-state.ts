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
  /** The most that talks in a world cost in a day, within the budget of the account. */
  worldBudgets: Readonly<Record<string, DayBudget>>
  /** Spent on the latest day; `worlds` has the part of each world with a budget. */
  day: { day: string; tokens: number; money: number; worlds: Readonly<Record<string, DayBudget>> }
  reserved: Readonly<Record<string, { day: string; tokens: number; money: number; world: string | null }>>
  stopped: { by: string; at: number } | null
}

export const initialLedger: LedgerState = {
  seq: 0,
  consents: [],
  standingBriefs: {},
  budget: { tokens: worldLimits.dayTokens, money: worldLimits.dayMoney },
  worldBudgets: {},
  day: { day: '', tokens: 0, money: 0, worlds: {} },
  reserved: {},
  stopped: null,
}

const sampleAuthor: Author = { id: '', name: '', role: 'owner' }

export const ledgerSample: LedgerState = {
  ...initialLedger,
  consents: [{ consent: '', kind: 'profile', text: '', about: '', by: sampleAuthor, surface: '', at: 0 }],
  standingBriefs: { a: '' },
  worldBudgets: { a: { tokens: 0, money: 0 } },
  day: { day: '', tokens: 0, money: 0, worlds: { a: { tokens: 0, money: 0 } } },
  reserved: { a: { day: '', tokens: 0, money: 0, world: '' } },
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
    case 'budget.set': {
      const { budget, world } = event.data
      if (world === undefined) return { ...state, budget }
      // One that is not below that of the account bounds nothing.
      const isNone = budget.tokens >= state.budget.tokens && budget.money >= state.budget.money
      const others = without(state.worldBudgets, world)
      return { ...state, worldBudgets: isNone ? others : { ...others, [world]: budget } }
    }
    case 'budget.reserved': {
      const { run, day, tokens, money, world = null } = event.data
      return {
        ...state,
        day: state.day.day === day ? state.day : { day, tokens: 0, money: 0, worlds: {} },
        reserved: { ...state.reserved, [run]: { day, tokens, money, world } },
      }
    }
    case 'budget.settled': {
      const { run, tokens, money } = event.data
      const reservation = state.reserved[run]
      const isToday = reservation?.day === state.day.day
      const day = isToday ? addToDay(state, reservation.world, { tokens, money }) : state.day
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

function addToDay({ day, worldBudgets }: LedgerState, world: string | null, { tokens, money }: DayBudget): LedgerState['day'] {
  const { worlds } = day
  const before = world === null ? undefined : (worlds[world] ?? { tokens: 0, money: 0 })
  const isCounted = world !== null && before && Object.hasOwn(worldBudgets, world)
  return {
    ...day,
    tokens: day.tokens + tokens,
    money: day.money + money,
    worlds: isCounted ? { ...worlds, [world]: { tokens: before.tokens + tokens, money: before.money + money } } : worlds,
  }
}

/** Spent and reserved on one day: of the account, or of its talks in one world that has a budget. */
export function daySpending({ day, reserved }: LedgerState, today: string, world?: string): DayBudget {
  const open = Object.values(reserved).filter((each) => each.day === today && (world === undefined || each.world === world))
  const spent = (day.day === today ? (world === undefined ? day : day.worlds[world]) : undefined) ?? { tokens: 0, money: 0 }
  return {
    tokens: open.reduce((sum, { tokens }) => sum + tokens, spent.tokens),
    money: open.reduce((sum, { money }) => sum + money, spent.money),
  }
}
