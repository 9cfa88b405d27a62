import type { Caller } from '../../shapes/parley.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { planFailedReplies } from '../rules/failed-replies.ts'

/** A person gives up on a failed dialog: it leaves the inbox, and the agents that wait for it get a failed reply. */
export async function giveUpFailure(
  { dialogs, now }: { dialogs: StreamHandler<DialogState, DialogCommand>; now: () => number },
  dialog: string,
  { by, via }: Caller,
): Promise<void> {
  await dialogs.handleAll(async (load) => {
    const state = await load(dialog)
    if (state.rest !== 'failed' || state.failure === null || state.failure.isGivenUp) return { orders: [] }
    const at = now()
    const { own, others } = await planFailedReplies(dialog, state, { why: 'given-up' }, at, load)
    return { orders: [{ stream: dialog, commands: [{ type: 'settle-failure', at, why: 'given-up', by, via }, ...own] }, ...others] }
  })
}
