import type { Sum, ViewRow } from '../../ports/store.ts'
import { budgetKeys, budgetScopes, budgetView, sumFields } from '../rules/budget-scopes.ts'
import type { DialogEvent, Spent } from '../rules/dialog-events.ts'
import type { DialogState, OpenQuestion } from '../rules/dialog-state.ts'
import { raiseShare } from '../rules/limit-facts.ts'

/** Open questions about budgets; the group is the key of the budget. */
export const limitView = 'limit'

export type LimitRow = { question: string; dialog: string }

/** The row of a question about a budget, which is gone when the question is closed; null for other questions. */
export function limitRow(dialog: string, { question, limit, purpose, askedAt }: OpenQuestion, isOpen: boolean): Row | null {
  if (limit?.kind !== 'budget' || purpose !== 'limit') return null
  if (!isOpen) return { view: limitView, key: question, body: null }
  return { view: limitView, key: question, group: limit.key, sort: askedAt, text: '', body: { question, dialog } satisfies LimitRow }
}

type Row = ViewRow | { view: string; key: string; body: null }

/** Additions of these events to the sums of budgets: costs of generations, and raises by the owner. */
export function budgetSums(dialog: string, events: readonly DialogEvent[], after: DialogState, timeZone: string): Sum[] {
  return events.flatMap((event) => {
    const spent = readSpent(event)
    if (spent) return costSums(after.origin?.root ?? dialog, after.agent, event.at, timeZone, spent)
    return event.type === 'question.answered' ? raiseSums(after, event.data.question) : []
  })
}

function readSpent(event: DialogEvent): Spent | null {
  const { spent } = event.data as { spent?: Spent }
  return spent && (spent.tokens > 0 || spent.money > 0) ? spent : null
}

function costSums(root: string, agent: string, at: number, timeZone: string, { tokens, money }: Spent): Sum[] {
  const keys = budgetKeys({ root, agent, at, timeZone })
  return budgetScopes.map((scope) => ({ view: budgetView, key: keys[scope], group: scope, sort: 0, add: { tokens, money } }))
}

function raiseSums({ closed }: DialogState, question: string): Sum[] {
  const { asked, end } = closed[question] ?? {}
  const share = end ? raiseShare(end) : 0
  if (asked?.limit?.kind !== 'budget' || share === 0) return []
  const { key, scope, unit, limit } = asked.limit
  const more = unit === 'tokens' ? Math.ceil(limit * share) : limit * share
  return [{ view: budgetView, key, group: scope, sort: 0, add: { [sumFields[unit].raised]: more } }]
}
