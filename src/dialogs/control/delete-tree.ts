import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store, Unit } from '../../ports/store.ts'
import type { Caller } from '../../shapes/parley.ts'
import { askingAll, isRepeatedBy } from '../../streams/asking.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { dialogView, rootView, sideView } from '../rows/dialog-rows.ts'
import { fileView } from '../rows/file-rows.ts'
import { type FoldedDialog, foldDialog } from '../rows/fold-dialog.ts'
import { ownDialogView } from '../rows/own-rows.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import { type DialogState, isAtRest } from '../rules/dialog-state.ts'

export const deletionLimits = { readPage: 500 } as const

type Parts = { store: Store; dialogs: StreamHandler<DialogState, DialogCommand>; clock: Clock }

type Doomed = FoldedDialog & { stream: string; files: string[] }

/**
 * Deletes a root with every dialog below it. One unit removes all events and rows and leaves `dialog.deleted` in each stream, so
 * that links and other processes learn of it; the files follow as work of that unit. Sums of budgets stay.
 */
export function treeDeletion({ store, dialogs, clock }: Parts): (dialog: string, caller: Caller) => Promise<{ count: number }> {
  const askAll = askingAll(store, dialogs, 'dialog')

  async function read(stream: string): Promise<Doomed> {
    let folded = foldDialog(stream, [])
    for (;;) {
      const page = await store.read(stream, folded.state.seq, deletionLimits.readPage)
      if (page.length === 0) break
      folded = foldDialog(stream, page, folded)
    }
    const files = [...folded.rows.values()].flatMap((row) => (row.view === fileView && row.body !== null ? [row.group] : []))
    return { ...folded, stream, files }
  }

  /** Side dialogs that are opened after this change the dialog that opens them, and the unit is refused. */
  async function listTree(root: string): Promise<Doomed[]> {
    const { seq, origin, retired, isDeleted } = await dialogs.load(root)
    if (seq === 0) throw new ParleyError('dialog_not_found', { dialog: root })
    if (isDeleted) throw new ParleyError('dialog_deleted')
    if (retired) throw new ParleyError('dialog_retired', { root: retired.root })
    if (origin !== null) throw new ParleyError('not_deletable', { owner: origin.root })
    if (rootView(root) !== dialogView)
      throw new ParleyError('not_deletable', { owner: rootView(root) === 'builder' ? 'a build' : 'a world' })
    const tree = [await read(root)]
    for (let before: { sort: number; key: string } | undefined; ;) {
      const sides = await store.rows({ view: sideView, group: root, limit: deletionLimits.readPage, ...(before ? { before } : {}) })
      for (const { key } of sides) tree.push(await read(key))
      const last = sides.at(-1)
      if (!last || sides.length < deletionLimits.readPage) return tree
      before = { sort: last.sort, key: last.key }
    }
  }

  return async (root, caller) => {
    const tree = (await isRepeatedBy(store, caller)) ? [] : await listTree(root)
    if (!tree.every(({ state }) => isAtRest(state))) throw new ParleyError('dialog_working', { dialog: root })
    const at = clock.now()
    const { by, via } = caller
    const orders = tree.map(({ stream, state: { seq }, files }) => ({
      stream,
      commands: [{ type: 'delete-dialog' as const, at, root, events: seq, files, by, via }],
    }))
    return askAll(
      root,
      async () => ({ orders }),
      caller,
      () => ({ count: tree.length }),
      {
        rows: tree.flatMap(({ rows }) => removedRows(rows)),
        trim: tree.map(({ stream, state: { seq } }) => ({ stream, before: seq + 1 })),
      },
    )
  }
}

/** The ids of its people stay: those people learn from a link that it was deleted. */
const removedRows = (rows: FoldedDialog['rows']): NonNullable<Unit['rows']>[number][] =>
  [...rows.values()].flatMap(({ view, key }) => (view === ownDialogView ? [] : [{ view, key, body: null }]))
