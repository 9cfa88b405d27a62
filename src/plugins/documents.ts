import { type Refusal, refuse } from '../errors.ts'
import type { ViewRow } from '../ports/store.ts'
import type { Consequences, StreamKind } from '../streams/decider.ts'
import { applyChange, changeBetween, type JsonChange } from './json-change.ts'

/** One document of one plugin. `rev` counts what was written; 0 is a document that never was. */
export type DocumentState = { value: unknown; rev: number; chars: number }

export type DocumentCommand = {
  type: 'write-document'
  at: number
  plugin: string
  key: string
  value: unknown
  rev: number
  chars: number
}

type Named = { plugin: string; key: string; rev: number }

export type DocumentEvent =
  | { type: 'document.written'; at: number; data: Named & { change: JsonChange | null; chars: number; isNew: boolean } }
  | { type: 'document.removed'; at: number; data: Named }

export const documentStream = (plugin: string, key: string): string => `plugin:${plugin}:${key}`
export const documentView = 'plugin-documents'

function decide(
  { value: before, rev }: DocumentState,
  { at, plugin, key, value, rev: expected, chars }: DocumentCommand,
): { events: DocumentEvent[] } | { refused: Refusal } {
  if (rev !== expected) return refuse('busy')
  const named = { plugin, key, rev: rev + 1 }
  if (value === null) return { events: [{ type: 'document.removed', at, data: named }] }
  const data = { ...named, change: changeBetween(before, value), chars, isNew: before === null }
  return { events: [{ type: 'document.written', at, data }] }
}

function evolve(state: DocumentState, event: DocumentEvent): DocumentState {
  switch (event.type) {
    case 'document.written': {
      const { change, rev, chars } = event.data
      return { value: applyChange(state.value, change), rev, chars }
    }
    case 'document.removed':
      return { value: null, rev: event.data.rev, chars: 0 }
  }
}

/** Rows only tell which documents there are, so most changes need none. */
function consequences(_stream: string, events: readonly DocumentEvent[]): Consequences {
  const rows = events.flatMap(({ type, data }): (ViewRow | { view: string; key: string; body: null })[] => {
    const { plugin, key } = data
    const row = { view: documentView, key: `${plugin}:${key}` }
    if (type === 'document.removed') return [{ ...row, body: null }]
    return data.isNew ? [{ ...row, group: plugin, sort: 0, text: '', body: { key } }] : []
  })
  return { rows }
}

/** A document as the stream handler runs it: who wrote last is right only if they had read what was there. */
export const documentKind: StreamKind<DocumentState, DocumentCommand, DocumentEvent> = {
  initial: { value: null, rev: 0, chars: 0 },
  decide,
  evolve,
  consequences,
  snapshotVersion: 1,
  weigh: ({ chars }) => 200 + chars,
}
