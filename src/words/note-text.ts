import type { NoteEvent } from '../dialogs/rules/dialog-events.ts'
import type { DialogNotes } from './en/dialog-notes.ts'

/** The line about an event. `toName` writes a person's name as the surface does. */
export function noteText(notes: DialogNotes, { type, data }: NoteEvent, toName: (name: string) => string): string {
  const write = notes[type] as (data: NoteEvent['data'], by: string) => string
  const by = 'by' in data ? data.by : ''
  return write(data, typeof by === 'string' ? by : toName(by.name))
}
