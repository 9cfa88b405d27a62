import type { Language } from '../../shapes/language.ts'
import { initialFloor } from '../../authority/cause.ts'
import type { Author, Role } from '../../authority/roles.ts'
import { buildLimits, silenceMs } from './build-limits.ts'
import type { Fault } from './fault.ts'
import { initialProgress, type Progress } from './rules.ts'
import type { TurnInput } from './turn-input.ts'

export type OpenTurn = {
  turn: number
  startedAt: number
  input: TurnInput
  /** Instructions the person added, sent with the input. */
  wishes: string[]
  /** The fault the agent has to correct in this turn. */
  hint: string | null
  /** The turn before was cut: repeated output is skipped and is no fault. */
  resumes: boolean
  /** It asked a question: its part is done, whether or not it was seen to end. */
  hasAsked: boolean
  /** Messages of this turn and of the one it resumes. */
  said: string[]
}

/** Folded from the events of one build; nothing else is kept about it. */
export type BuildState = {
  /** Number of the last event; 0 means the build does not exist. */
  seq: number
  build: string
  session: string
  agent: string
  prompt: string
  locale: Language
  by: string
  /** The person who opened it, with the role they had then. Null for builds of 0.1. */
  author: Author | null
  /** Everyone whose text the build has taken in. */
  authors: readonly Author[]
  /** The lowest role whose text the build has taken in. */
  floor: Role
  openedAt: number
  updatedAt: number
  progress: Progress
  /** The end, as the page shows it. */
  end: { how: 'complete' | 'failed' | 'cancelled'; at: number; reason: string | null; output: string | null } | null
  isCancelled: boolean
  turns: number
  turn: OpenTurn | null
  /** The previous turn, repeated when it has to be repaired. */
  ended: Pick<OpenTurn, 'input' | 'wishes' | 'said'> | null
  /** Inputs the agent has not received yet, oldest first. */
  inputs: TurnInput[]
  /** The fault the agent is told next, or was told last. An accepted event after it was told clears it. */
  repair: (Fault & { isGiven: boolean }) | null
  /** Dropped outputs of this round. */
  faults: number
  /** Faults since the last accepted event; those made before the agent could be told of the first count as one. */
  faultsInRow: number
  /** Answered questions, by id; a set has its own entry, without an answer. */
  answered: Record<string, { by: string; at: number; answer?: string }>
  /** Instructions of all rounds, oldest first: a new round receives all of them. */
  instructions: string[]
  /** Messages the last round ended without; a new round can begin with them. */
  unheard: string[]
  /** The change a new round of a finished build is about. */
  change: string | null
  /** Times at which the open turn was found cut off by a crash, oldest first. The end of a turn clears them. */
  crashes: number[]
  /** When the store was first away while the open turn ran. The end of a turn clears it. */
  outageSince: number | null
  /** The person's own words: what they talk about is no inner working. */
  ownWords: string
  /** The latest thing a person could see change, and whether they were reassured since. */
  silence: { changedAt: number; isReassured: boolean; reassured: number }
  /** The latest step, for a moment not to be repeated in words. */
  step: { words: string[]; at: number } | null
  /** Words that would have been the summary were held back. */
  isSummaryHeld: boolean
  /** Messages shown since the latest event of a step. */
  saidInStep: { words: string; at: number }[]
  /** Messages that are not shown yet; the next event decides. */
  held: { text: string; why: 'frequency' | 'after-fault' }[]
  /** The backend said "running" for an agent that had not begun; the agent's own is a repeat. */
  isRunningSaid: boolean
  /** The latest fault was an event that would have ended the build. */
  isEndDropped: boolean
}

export const initialBuild: BuildState = {
  seq: 0,
  build: '',
  session: '',
  agent: '',
  prompt: '',
  locale: 'en',
  by: '',
  author: null,
  authors: [],
  floor: initialFloor,
  openedAt: 0,
  updatedAt: 0,
  progress: initialProgress,
  end: null,
  isCancelled: false,
  turns: 0,
  turn: null,
  ended: null,
  inputs: [],
  repair: null,
  faults: 0,
  faultsInRow: 0,
  answered: {},
  instructions: [],
  unheard: [],
  change: null,
  crashes: [],
  outageSince: null,
  ownWords: '',
  silence: { changedAt: 0, isReassured: false, reassured: 0 },
  step: null,
  isSummaryHeld: false,
  saidInStep: [],
  held: [],
  isEndDropped: false,
  isRunningSaid: false,
}

/** True if the agent has to run now: a turn is open or was cut, or an input waits that it may receive. */
export const needsTurn = (state: BuildState): boolean => state.seq > 0 && !state.progress.isOver && (state.turn !== null || hasNews(state))

const hasNews = ({ progress, inputs, repair }: BuildState): boolean =>
  progress.question === null && (inputs.length > 0 || (repair !== null && !repair.isGiven))

/** When the person is to be reassured if nothing happens until then; null while there is nothing to wait out. */
export function silenceDueAt({ progress, silence }: BuildState): number | null {
  const isEnding = progress.status === 'complete' || progress.status === 'failed'
  if (!progress.isStarted || isEnding || progress.isOver || progress.question !== null || silence.isReassured) return null
  return silence.changedAt + silenceMs + 1
}

/** Crashes that interrupted the open turn within the window that ends now. */
export const recentCrashes = ({ crashes }: Pick<BuildState, 'crashes'>, now: number): number =>
  crashes.filter((at) => now - at <= buildLimits.crashWindowMs).length

export type BuildStanding = 'starting' | 'running' | 'waiting' | 'complete' | 'failed' | 'cancelled'

/** The status shown to people. */
export function getStanding({ seq, progress, end }: BuildState): BuildStanding {
  if (end) return end.how
  if (progress.question) return 'waiting'
  return seq === 0 || progress.status === 'none' ? 'starting' : 'running'
}
