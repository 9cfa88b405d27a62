import type { NoteEvent } from '../../dialogs/rules/dialog-events.ts'

/** Texts of events for people. `by` is the name of the person or agent, as the surface writes it. */
export type DialogNotes = {
  readonly [Type in NoteEvent['type']]: (data: Extract<NoteEvent, { type: Type }>['data'], by: string) => string
}

export const dialogNotes: DialogNotes = {
  'dialog.titled': ({ title }) => `Title: ${title}`,
  'dialog.pinned': ({ isPinned }, by) => (isPinned ? `${by} pinned this dialog` : `${by} unpinned this dialog`),
  'dialog.archived': ({ isArchived }, by) => (isArchived ? `${by} archived this dialog` : `${by} took this dialog out of the archive`),
  'dialog.trusted': (_data, by) => `${by} trusts what was written so far`,
  'dialog.retired': ({ root, events }) =>
    `Retired: its ${events} events are in a file. To bring it back, stop the servers and run: parley store restore ${root}`,
  'dialog.restored': () => 'Restored from its file',
  'dialog.deleted': (_data, by) => `${by} deleted this dialog`,
  'model.chosen': ({ model }, by) => (model === null ? `${by} chose the usual model` : `${by} chose the model ${model}`),
  'taskdoc.changed': ({ section }, by) => `${by} changed "${section}" in the task document`,
  'pushes.changed': ({ change }, by) => (change === 'refill' ? `${by} refilled the pushes` : `${by} turned pushes ${change}`),
}
