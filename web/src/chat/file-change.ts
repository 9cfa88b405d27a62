import type { ToolItem } from '../../../src/client/index.ts'

export type ChangeLine = { kind: 'added' | 'removed' | 'same'; text: string }

export type FileChange = { path: string; isNew: boolean; lines: ChangeLine[]; added: number; removed: number }

const splitLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Longer ones are cut; the whole text is in the log of the dialog. */
const mostLines = 400

/**
 * The lines that a call of the workspace's own tools wrote. What a whole file held before is not in the log, so all of its lines
 * are shown as written. Null for calls that write nothing.
 */
export function fileChange({ name, input }: Pick<ToolItem, 'name' | 'input'>): FileChange | null {
  if (typeof input !== 'object' || input === null) return null
  const given = input as Record<string, unknown>
  const { path } = given
  if (typeof path !== 'string') return null
  if (name === 'write_file' && typeof given['content'] === 'string') return toChange(path, true, [], splitLines(given['content']))
  if (name === 'edit_file' && typeof given['old_text'] === 'string' && typeof given['new_text'] === 'string')
    return toChange(path, false, splitLines(given['old_text']), splitLines(given['new_text']))
  return null
}

/** Equal lines at both ends are kept as they are; the lines between them are replaced. */
function toChange(path: string, isNew: boolean, before: readonly string[], after: readonly string[]): FileChange {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const toLines = (kind: ChangeLine['kind'], texts: readonly string[]): ChangeLine[] => texts.map((text) => ({ kind, text }))
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  const lines = [
    ...toLines('same', after.slice(0, start)),
    ...toLines('removed', removed),
    ...toLines('added', added),
    ...toLines('same', after.slice(after.length - end)),
  ]
  return { path, isNew, lines: lines.slice(0, mostLines), added: added.length, removed: removed.length }
}
