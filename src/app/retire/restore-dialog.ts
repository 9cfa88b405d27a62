import { foldDialog } from '../../dialogs/rows/fold-dialog.ts'
import { type RetiredTree, unpackTree } from './retired-file.ts'
import type { RetiredFacts } from '../../dialogs/rules/dialog-events.ts'
import { ParleyError } from '../../errors.ts'
import type { Files } from '../../ports/files.ts'
import type { Store, StoredEvent, Unit } from '../../ports/store.ts'
import { wordsOfTree } from '../../search/word-index.ts'
import type { RawStore } from '../../store/raw-store.ts'

/** The tree of a retired dialog, as its file has it. Changes nothing. */
export async function readRetired(store: Store, files: Files, dialog: string): Promise<RetiredTree> {
  const last = (await store.read(dialog, Math.max(0, (await store.head(dialog)) - 1), 1))[0]
  if (last?.type !== 'dialog.retired') throw new ParleyError('not_retired', { dialog })
  const { file } = last.data as RetiredFacts
  return unpackTree(file, await files.read(file))
}

/**
 * Puts the events of a tree back under their numbers and positions, then says so in each dialog and writes its rows. No server
 * may run: a process that remembers a dialog reads only what comes after. A restore that was cut can be run again.
 */
export async function restoreDialog(
  { root, events }: RetiredTree,
  raw: () => Promise<RawStore>,
  openStore: () => Promise<Store>,
  now: number,
): Promise<{ dialogs: number; events: number }> {
  const target = await raw()
  try {
    await target.putBack(events.map(({ position, stream, seq, at, type, data }) => [position, stream, seq, at, type, JSON.stringify(data)]))
  } finally {
    await target.close()
  }
  const store = await openStore()
  try {
    const unit: Unit = { append: [], rows: [] }
    const streams = Map.groupBy(events, ({ stream }) => stream)
    for (const [stream, log] of streams) {
      const [retired] = await store.read(stream, log.length, 1)
      if (retired?.type !== 'dialog.retired') throw new ParleyError('not_retired', { dialog: stream })
      const { file } = retired.data as RetiredFacts
      const restored = { type: 'dialog.restored', at: now, data: { file } }
      const { rows } = foldDialog(stream, [...log, retired, restored as StoredEvent])
      unit.append = [...(unit.append ?? []), { stream, expect: retired.seq, events: [restored] }]
      unit.rows = [...(unit.rows ?? []), ...rows.values()]
    }
    unit.index = { entries: wordsOfTree(root, events) }
    const [result] = await store.commit([unit])
    if (!result?.ok) throw new ParleyError('not_retired', { dialog: root })
  } finally {
    await store.close()
  }
  return { dialogs: new Set(events.map(({ stream }) => stream)).size, events: events.length }
}
