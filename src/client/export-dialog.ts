import type { DialogSummary, EventView } from '../shapes/wire.ts'
import { dialogTranscript } from './dialog-transcript.ts'

export const exportFormats = ['jsonl', 'markdown'] as const

/** Reads a dialog, in the server or over the API. */
type Reader = {
  tree(dialog: string): Promise<DialogSummary[]>
  /** A page of events after a number of the dialog's own log; an empty one is the end. */
  events(dialog: string, after: number): Promise<EventView[]>
}

/** Read page by page while it is sent, so that a long dialog is never in memory as a whole. */
export async function* exportDialog(reader: Reader, dialog: DialogSummary, format: (typeof exportFormats)[number]): AsyncGenerator<string> {
  for (const each of [dialog, ...(await listBelow(reader, dialog.id))]) {
    const transcript = dialogTranscript(each)
    if (format === 'markdown') yield transcript.head
    for (let after = 0; ;) {
      const events = await reader.events(each.id, after)
      const last = events.at(-1)
      if (!last) break
      after = last.seq
      yield events.map((event) => (format === 'jsonl' ? `${JSON.stringify(event)}\n` : transcript.write(event))).join('')
    }
  }
}

async function listBelow(reader: Reader, dialog: string): Promise<DialogSummary[]> {
  const tree = await reader.tree(dialog)
  const reached = new Set([dialog])
  // Oldest first: a parent comes before its side dialogs.
  for (const { id, origin } of tree) if (origin && reached.has(origin.parent)) reached.add(id)
  return tree.filter(({ id }) => id !== dialog && reached.has(id))
}
