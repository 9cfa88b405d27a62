import type { DialogNotes } from '../en/dialog-notes.ts'

export const dialogNotes: DialogNotes = {
  'dialog.titled': ({ title }) => `标题：${title}`,
  'dialog.trusted': (_data, by) => `${by} 信任目前为止的内容`,
}
