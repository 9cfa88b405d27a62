import type { StreamKind } from '../../streams/decider.ts'
import type { Timed } from '../rules/decision.ts'
import { decideTranscript, type TranscriptCommand } from '../rules/decide-transcript.ts'
import type { TranscriptEvent } from '../rules/transcript-events.ts'
import { evolveTranscript, initialTranscript, transcriptSample, type TranscriptState } from '../rules/transcript-state.ts'

export const transcriptKind: StreamKind<TranscriptState, Timed<TranscriptCommand>, TranscriptEvent> = {
  initial: initialTranscript,
  decide: decideTranscript,
  evolve: evolveTranscript,
  consequences: () => ({}),
  sample: transcriptSample,
  weigh: ({ hashes }) => 500 + hashes.length * 64,
}
