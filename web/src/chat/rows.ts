import type { DialogItem, DialogView, Draft, ToolItem } from '../../../src/client/index.ts'
import type { Letter } from '../keep/outbox.ts'

/** One line of the log. Items keep their identity from frame to frame, so that a row is drawn again only when it changed. */
export type Row =
  | { kind: 'item'; key: string; item: DialogItem; count: number }
  /** Calls that followed each other, each with the number of its repetitions. */
  | { kind: 'work'; key: string; calls: readonly { item: ToolItem; count: number }[] }
  | { kind: 'draft'; key: string; draft: Draft; agent: string }
  | { kind: 'letter'; key: string; letter: Letter }
  | { kind: 'sent'; key: string; text: string }

export const pageMessages = 50

/** The last rows with `messages` messages among them, and whether some were left out. */
export function toRows(view: DialogView, letters: readonly Letter[], messages: number): { rows: Row[]; hasMore: boolean } {
  const from = findStart(view.items, messages)
  const rows: Row[] = []
  for (const item of view.items.slice(from)) {
    const last = rows.at(-1)
    if (last?.kind === 'item' && isRepeated(last.item, item)) rows[rows.length - 1] = { ...last, item, count: last.count + 1 }
    else rows.push({ kind: 'item', key: item.id, item, count: 1 })
  }
  gatherCalls(rows)
  if (view.draft && (view.draft.text !== '' || view.draft.thinking !== ''))
    rows.push({ kind: 'draft', key: 'draft', draft: view.draft, agent: view.agent })
  const waiting = new Set(letters.map(({ key }) => key))
  for (const { key, text } of view.queued) if (!waiting.has(key)) rows.push({ kind: 'sent', key, text })
  for (const letter of letters) rows.push({ kind: 'letter', key: letter.key, letter })
  return { rows, hasMore: from > 0 }
}

/** The same failure once more: a row with a count says as much as forty rows. */
function isRepeated(before: DialogItem, item: DialogItem): boolean {
  if (item.kind === 'failure') return before.kind === 'failure' && JSON.stringify(before.error) === JSON.stringify(item.error)
  if (item.kind !== 'tool' || item.state !== 'failed' || before.kind !== 'tool' || before.state !== 'failed') return false
  return before.name === item.name && JSON.stringify(before.output) === JSON.stringify(item.output)
}

/** Several calls in a row become one row. One that brought files stays alone, so that they are seen. */
function gatherCalls(rows: Row[]): void {
  for (let from = 0; from < rows.length; from += 1) {
    const calls: { item: ToolItem; count: number }[] = []
    for (let at = from; at < rows.length; at += 1) {
      const row = rows[at]
      if (row?.kind !== 'item' || row.item.kind !== 'tool' || row.item.files) break
      calls.push({ item: row.item, count: row.count })
    }
    const [first] = calls
    if (first && calls.length > 1) rows.splice(from, calls.length, { kind: 'work', key: `work-${first.item.id}`, calls })
  }
}

function findStart(items: readonly DialogItem[], messages: number): number {
  let lastSeen = 0
  for (let index = items.length - 1; index >= 0; index -= 1) {
    if (items[index]?.kind !== 'message') continue
    lastSeen += 1
    if (lastSeen === messages) return index
  }
  return 0
}
