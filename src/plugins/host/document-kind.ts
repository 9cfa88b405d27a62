import type { ViewRow } from '../../ports/store.ts'
import type { Consequences, StreamKind } from '../../streams/decider.ts'
import { decideDocument, type DocumentCommand } from './decide-document.ts'
import type { DocumentEvent } from './document-events.ts'
import { type DocumentState, evolveDocument, initialDocument } from './document-state.ts'

export const documentStream = (plugin: string, key: string): string => `plugin:${plugin}:${key}`
export const documentView = 'plugin-documents'

/** Rows only list which documents exist, so most writes need none. */
function consequences(_stream: string, events: readonly DocumentEvent[]): Consequences {
  const rows = events.flatMap(({ type, data }): (ViewRow | { view: string; key: string; body: null })[] => {
    const { plugin, key } = data
    const row = { view: documentView, key: `${plugin}:${key}` }
    if (type === 'document.removed') return [{ ...row, body: null }]
    return data.isNew ? [{ ...row, group: plugin, sort: 0, text: '', body: { key } }] : []
  })
  return { rows }
}

/** A write is accepted only from a writer that has read the latest revision. */
export const documentKind: StreamKind<DocumentState, DocumentCommand, DocumentEvent> = {
  initial: initialDocument,
  decide: decideDocument,
  evolve: evolveDocument,
  consequences,
  sample: initialDocument,
  weigh: ({ chars }) => 200 + chars,
}
