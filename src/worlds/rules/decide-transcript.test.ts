import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { decideTranscript } from './decide-transcript.ts'
import type { KeptTurn, TranscriptEvent } from './transcript-events.ts'
import { evolveTranscript, initialTranscript } from './transcript-state.ts'

const { given } = deciderSpecification({ initial: initialTranscript, decide: decideTranscript, evolve: evolveTranscript })
const turn = (number: number, change: Partial<KeptTurn> = {}): KeptTurn => ({
  from: 'A',
  to: 'B',
  intent: 'crq_1',
  turn: number,
  previous: `h${number - 1}`,
  text: 'x',
  hash: `h${number}`,
  key: 'k',
  signature: 's',
  ...change,
})
const keep = (data: KeptTurn) => ({ type: 'keep-turn', at: 9, turn: data, start: 'h0' }) as const
const kept = (number: number): TranscriptEvent => ({ type: 'turn.kept', at: 1, data: turn(number) })
const head = (number: number, hash = `h${number}`) => ({ by: 'B', turn: number, hash, key: 'k', signature: 's' })

test('transcript: turns are kept in order, each once', () => {
  given()
    .when(keep(turn(1)))
    .thenTypes('turn.kept')
  given(kept(1))
    .when(keep(turn(1)))
    .thenTypes()
  given(kept(1))
    .when(keep(turn(2)))
    .thenTypes('turn.kept')
  given(kept(1))
    .when(keep(turn(3)))
    .thenRefused('transcript_gap')
  given()
    .when(keep(turn(1, { previous: 'other' })))
    .thenRefused('transcript_gap')
  given(kept(1), kept(2))
    .when(keep(turn(1, { hash: 'other' })))
    .thenRefused('transcript_forked')
})

test('transcript: the latest head of a side is kept, and one that contradicts a turn is refused', () => {
  given(kept(1))
    .when({ type: 'keep-head', at: 9, head: head(1) })
    .thenTypes('head.kept')
  given(kept(1), { type: 'head.kept', at: 2, data: head(2) })
    .when({ type: 'keep-head', at: 9, head: head(1) })
    .thenTypes()
  given(kept(1))
    .when({ type: 'keep-head', at: 9, head: head(1, 'other') })
    .thenRefused('transcript_forked')
})
