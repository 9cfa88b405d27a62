import { type Decision, decideBy, type Deciders, nothing, type Timed } from './decision.ts'
import type { KeptHead, KeptTurn, TranscriptEvent } from './transcript-events.ts'
import type { TranscriptState } from './transcript-state.ts'
import { refuse } from '../../errors.ts'

export type TranscriptCommand =
  /** The signature and the hash were checked before. `start` is the hash of the intent, the `previous` of its first turn. */
  { type: 'keep-turn'; turn: KeptTurn; start: string } | { type: 'keep-head'; head: KeptHead }

const deciders: Deciders<TranscriptState, TranscriptCommand, TranscriptEvent> = {
  'keep-turn': (state, { at, turn, start }) => {
    const hash = state.hashes[turn.turn - 1]
    if (hash !== undefined) return hash === turn.hash ? nothing : refuse('transcript_forked', { turn: turn.turn })
    if (turn.turn !== state.turns + 1 || turn.previous !== (state.head ?? start))
      return refuse('transcript_gap', { turn: turn.turn, expected: state.turns + 1 })
    return { events: [{ type: 'turn.kept', at, data: turn }] }
  },
  'keep-head': (state, { at, head }) => {
    const hash = state.hashes[head.turn - 1]
    if (hash !== undefined && hash !== head.hash) return refuse('transcript_forked', { turn: head.turn })
    // A head may come before the turn it names.
    return (state.heads[head.by]?.turn ?? 0) >= head.turn ? nothing : { events: [{ type: 'head.kept', at, data: head }] }
  },
}

export const decideTranscript = (state: TranscriptState, command: Timed<TranscriptCommand>): Decision<TranscriptEvent> =>
  decideBy(deciders, state, command)
