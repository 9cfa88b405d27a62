import type { Spent } from '../rules/dialog-events.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { estimateTokens } from '../rules/prompt/context-levels.ts'
import { estimateRequest } from '../rules/prompt/prompt-size.ts'
import {
  type BudgetFacts,
  budgetKeys,
  budgetScopes,
  type BudgetSums,
  type BudgetUnit,
  budgetView,
  noticePercent,
  scopeFromKey,
  sumFields,
} from '../rules/budget-scopes.ts'
import type { Spending, ToolSpec } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store, Sum } from '../../ports/store.ts'

/**
 * Budgets of dialogs, agents, days and of everything. What a generation may cost is reserved in the store before it starts,
 * in the commit that marks it as running, and released in the commit that counts its cost. A sum of the store refuses a
 * reservation that does not fit, whichever process makes it. A crash leaves the reservation with the mark: the next claim
 * counts the lost generation and releases it.
 */
export type Budgets = {
  /** Sums of the budgets that bound this agent's next generation, in the order in which they apply. */
  read(spender: { root: string; agent: string }, spending: Spending): Promise<BudgetState[]>
  /** Called when a reservation of this process was released. */
  released(): void
  /** Resolves when a reservation may have been released, here or elsewhere. */
  waitForRelease(signal: AbortSignal): Promise<void>
  /** False where no owner reads questions, as in the dialog of a build: work fails at a limit. */
  canAsk(root: string): boolean
  /** The time at which this budget is another one; null when it never changes by itself. */
  renewsAt(facts: BudgetFacts): number | null
}

/** One budget with its sums. `missing` is spending that is not in the sums yet. */
export type BudgetState = { facts: BudgetFacts; reserved: number; missing: Spent | null }

/** Set aside for a generation under way: how much, and in which budgets. */
export type Reservation = Spent & { keys: readonly string[] }

export type Admitted = {
  /** Under a budget: the most the generation may use. */
  allowance: Tokens | null
  /** The most a generation that is lost without a trace is counted as; null for an agent that is not a model. */
  worst: Tokens | null
}

export type Tokens = { inputTokens: number; outputTokens: number }

export const budgetLimits = { recheckMs: 1_000 } as const

type Parts = {
  store: Store
  clock: Clock
  timeZone: string
  canAsk(root: string): boolean
  /** Everything that a tree has spent by its rows. */
  spentInTree(root: string): Promise<Spent>
}

export function budgets({ store, clock, timeZone, canAsk, spentInTree }: Parts): Budgets {
  const waiting = new Set<() => void>()

  async function readSums(key: string): Promise<BudgetSums> {
    return (await store.row(budgetView, key))?.body ?? {}
  }

  /** Spending of a tree from before its sums existed. Read until no generation ended in between. */
  async function missingIn(root: string, key: string): Promise<{ sums: BudgetSums; missing: Spent | null }> {
    for (;;) {
      const sums = await readSums(key)
      if (sums.isComplete) return { sums, missing: null }
      const total = await spentInTree(root)
      const again = await readSums(key)
      if (again.tokens === sums.tokens && again.money === sums.money)
        return { sums, missing: { tokens: total.tokens - (sums.tokens ?? 0), money: total.money - (sums.money ?? 0) } }
    }
  }

  return {
    async read({ root, agent }, { budgets: limits }) {
      const keys = budgetKeys({ root, agent, at: clock.now(), timeZone })
      const states: BudgetState[] = []
      for (const scope of budgetScopes) {
        const key = keys[scope]
        for (const unit of ['tokens', 'money'] as const) {
          const most = limits[scope]?.[unit]
          if (most === undefined) continue
          const { sums, missing } = scope === 'dialog' ? await missingIn(root, key) : { sums: await readSums(key), missing: null }
          const { spent, reserved, raised } = sumFields[unit]
          const facts = {
            kind: 'budget' as const,
            scope,
            key,
            unit,
            limit: most + (sums[raised] ?? 0),
            spent: (sums[spent] ?? 0) + (missing?.[unit] ?? 0),
          }
          states.push({ facts, reserved: sums[reserved] ?? 0, missing })
        }
      }
      return states
    },
    released() {
      for (const resolve of waiting) resolve()
    },
    waitForRelease: (signal) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          waiting.delete(end)
          cancel()
          signal.removeEventListener('abort', end)
          if (signal.aborted) reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)))
          else resolve()
        }
        const cancel = clock.after(budgetLimits.recheckMs, end)
        signal.addEventListener('abort', end)
        waiting.add(end)
      }),
    canAsk,
    renewsAt: ({ scope, key }) => (scope === 'day' ? nextDay(key, clock.now(), timeZone) : null),
  }
}

