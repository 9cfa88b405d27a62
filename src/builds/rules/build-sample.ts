import { type BuildState, initialBuild } from './build-state.ts'

const author = { id: 'person:mia', name: 'mia', role: 'owner' as const }

const input = { type: 'USER_ANSWER' as const, question: 'q', answer: 'a', words: [{ question: '', answer: '' }] }

/** A state in which every list and record has an entry: its shape is the version of snapshots. The compiler keeps it complete. */
export const buildSample: BuildState = {
  ...initialBuild,
  author,
  authors: [author],
  progress: { ...initialBuild.progress, asked: ['q'] },
  end: { how: 'complete', at: 1, reason: '', output: '' },
  turn: { turn: 1, startedAt: 1, input, wishes: [''], hint: '', resumes: false, hasAsked: false, said: [''] },
  ended: { input, wishes: [''], said: [''] },
  inputs: [input],
  repair: { rule: 'T1', words: '', isGiven: false },
  answered: { q: { by: 'mia', at: 1, answer: '' } },
  instructions: [''],
  unheard: [''],
  change: '',
  crashes: [1],
  outageSince: 1,
  step: { words: [''], at: 1 },
  saidInStep: [{ words: '', at: 1 }],
  held: [{ text: '', why: 'frequency' }],
}
