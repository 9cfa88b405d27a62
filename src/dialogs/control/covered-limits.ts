import type { Store } from '../../ports/store.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { type LimitRow, limitView } from '../rows/budget-rows.ts'

export const coveredLimits = { questions: 1_000 } as const

/** Ends the other open questions about a budget that was raised: their dialogs try again, and ask again if it is not enough. */
export async function settleRaised(
  { store, dialogs, now }: { store: Store; dialogs: StreamHandler<DialogState, DialogCommand>; now: () => number },
  key: string,
): Promise<void> {
  const rows = await store.rows({ view: limitView, group: key, limit: coveredLimits.questions })
  for (const { body } of rows) {
    const { question, dialog } = body as LimitRow
    await dialogs.handle(dialog, [{ type: 'settle-approval', at: now(), question }])
  }
}