/** The start of the day after the one that `key` names, to the second. */
function nextDay(key: string, now: number, timeZone: string): number {
  const isOver = (at: number): boolean => budgetKeys({ root: '', agent: '', at, timeZone }).day !== key
  let [before, after] = [now, now + 26 * 3_600_000]
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2)
    if (isOver(middle)) after = middle
    else before = middle
  }
  return after
}

/** The first budget that has no room for this cost, whatever becomes of the generations that run now. */
export const findSpent = (states: readonly BudgetState[], cost: Spent): BudgetFacts | null =>
  states.find(({ facts }) => facts.spent + cost[facts.unit] > facts.limit)?.facts ?? null

/** The first budget of which so much is spent that the owner is told. */
export const findNotice = (states: readonly BudgetState[]): { facts: BudgetFacts; percent: number } | null => {
  for (const { facts } of states) {
    const percent = Math.floor((facts.spent / facts.limit) * 100)
    if (percent >= noticePercent) return { facts, percent: Math.min(percent, 100) }
  }
  return null
}

/** Adds the reservation to each budget, within its limit. */
export function reserveSums(states: readonly BudgetState[], { tokens, money }: Spent): { sums: Sum[]; once: string | null } {
  const byKey = Map.groupBy(states, ({ facts }) => facts.key)
  let once: string | null = null
  const sums = Array.from(byKey, ([key, own]): Sum => {
    const missing = own[0]?.missing
    if (missing) once = `budget complete ${key}`
    const add = { reservedTokens: tokens, reservedMoney: money, ...(missing ? { ...missing, isComplete: 1 } : {}) }
    return { ...rowFor(key), add, bounds: own.map(({ facts }) => getBound(facts)) }
  })
  return { sums, once }
}

export const releaseSums = ({ keys, tokens, money }: Reservation): Sum[] =>
  keys.map((key) => ({ ...rowFor(key), add: { reservedTokens: -tokens, reservedMoney: -money } }))

function getBound({ unit, limit }: { unit: BudgetUnit; limit: number }): { fields: string[]; most: number } {
  const { spent, reserved } = sumFields[unit]
  return { fields: [spent, reserved], most: limit }
}

const rowFor = (key: string): Pick<Sum, 'view' | 'key' | 'group' | 'sort'> => ({
  view: budgetView,
  key,
  group: scopeFromKey(key),
  sort: 0,
})

/**
 * The provider's count of the last prompt and the bytes that came since. Before the first prompt is fixed: all bytes, the
 * tools, and room for instructions, memories and task document.
 */
export function estimateCost(state: DialogState, spending: Spending, tools: readonly ToolSpec[]): Tokens {
  const { prompt, context, reminders, language } = state
  const outputTokens = spending.maxOutputTokens
  if (prompt?.epoch) return { inputTokens: estimateRequest(prompt, language), outputTokens }
  const bytes = Buffer.byteLength(JSON.stringify([context, reminders, tools]))
  return { inputTokens: estimateTokens(bytes) + spending.promptOverheadTokens, outputTokens }
}

/** The most that a generation of these tokens can cost. */
export const computePrice = ({ inputTokens, outputTokens }: Tokens, { worstCost }: Pick<Spending, 'worstCost'>): Spent => ({
  tokens: inputTokens + outputTokens,
  money: worstCost?.({ inputTokens, outputTokens }) ?? 0,
})

export const hasBudget = ({ budgets: limits }: Spending): boolean =>
  budgetScopes.some((scope) => limits[scope]?.tokens !== undefined || limits[scope]?.money !== undefined)
