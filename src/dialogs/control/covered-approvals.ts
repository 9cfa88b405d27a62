import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import type { Gatekeeper } from '../driver/gatekeeper.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { openApprovals } from './approvals.ts'

/**
 * Ends open approvals about which a rule or a grant decides by now. The turn that made the call wakes and asks the gate once
 * more, so nothing runs because of this alone. Returns how many calls are allowed by now.
 */
export async function settleCovered(
  parts: {
    store: Store
    dialogs: StreamHandler<DialogState, DialogCommand>
    team: Team
    gatekeeper: Gatekeeper
    clock: Clock
    log: Log
  },
  agent?: string,
): Promise<number> {
  const { store, dialogs, team, gatekeeper, clock, log } = parts
  let count = 0
  for (const { question, dialog, agent: asker } of await openApprovals(store)) {
    if (agent !== undefined && asker !== agent) continue
    const state = await dialogs.load(dialog)
    const open = state.questions[question]
    const call = open === undefined || open.call === null ? undefined : state.calls[open.call]
    const member = team.agent(state.agent)
    // An interrupted call is asked about even if a rule allows it.
    if (!call || !member || open?.approval?.isInterrupted) continue
    const judged = await gatekeeper.judge(member, call, { dialog, state, now: clock.now(), waiting: 0, again: 'approved' })
    if (judged === null || judged.decision === 'ask') continue
    const handled = await dialogs.handle(dialog, [{ type: 'settle-approval', at: clock.now(), question }])
    if (!handled.ok || handled.events.length === 0) continue
    log('info', 'a rule or grant settled an open approval', { dialog, question, decision: judged.decision })
    if (judged.decision === 'allow') count += 1
  }
  return count
}
