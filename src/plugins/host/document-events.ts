import type { JsonChange } from './json-change.ts'

type DocumentId = { plugin: string; key: string; rev: number }

export type DocumentEvent =
  | { type: 'document.written'; at: number; data: DocumentId & { change: JsonChange | null; chars: number; isNew: boolean } }
  | { type: 'document.removed'; at: number; data: DocumentId }
