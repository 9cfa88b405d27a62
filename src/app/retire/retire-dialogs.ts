import { isDeepStrictEqual } from 'node:util'
import { inboundViews } from '../../chats/bindings/binding-kind.ts'
import { foldDialog } from '../../dialogs/rows/fold-dialog.ts'
import { dialogView, sideView } from '../../dialogs/rows/dialog-rows.ts'
import { fileView, uploadView } from '../../dialogs/rows/file-rows.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import { type DialogState, isFinished } from '../../dialogs/rules/dialog-state.ts'
import { errorMessage, ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'
import type { Store, StoredEvent, Unit } from '../../ports/store.ts'
import type { DialogSummary } from '../../shapes/wire.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { packTree, unpackTree } from './retired-file.ts'

export const retireLimits = {
  /** Roots looked at in one batch. */
  rootsPerBatch: 50,
  readPage: 500,
  /** Larger trees stay in the store: each is read as a whole. */
  eventsPerTree: 50_000,
  dialogsPerTree: 500,
  /** Unfinished files of a process that ended. */
  draftMs: 24 * 60 * 60_000,
} as const

export type RetireParts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  /** The folder of the files. */
  files: Files
  /** For people. */
  folder: string
  clock: Clock
}

export type RetireReport = { dialogs: number; events: number; next: string | null }

/**
 * Moves finished trees of dialogs that have rested for long to files. The order is what loses nothing:
 *
 * | step                                         | a crash or a full disk after it leaves                        |
 * |----------------------------------------------|---------------------------------------------------------------|
 * | read all events of the tree                  | everything as it was                                          |
 * | write the file, sync it, give it its name    | a file that nothing refers to; it is written again            |
 * | read it back and compare with the events     | the same                                                      |
 * | one unit: `dialog.retired`, the events leave | the dialog in the file, and the store says in which           |
 *
 * The unit is refused when the tree went on since it was read.
 */
export async function retireBatch(parts: RetireParts, restedMs: number, cursor: string): Promise<RetireReport> {
  const { store, clock } = parts
  const before = clock.now() - restedMs
  const [sort, key] = cursor === '' ? [before, ''] : readCursor(cursor)
  const rows = await store.rows({ view: dialogView, before: { sort, key }, limit: retireLimits.rootsPerBatch })
  const report: RetireReport = { dialogs: 0, events: 0, next: null }
  const last = rows.at(-1)
  if (!last) return report
  if (cursor === '') await removeDrafts(parts)
  const bound = await listBoundDialogs(store)
  for (const { key: root, body } of rows) {
    // The next message of its chat continues it, however long it has rested.
    if (bound.has(root) || !isResting(body as DialogSummary, before)) continue
    const retired = await retireTree(parts, root, before)
    report.dialogs += retired.dialogs
    report.events += retired.events
  }
  if (rows.length === retireLimits.rootsPerBatch) report.next = `${last.sort} ${last.key}`
  return report
}

const readCursor = (cursor: string): [number, string] => {
  const end = cursor.indexOf(' ')
  return [Number(cursor.slice(0, end)), cursor.slice(end + 1)]
}

const isResting = ({ status, updatedAt }: DialogSummary, before: number): boolean =>
  (status === 'ready' || status === 'dead') && updatedAt < before

async function listBoundDialogs(store: Store): Promise<Set<string>> {
  const bound = new Set<string>()
  for (let before: { sort: number; key: string } | undefined; ;) {
    const rows = await store.rows({ view: inboundViews.bindings, limit: retireLimits.readPage, ...(before && { before }) })
    for (const { body } of rows) {
      const { dialog } = body as { dialog?: string | null }
      if (typeof dialog === 'string') bound.add(dialog)
    }
    const last = rows.at(-1)
    if (!last) return bound
    before = { sort: last.sort, key: last.key }
  }
}

async function removeDrafts({ files, clock }: RetireParts): Promise<void> {
  for (const { file, at } of await files.list('', retireLimits.readPage))
    if (file.endsWith('.new') && at < clock.now() - retireLimits.draftMs) await files.remove(file)
}

const nothing = { dialogs: 0, events: 0 }

async function retireTree(parts: RetireParts, root: string, before: number): Promise<{ dialogs: number; events: number }> {
  const { store, dialogs, clock } = parts
  const sides = await store.rows({ view: sideView, group: root, limit: retireLimits.dialogsPerTree })
  if (sides.length === retireLimits.dialogsPerTree) return nothing
  if (!sides.every(({ body }) => isResting(body as DialogSummary, before))) return nothing
  const streams = [root, ...sides.map(({ key }) => key)]
  const events: StoredEvent[] = []
  const heads = new Map<string, number>()
  const rows: NonNullable<Unit['rows']>[number][] = []
  for (const stream of streams) {
    const log = await readWhole(store, stream, retireLimits.eventsPerTree - events.length)
    const folded = log && foldDialog(stream, log)
    if (!folded || !isFinished(folded.state)) return nothing
    heads.set(stream, log.length)
    events.push(...log)
    for (const { view, key } of folded.rows.values()) if (!staysInStore.has(view)) rows.push({ view, key, body: null })
  }
  const name = await writeVerified(parts, { root, events })
  const at = clock.now()
  const retired = await dialogs.handleAll(
    async (load) => {
      for (const stream of streams) await load(stream)
      return {
        orders: streams.map((stream) => ({
          stream,
          commands: [{ type: 'retire-dialog' as const, at, file: name, root, events: heads.get(stream) ?? 0 }],
        })),
      }
    },
    { rows, trim: streams.map((stream) => ({ stream, before: (heads.get(stream) ?? 0) + 1 })) },
  )
  return retired.ok ? { dialogs: streams.length, events: events.length } : nothing
}

/** The row in lists says that the dialog is retired; rows of files keep the files. */
const staysInStore = new Set([dialogView, sideView, fileView, uploadView])

/** Null for more than the bound, and for a log that does not begin at its first event. */
async function readWhole(store: Store, stream: string, most: number): Promise<StoredEvent[] | null> {
  const log: StoredEvent[] = []
  for (;;) {
    const page = await store.read(stream, log.length, retireLimits.readPage)
    if (page.length === 0) return log
    log.push(...page)
    if (log.length > most || log.at(-1)?.seq !== log.length) return null
  }
}

async function writeVerified({ files, folder }: RetireParts, tree: { root: string; events: StoredEvent[] }): Promise<string> {
  const { name, bytes } = packTree(tree)
  try {
    await files.write(name, bytes)
  } catch (error) {
    throw new ParleyError('retire_failed', { folder, why: errorMessage(error) }, { cause: error, retryable: true })
  }
  if (!isDeepStrictEqual(unpackTree(name, await files.read(name)), JSON.parse(JSON.stringify(tree))))
    throw new ParleyError('retire_failed', { folder, why: `${name} does not hold what was written` })
  return name
}
