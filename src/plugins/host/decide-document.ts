import { type Refusal, refuse } from '../../errors.ts'
import type { DocumentEvent } from './document-events.ts'
import type { DocumentState } from './document-state.ts'
import { changeBetween } from './json-change.ts'

export type DocumentCommand = {
  type: 'write-document'
  at: number
  plugin: string
  key: string
  value: unknown
  rev: number
  chars: number
}

export function decideDocument(
  { value: before, rev }: DocumentState,
  { at, plugin, key, value, rev: expected, chars }: DocumentCommand,
): { events: DocumentEvent[] } | { refused: Refusal } {
  if (rev !== expected) return refuse('busy')
  const id = { plugin, key, rev: rev + 1 }
  if (value === null) return { events: [{ type: 'document.removed', at, data: id }] }
  const data = { ...id, change: changeBetween(before, value), chars, isNew: before === null }
  return { events: [{ type: 'document.written', at, data }] }
}
