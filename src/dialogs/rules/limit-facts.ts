import type { Details, ErrorCode } from '../../errors.ts'
import type { BudgetFacts } from './budget-scopes.ts'
import type { ClosedQuestion } from './dialog-state.ts'

/** A limit at which the runtime asks the owner instead of failing. */
export type LimitFacts = BudgetFacts | { kind: 'generations'; limit: number } | { kind: 'requests'; limit: number }

/** The answers to a question about a limit. Any other end of the question means `leave`. */
export const limitAnswer = { item: 'decision', half: 'half', double: 'double', goOn: 'continue', leave: 'leave' } as const

export const isSameLimit = (one: LimitFacts | undefined, other: LimitFacts): boolean =>
  one !== undefined && one.kind === other.kind && (one.kind !== 'budget' || other.kind !== 'budget' || one.key === other.key)

/** Share of its limit by which this answer raises a budget; 0 for none. */
export function raiseShare({ answers }: Pick<ClosedQuestion, 'answers'>): number {
  const decision = answers?.[limitAnswer.item]
  return decision === limitAnswer.half ? 0.5 : decision === limitAnswer.double ? 1 : 0
}

/** True when work continues after this end of the question. */
export const liftsLimit = (end: Pick<ClosedQuestion, 'answers'>): boolean =>
  raiseShare(end) > 0 || end.answers?.[limitAnswer.item] === limitAnswer.goOn

/** The failure of work that was left at its limit. */
export function limitFailure(facts: LimitFacts): { code: ErrorCode; details: Details } {
  switch (facts.kind) {
    case 'budget':
      return { code: 'budget_spent', details: budgetDetails(facts) }
    case 'generations':
      return { code: 'too_many_generations', details: { limit: facts.limit } }
    case 'requests':
      return { code: 'too_many_requests_in_a_row', details: { limit: facts.limit } }
  }
}

const budgetDetails = ({ scope, spent, limit, unit }: BudgetFacts): Details => ({ scope, spent, limit, unit })
