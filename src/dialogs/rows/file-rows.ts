import type { Unit } from '../../ports/store.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'
import type { MessageFile } from '../rules/message-file.ts'

/** Files that a dialog refers to, by dialog and file; the group is the file. */
export const fileView = 'file'
/** Files that no message has used yet, by their id; the group is the person who gave them. Not from the log. */
export const uploadView = 'upload'

export type Upload = MessageFile & { by: string; at: number }

export const fileKey = (dialog: string, file: string): string => `${dialog}/${file}`

function listFiles(event: DialogEvent): readonly MessageFile[] {
  if (event.type === 'dialog.branched') return event.data.messages.flatMap(({ files = [] }) => files)
  return event.type === 'message.said' || event.type === 'tool.returned' ? (event.data.files ?? []) : []
}

/** A file is used from here on. */
export function fileRows(dialog: string, events: readonly DialogEvent[]): NonNullable<Unit['rows']> {
  return events.flatMap((event) => {
    return listFiles(event).flatMap(({ text: _text, ...body }) => [
      { view: fileView, key: fileKey(dialog, body.file), group: body.file, sort: event.at, text: '', body },
      { view: uploadView, key: body.file, body: null },
    ])
  })
}
