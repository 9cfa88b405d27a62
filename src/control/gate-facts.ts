import type { Grant } from '../authority/grants.ts'
import { parseScope } from '../authority/scope.ts'
import type { GrantView, QuestionView } from '../client/wire.ts'
import type { Store } from '../ports/store.ts'
import { grantView, questionView } from '../views/dialog-views.ts'

export const gateFactLimits = { grantsPerAgent: 500, openQuestions: 500 } as const

/** What the gate reads from the store, only for calls that would otherwise ask a person. */
export function gateFacts(store: Store): {
  grantsOf(agent: string): Promise<readonly Grant[]>
  openApprovals(authors: readonly string[]): Promise<number>
} {
  return {
    async grantsOf(agent) {
      const rows = await store.rows({ view: grantView, group: agent, limit: gateFactLimits.grantsPerAgent })
      return rows.flatMap(({ body }) => grantOf(body as GrantView))
    },
    async openApprovals(authors) {
      const rows = await store.rows({ view: questionView, group: 'open', limit: gateFactLimits.openQuestions })
      const isTheirs = ({ approval }: QuestionView): boolean => approval?.requesters.some(({ id }) => authors.includes(id)) ?? false
      return rows.filter(({ body }) => isTheirs(body as QuestionView)).length
    },
  }
}

/** A scope that this version cannot read any more allows nothing. */
function grantOf(view: GrantView): Grant[] {
  if (view.end !== null) return []
  const parsed = parseScope(view.scope, view.where)
  if ('fault' in parsed) return []
  const { id, scope, via, end: _, madeIn: __, ...rest } = view
  return [{ ...rest, grant: id, scopeText: scope, scope: parsed.scope, via: via ?? '', hasEnded: false }]
}
