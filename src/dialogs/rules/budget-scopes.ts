/** Work that a budget covers. `dialog`: a root with all its side dialogs. `day`: everything of one day in the owner's time zone. */
export const budgetScopes = ['dialog', 'agent', 'day', 'owner'] as const

export type BudgetScope = (typeof budgetScopes)[number]

export type BudgetUnit = 'tokens' | 'money'

export type Budget = { readonly tokens?: number; readonly money?: number }

export type BudgetLimits = { readonly [Scope in BudgetScope]?: Budget }

/** One budget at one moment. `limit` includes raises. */
export type BudgetFacts = { kind: 'budget'; scope: BudgetScope; key: string; unit: BudgetUnit; limit: number; spent: number }

/** Sums of what was spent and reserved, one row for each budget; the group is its scope. */
export const budgetView = 'budget'

/** From this share on the owner is told. */
export const noticePercent = 80

/** Reserved amounts belong to generations that run. `raised` is what the owner added to the configured limit. */
export type BudgetSums = {
  tokens?: number
  money?: number
  reservedTokens?: number
  reservedMoney?: number
  raisedTokens?: number
  raisedMoney?: number
  /** 1 when the spending of a dialog from before budgets were summed is included. */
  isComplete?: number
}

/** Names of the fields of one unit in the sums. */
export const sumFields = {
  tokens: { spent: 'tokens', reserved: 'reservedTokens', raised: 'raisedTokens' },
  money: { spent: 'money', reserved: 'reservedMoney', raised: 'raisedMoney' },
} as const satisfies Record<BudgetUnit, Record<string, keyof BudgetSums>>

type Spender = { root: string; agent: string; at: number; timeZone: string }

/** The key of each budget that this spending counts in. */
export const budgetKeys = ({ root, agent, at, timeZone }: Spender): Record<BudgetScope, string> => ({
  dialog: `dialog ${root}`,
  agent: `agent ${agent}`,
  day: `day ${calendarDay(at, timeZone)}`,
  owner: 'owner',
})

export const scopeFromKey = (key: string): BudgetScope =>
  budgetScopes.find((scope) => key === scope || key.startsWith(`${scope} `)) ?? 'owner'

const formats = new Map<string, Intl.DateTimeFormat>()

let latest = { minute: Number.NaN, timeZone: '', day: '' }

/** The day as `2026-11-18`. A day begins with a minute, so all of one minute is the same day. */
export function calendarDay(at: number, timeZone: string): string {
  const minute = Math.floor(at / 60_000)
  if (minute !== latest.minute || timeZone !== latest.timeZone) latest = { minute, timeZone, day: formatDay(at, timeZone) }
  return latest.day
}

function formatDay(at: number, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}
