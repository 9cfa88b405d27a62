import { isDeepStrictEqual } from 'node:util'
import { ParleyError } from '../errors.ts'
import { type CopyProgress, getPart, type PartName, rawParts, type RawRow, type RawStore } from './raw-store.ts'

export const copyLimits = { rowsPerBatch: 500, filesPerPage: 100 } as const

export type CopyStep = { doing: 'copy' | 'verify'; part: PartName | 'file'; done: number; of: number }

export type CopyReport = { events: number; rows: number; files: number }

/**
 * Copies everything, compares every row and every file, and marks the source as moved. Each batch is one transaction with
 * its progress, so a copy that was cut continues where it was. The source is marked before the copy is opened for use: a
 * crash between the two leaves neither in use, and the next run ends it.
 */
export async function copyStore(source: RawStore, target: RawStore, onStep: (step: CopyStep) => void): Promise<CopyReport> {
  const progress = await takeUp(source, target)
  if ((await source.moveState()) === 'here') await source.setMoveState('copying')
  for (const { name } of rawParts) await copyPart(source, target, name, progress, onStep)
  const copied = await copyFiles(source, target, onStep)
  const report: CopyReport = { events: await verifyPart(source, target, 'event', onStep), rows: 0, files: copied }
  for (const { name } of rawParts) if (name !== 'event') report.rows += await verifyPart(source, target, name, onStep)
  await source.setMoveState('moved')
  await target.finish()
  return report
}

async function takeUp(source: RawStore, target: RawStore): Promise<CopyProgress> {
  const identity = await source.identity()
  const begun = await target.progress()
  if (begun && begun.source !== identity)
    throw new ParleyError('copy_target_used', { target: target.label, why: 'it holds a part of another store' })
  if (begun) return begun
  if (await source.progress()) throw new ParleyError('copy_unfinished', { store: source.label })
  if ((await source.moveState()) === 'moved') throw new ParleyError('store_moved', { store: source.label })
  if (!(await target.isEmpty())) throw new ParleyError('copy_target_used', { target: target.label, why: 'it holds data' })
  const fresh: CopyProgress = { source: identity, after: {} }
  await target.begin(fresh)
  return fresh
}

const getKey = (part: PartName, row: RawRow): RawRow => row.slice(0, getPart(part).keys)

async function copyPart(
  source: RawStore,
  target: RawStore,
  part: PartName,
  progress: CopyProgress,
  onStep: (step: CopyStep) => void,
): Promise<void> {
  const of = await source.count(part)
  let count = await target.count(part)
  for (;;) {
    onStep({ doing: 'copy', part, done: count, of })
    const rows = await source.read(part, progress.after[part] ?? null, copyLimits.rowsPerBatch)
    const last = rows.at(-1)
    if (!last) return
    progress.after[part] = getKey(part, last)
    await target.write(part, rows, progress)
    count += rows.length
  }
}

async function verifyPart(source: RawStore, target: RawStore, part: PartName, onStep: (step: CopyStep) => void): Promise<number> {
  const of = await source.count(part)
  let after: RawRow | null = null
  let count = 0
  for (;;) {
    onStep({ doing: 'verify', part, done: count, of })
    const [expected, found]: [RawRow[], RawRow[]] = await Promise.all([
      source.read(part, after, copyLimits.rowsPerBatch),
      target.read(part, after, copyLimits.rowsPerBatch),
    ])
    const wrong = expected.findIndex((row, index) => !isDeepStrictEqual(row, found[index]))
    const differing = wrong === -1 ? found[expected.length] : expected[wrong]
    if (differing) throw new ParleyError('copy_differs', { target: target.label, part, row: getKey(part, differing).join('/') })
    const last = expected.at(-1)
    if (!last) return count
    after = getKey(part, last)
    count += expected.length
  }
}

/** Bytes are compared as they are copied. A file that is there already is compared and not written again. */
async function copyFiles(source: RawStore, target: RawStore, onStep: (step: CopyStep) => void): Promise<number> {
  let count = 0
  let after = ''
  for (;;) {
    const page = await source.files.list(after, copyLimits.filesPerPage)
    for (const { file } of page) {
      onStep({ doing: 'copy', part: 'file', done: count, of: count })
      const bytes = await source.files.read(file)
      // Half of a file that a crash left has no bytes under its name.
      if (bytes === null) continue
      if (!isSame(bytes, await target.files.read(file))) await target.files.write(file, bytes)
      if (!isSame(bytes, await target.files.read(file)))
        throw new ParleyError('copy_differs', { target: target.label, part: 'file', row: file })
      count += 1
    }
    const last = page.at(-1)
    if (!last) return count
    after = last.file
  }
}

const isSame = (one: Uint8Array, two: Uint8Array | null): boolean => two !== null && Buffer.compare(one, two) === 0
