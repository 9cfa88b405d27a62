import type { Details, ErrorCode } from '../errors.ts'
import type { Language, Participant, RepeatPolicy } from './events.ts'
import type { Answers, Question, QuestionOutcome } from './question.ts'

/** What an agent gets to read of the dialog, oldest first. */
export type ContextItem =
  | { kind: 'human'; text: string; by: string }
  | { kind: 'agent'; text: string; turn: number }
  | { kind: 'call'; call: string; name: string; input: unknown; result: { ok: boolean; output: unknown } | null }
  | { kind: 'question'; question: string; call: string | null; ask: Question; outcome: ClosedQuestion | null }

/** How a question ended. */
export type ClosedQuestion = {
  outcome: QuestionOutcome
  at: number
  by: string | null
  via: string | null
  answers: Answers | null
  reason: string | null
}

export type OpenQuestion = {
  question: string
  call: string | null
  ask: Question
  by: Participant
  askedAt: number
  expiresAt: number | null
}

export type OpenCall = { call: string; turn: number; name: string; input: unknown; policy: RepeatPolicy; question: string | null }

export type Failure = { code: ErrorCode; details: Details; at: number; retryAt: number | null }

export type OpenTurn = {
  turn: number
  startedAt: number
  generations: number
  /** Failed tries since the last thing that worked. */
  failures: number
}

/** Folded from the events of one dialog; nothing else is kept about it. */
export type DialogState = {
  /** Number of the last event; 0 means the dialog does not exist. */
  seq: number
  agent: string
  language: Language
  title: string
  titledBy: 'first-words' | 'human' | 'agent' | null
  openedAt: number
  updatedAt: number
  turns: number
  /** Number of the last event that is a reason to run, and of the last one a turn has taken in. */
  inputSeq: number
  seenSeq: number
  /** Human messages no turn has taken in yet. */
  waitingMessages: number
  stopRequested: boolean
  turn: OpenTurn | null
  /** How the last turn ended. */
  rest: 'ready' | 'stopped' | 'failed'
  failure: Failure | null
  questions: Record<string, OpenQuestion>
  /** The latest closed ones, so that a late answer can be told who was first. */
  closed: Record<string, { asked: OpenQuestion; end: ClosedQuestion }>
  calls: Record<string, OpenCall>
  context: ContextItem[]
  contextChars: number
  /** How many older items are no longer in `context`. */
  contextDropped: number
  preview: string
}

export const dialogLimits = {
  textChars: 100_000,
  titleChars: 200,
  waitingMessages: 100,
  contextItems: 120,
  contextChars: 400_000,
  closedQuestions: 50,
  generationsPerTurn: 40,
} as const

export const initialDialog: DialogState = {
  seq: 0,
  agent: '',
  language: 'en',
  title: '',
  titledBy: null,
  openedAt: 0,
  updatedAt: 0,
  turns: 0,
  inputSeq: 0,
  seenSeq: 0,
  waitingMessages: 0,
  stopRequested: false,
  turn: null,
  rest: 'ready',
  failure: null,
  questions: {},
  closed: {},
  calls: {},
  context: [],
  contextChars: 0,
  contextDropped: 0,
  preview: '',
}

/** Whether somebody has to run this dialog now. */
export const needsTurn = (state: DialogState): boolean =>
  state.seq > 0 && (state.stopRequested || state.turn !== null || state.inputSeq > state.seenSeq)

export type DialogStatus = 'ready' | 'working' | 'stopping' | 'waiting' | 'stopped' | 'failed'

/** What a person is told about it, in one word. */
export function statusOf(state: DialogState): DialogStatus {
  if (needsTurn(state)) return state.stopRequested ? 'stopping' : 'working'
  if (state.rest !== 'ready') return state.rest
  return Object.keys(state.questions).length > 0 ? 'waiting' : 'ready'
}
