import type { DialogSummary } from '../../../src/shapes/wire.ts'
import type { Trees } from './tree-store.ts'

/** One visible line of the tree. */
export type TreeRow = {
  dialog: DialogSummary
  level: number
  position: number
  siblings: number
  hasSides: boolean
  isOpen: boolean
  /** Of a closed branch, together with everything below it. */
  questions: number
}

/** The lines to draw: each root, and below the open ones what they opened. Who waits for a person is counted from `asked`. */
export function toRows(
  roots: readonly DialogSummary[],
  { byRoot, open }: Pick<Trees, 'byRoot' | 'open'>,
  asked: ReadonlyMap<string, number>,
): TreeRow[] {
  const rows: TreeRow[] = []
  roots.forEach((root, index) => {
    const family = byRoot.get(root.id) ?? []
    const sides = new Map<string, DialogSummary[]>()
    const ids = new Set(family.map(({ id }) => id))
    for (const dialog of family) {
      if (dialog.origin === null) continue
      // A parent may be too old to be listed: the dialog is then placed below the root.
      const above = ids.has(dialog.origin.parent) ? dialog.origin.parent : root.id
      const siblings = sides.get(above)
      if (siblings) siblings.push(dialog)
      else sides.set(above, [dialog])
    }
    // A failure is never folded away behind its siblings.
    for (const siblings of sides.values()) siblings.sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
    const sums = computeSums(root.id, sides, asked)
    const walk = (dialog: DialogSummary, level: number, position: number, siblings: number): void => {
      const below = sides.get(dialog.id) ?? []
      const isOpen = below.length > 0 && open.has(dialog.id)
      const questions = isOpen ? (asked.get(dialog.id) ?? 0) : (sums.get(dialog.id) ?? 0)
      rows.push({ dialog, level, position, siblings, hasSides: below.length > 0, isOpen, questions })
      if (isOpen) below.forEach((side, place) => walk(side, level + 1, place + 1, below.length))
    }
    // The list is fresher about the root than its tree.
    walk(root, 1, index + 1, roots.length)
  })
  return rows
}

function computeSums(
  root: string,
  sides: ReadonlyMap<string, readonly DialogSummary[]>,
  asked: ReadonlyMap<string, number>,
): Map<string, number> {
  const sums = new Map<string, number>()
  const sum = (id: string): number => {
    const all = (sides.get(id) ?? []).reduce((total, side) => total + sum(side.id), asked.get(id) ?? 0)
    sums.set(id, all)
    return all
  }
  sum(root)
  return sums
}

/** Where a key leads from a line: to another line, or to a branch being opened or closed. Null when it means nothing here. */
export function moveBy(key: string, rows: readonly TreeRow[], at: number): { to: number } | { open: boolean } | null {
  const row = rows[at]
  if (!row)
    return rows.length > 0 && ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key) ? { to: key === 'End' ? rows.length - 1 : 0 } : null
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(rows.length - 1, at + 1) }
    case 'ArrowUp':
      return { to: Math.max(0, at - 1) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: rows.length - 1 }
    case 'ArrowRight':
      return row.isOpen ? { to: at + 1 } : row.hasSides ? { open: true } : null
    case 'ArrowLeft': {
      if (row.isOpen) return { open: false }
      const above = rows.findLastIndex((other, index) => index < at && other.level < row.level)
      return above < 0 ? null : { to: above }
    }
    default:
      return null
  }
}

/** The next line whose title begins with what was typed, from the line after this one round to it. */
export function findByTyping(typed: string, rows: readonly TreeRow[], at: number, getTitle: (dialog: DialogSummary) => string): number {
  const search = typed.toLocaleLowerCase()
  // One letter goes on to the next; more letters may still mean the line one is on.
  const from = typed.length === 1 ? 1 : 0
  for (let step = from; step < rows.length + from; step += 1) {
    const index = (Math.max(0, at) + step) % rows.length
    const row = rows[index]
    if (row && getTitle(row.dialog).toLocaleLowerCase().startsWith(search)) return index
  }
  return -1
}
