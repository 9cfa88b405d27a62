import type { DocumentEvent } from './document-events.ts'
import { applyChange } from './json-change.ts'

/** One document of one plugin. `rev` counts the writes; a document that was never written has 0. */
export type DocumentState = { value: unknown; rev: number; chars: number }

export const initialDocument: DocumentState = { value: null, rev: 0, chars: 0 }

export function evolveDocument(state: DocumentState, event: DocumentEvent): DocumentState {
  switch (event.type) {
    case 'document.written': {
      const { change, rev, chars } = event.data
      return { value: applyChange(state.value, change), rev, chars }
    }
    case 'document.removed':
      return { value: null, rev: event.data.rev, chars: 0 }
  }
}
