import type { KeptHead, TranscriptEvent } from './transcript-events.ts'

export type TranscriptState = {
  seq: number
  intent: string
  turns: number
  /** Hash of the last turn; null before the first. */
  head: string | null
  /** By turn number, from the first: the hashes that later heads and repeats are compared with. */
  hashes: readonly string[]
  /** The latest head of each side, by its code. */
  heads: Readonly<Record<string, KeptHead>>
}

export const initialTranscript: TranscriptState = { seq: 0, intent: '', turns: 0, head: null, hashes: [], heads: {} }

export const transcriptSample: TranscriptState = {
  ...initialTranscript,
  head: '',
  hashes: [''],
  heads: { a: { by: '', turn: 0, hash: '', key: '', signature: '' } },
}

export function evolveTranscript(before: TranscriptState, event: TranscriptEvent): TranscriptState {
  const state: TranscriptState = { ...before, seq: before.seq + 1 }
  switch (event.type) {
    case 'turn.kept': {
      const { intent, turn, hash } = event.data
      return { ...state, intent, turns: turn, head: hash, hashes: [...state.hashes, hash] }
    }
    case 'head.kept':
      return { ...state, heads: { ...state.heads, [event.data.by]: event.data } }
  }
}
