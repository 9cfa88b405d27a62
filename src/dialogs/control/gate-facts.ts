import type { Grant } from '../../authority/grants.ts'
import { parseScope } from '../../authority/scope.ts'
import type { GrantView } from '../../shapes/wire.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import type { GateParts } from '../driver/gatekeeper.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { type ApprovalRow, approvalRowView, grantView } from '../rows/dialog-rows.ts'
import { openApprovals } from './approvals.ts'

export const gateFactLimits = { grantsPerAgent: 500, approvalsRead: 50, droppedForMs: 3_600_000 } as const

/** Facts the gate reads from the store, only for calls that would otherwise ask a person. */
export function gateFacts({
  store,
  dialogs,
  clock,
  log,
}: {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  clock: Clock
  log: Log
}): Omit<GateParts, 'policy'> {
  async function endGrant(grant: string): Promise<void> {
    const row = await store.row(grantView, grant)
    if (!row) return
    const by = { kind: 'agent', name: 'parley' } as const
    await dialogs.handle((row.body as GrantView).madeIn, [{ type: 'end-grant', at: clock.now(), grant, by, why: 'changed' }])
  }
  return {
    listGrants: (agent) => listGrants(store, agent),
    async openApprovals(authors) {
      const isTheirs = ({ requesters }: ApprovalRow): boolean => requesters.some((id) => authors.includes(id))
      const open = (await openApprovals(store)).filter(isTheirs).length
      // An agent that clears its mind drops its questions; without these a guest could make it ask without end.
      const closed = await store.rows({ view: approvalRowView, group: 'closed', limit: gateFactLimits.approvalsRead })
      const since = clock.now() - gateFactLimits.droppedForMs
      return (
        open + closed.filter(({ sort, body }) => sort > since && (body as ApprovalRow).isDropped && isTheirs(body as ApprovalRow)).length
      )
    },
    async approvedBefore(kind, most) {
      const rows = await store.rows({ view: approvalRowView, group: 'allowed', limit: gateFactLimits.approvalsRead })
      return rows.filter(({ body }) => (body as ApprovalRow).kind === kind).length >= most
    },
    // Nothing waits for it: a grant for another definition matches nothing, ended or not.
    endGrants(grants) {
      for (const grant of grants) endGrant(grant).catch((error: unknown) => log('warn', 'a grant could not be ended', { grant, error }))
    },
  }
}

/** Grants of this agent that are in force. */
export async function listGrants(store: Store, agent: string): Promise<readonly Grant[]> {
  const rows = await store.rows({ view: grantView, group: agent, limit: gateFactLimits.grantsPerAgent })
  return rows.flatMap(({ body }) => toGrant(body as GrantView))
}

/** A scope that this version cannot read any more allows nothing. */
function toGrant(view: GrantView): Grant[] {
  if (view.end !== null) return []
  const parsed = parseScope(view.scope, view.where)
  if ('fault' in parsed) return []
  const { id, scope, via, end: _, madeIn: __, ...rest } = view
  return [{ ...rest, grant: id, scopeText: scope, scope: parsed.scope, via: via ?? '', hasEnded: false }]
}
