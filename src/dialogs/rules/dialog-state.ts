import type { ApprovalDecision, QuestionAudience } from '../../authority/audience.ts'
import { type Cause, initialFloor } from '../../authority/cause.ts'
import type { Author, Role } from '../../authority/roles.ts'
import type { Details, ErrorCode } from '../../errors.ts'
import type { Language } from '../../shapes/language.ts'
import type { Hold, Origin, Participant, QuestionPurpose, RepeatPolicy, RetiredFacts, Spent, Via } from './dialog-events.ts'
import type { ApprovalEdits, Approval, CancelCause, GateRecord, GrantState } from './approval.ts'
import type { Answers, Question, QuestionOutcome } from './question.ts'
import type { LimitFacts } from './limit-facts.ts'
import type { PromptState } from './prompt/prompt-state.ts'
import type { Words } from './prompt/reply-rules.ts'
import type { OpenAssignment, PendingTellask } from './tellask.ts'
import { noTokens, type TokenKinds } from './token-kinds.ts'

/** Items of the dialog that an agent reads, oldest first. */
/** `seq` is the number of the event that last changed it. */
export type ContextItem = { seq?: number } & (
  | { kind: 'human'; text: string; by: string }
  | { kind: 'agent'; text: string; turn: number }
  /** Said by the runtime: a request of another dialog, the start of a course, a reply that comes late. */
  | { kind: 'prompt'; text: string }
  /** `awaits` is set once a person had to be asked before it runs; the question itself is not the agent's, so it is no item. */
  | { kind: 'call'; call: string; name: string; input: unknown; result: { ok: boolean; output: unknown } | null; awaits?: 'approval' }
  | { kind: 'question'; question: string; call: string | null; ask: Question; outcome: ClosedQuestion | null }
)

/** The end of a question. */
export type ClosedQuestion = {
  outcome: QuestionOutcome
  at: number
  by: string | null
  via: string | null
  answers: Answers | null
  reason: string | null
  /** Set when the runtime cancelled it. */
  why?: CancelCause
  decision?: ApprovalDecision
  note?: string
}

export type OpenQuestion = {
  question: string
  /** The turn it was asked in. */
  turn: number | null
  call: string | null
  ask: Question
  by: Participant
  askedAt: number
  seq: number
  expiresAt: number | null
  purpose?: QuestionPurpose
  audience: QuestionAudience
  /** Names of the audience, for texts. Empty for the owner and for everyone. */
  audienceNames: readonly string[]
  cause: Cause | null
  approval: Approval | null
  limit?: LimitFacts
  /** People who approved already, where several have to. */
  keysGiven: readonly Author[]
  /** Ids of people whose answer was refused. */
  refusedIds: readonly string[]
}

/** An answer that its author may still withdraw. The agent waits for it as for an open question. */
export type UndoableAnswer = { asked: OpenQuestion; end: ClosedQuestion; by: Participant; until: number }

export type OpenCall = {
  call: string
  turn: number
  name: string
  input: unknown
  policy: RepeatPolicy
  question: string | null
  /** Missing for calls of 0.1. */
  cause?: Cause
  gate?: GateRecord
  /** An approved call that has begun to run. */
  isStarted?: boolean
  /** Words that the person who approved it changed: it runs with them. Another question about it shows them as its input. */
  edits?: ApprovalEdits
}

export type Failure = {
  code: ErrorCode
  details: Details
  at: number
  retryAt: number | null
  isFinal?: true
  replyDueAt?: number
  /** The agents that asked have a failed reply. */
  isTold?: true
  /** A person gave up on it: it waits for no one. */
  isGivenUp?: true
}

export type OpenTurn = {
  turn: number
  startedAt: number
  generations: number
  /** Number of the last event its latest generation knew of; null before the first. */
  seen: number | null
  /** Number of the event that ended its latest generation; 0 before the first. */
  generatedSeq: number
  /** Failed tries since the last thing that worked. */
  failures: number
  /** Set while the work of its tree is stopped and this turn only answers a person. */
  alone: Hold | null
}

/** Set by Stop, lifted by Continue. While it is set, no work starts in the dialog or below it. */
export type Latch = { by: string; via: Via | null; at: number }

export type ReplyProgress = {
  /** Words of the agent since the active request. */
  words: readonly Words[]
  wordChars: number
  /** Number of `words` when the agent was asked for its reply; null before that. */
  nudgedAt: number | null
  /** Ask-backs the agent was asked to answer once more. */
  nudgedBacks: readonly string[]
  /** A reply without the result itself was refused before. */
  wasRefusedForText: boolean
  /** Number of the last message of a person that the agent has answered with words. */
  toldSeq: number
  /** Number of the first message of a person after it. */
  untoldSeq: number | null
  /** Number of the last reply to a request. */
  givenSeq: number
}

/** Folded from the events of one dialog; nothing else is kept about it. */
export type DialogState = {
  /** Number of the last event; 0 means the dialog does not exist. */
  seq: number
  agent: string
  language: Language
  title: string
  titledBy: 'first-words' | 'human' | 'agent' | null
  isPinned: boolean
  isArchived: boolean
  openedAt: number
  updatedAt: number
  turns: number
  /** Number of the last event that is a reason to run at once, such as a message. */
  inputSeq: number
  /** Number of the last answer or reply: a reason to run when nothing else is awaited. */
  settledSeq: number
  /** Number of the last event a turn has taken in. */
  seenSeq: number
  /** Number of the last event a finished generation has read: what came later its agent does not know yet. */
  knownSeq: number
  /** Human messages no turn has taken in yet. */
  waitingMessages: number
  /** Number of a person's last message. */
  spokenSeq: number
  /** Number of the last request, or of the last Continue: work that a stop holds back. */
  workSeq: number
  /** Number of the last stop. What a person wrote before it is not answered because of it. */
  stopSeq: number
  stopRequested: boolean
  latch: Latch | null
  /** It has work to continue with once the stop is lifted. */
  held: (Hold & { at: number }) | null
  turn: OpenTurn | null
  /** The end of the last turn. */
  rest: 'ready' | 'stopped' | 'failed'
  failure: Failure | null
  questions: Record<string, OpenQuestion>
  /** Answered, and not taken yet. */
  undoable: Record<string, UndoableAnswer>
  /** The latest closed ones, so that a late answer can be told who was first. */
  closed: Record<string, { asked: OpenQuestion; end: ClosedQuestion }>
  calls: Record<string, OpenCall>
  /** Null for a root. */
  origin: Origin | null
  taskdoc: string | null
  /** Chosen by a person; null: the usual one of the agent. */
  model: string | null
  /** The last change of the task document by a role below owner that is counted in `floor`. */
  taskdocChange: string | null
  course: number
  /** Requests made and not yet replied to, by their id. */
  pending: Record<string, PendingTellask>
  /** Replies that came while others of the same call are awaited. */
  partReplies: Record<string, { ok: boolean; text: string }[]>
  /** Requests to be replied to, in the order they came. */
  assignments: OpenAssignment[]
  /** Of a root: side dialogs kept by `agent!session`. */
  sessions: Record<string, string>
  reminders: { reminder: string; text: string }[]
  /** The latest messages of the agent with a presentation, and the person whose tap used up their controls. */
  shown: readonly { message: string; seq: number; used: { by: string; at: number } | null }[]
  isDead: boolean
  /** Its events are in a file. */
  retired: RetiredFacts | null
  /** Its events are gone for good. It is dead as well. */
  isDeleted: boolean
  /** Fill level of the context. */
  health: HealthLevel
  spent: Spent
  /** Tokens of finished generations, as the provider counted them. */
  tokens: TokenKinds
  /** Budgets that the agent was told about, as key and limit; the latest. */
  budgetNotices: readonly string[]
  /** The lowest role whose free text is in this dialog or came with a request or a reply. */
  floor: Role
  /** The last event that brought in text of a person below owner; 0 before the first. */
  loweredSeq: number
  loweredAt: number
  /** Authors of the input that no turn has taken in yet. */
  inputAuthors: readonly Author[]
  /** People whose text the agent reads in the task document of its tree, until an owner trusts the dialog. */
  writers: readonly Author[]
  /** Of the running or the last turn. */
  cause: Cause | null
  /** Standing permissions that were made in this dialog and are in force until their time. */
  grants: readonly GrantState[]
  /** Times at which the open turn was found cut off by a crash, oldest first. A finished generation clears them. */
  crashes: number[]
  /** Requests made since a person spoke here or a new request came: two who only ask each other would go on for ever. */
  asksInARow: number
  /** Diligence prompts since a person or another dialog last spoke. */
  pushes: number
  /** A person switched them off here. */
  arePushesOff: boolean
  /** The list a model reads. Null before the dialog is opened, and on pages. */
  prompt: PromptState | null
  /** Progress of the reply to the active request. */
  reply: ReplyProgress
  /** For agents that are no models; empty otherwise. */
  context: ContextItem[]
  contextChars: number
  /** Number of older items that were dropped from `context`. */
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
  /** An answer may be withdrawn for this time at most. */
  undoMs: 60_000,
  refusedAnswers: 50,
  replyChars: 400_000,
  budgetNotices: 20,
  reminders: 30,
  reminderChars: 4_000,
  /** Controls of older messages cannot be tapped any more. */
  shownMessages: 50,
  /** A person is asked whether a turn with more generations continues; `limits.generationsPerTurn` in parley.yaml. */
  generationsPerTurn: 200,
  /** `limits.failedReplyAfterMinutes` in parley.yaml. */
  failedReplyAfterMs: 30 * 60_000,
  /** So many crashes within `crashWindowMs` fail the turn that was running; from `suspectCrashes` on it runs alone. */
  crashes: 3,
  suspectCrashes: 2,
  crashWindowMs: 10 * 60_000,
} as const

export const initialDialog: DialogState = {
  seq: 0,
  agent: '',
  language: 'en',
  title: '',
  titledBy: null,
  isPinned: false,
  isArchived: false,
  openedAt: 0,
  updatedAt: 0,
  turns: 0,
  inputSeq: 0,
  settledSeq: 0,
  seenSeq: 0,
  knownSeq: 0,
  waitingMessages: 0,
  spokenSeq: 0,
  workSeq: 0,
  stopSeq: 0,
  stopRequested: false,
  latch: null,
  held: null,
  turn: null,
  rest: 'ready',
  failure: null,
  questions: {},
  undoable: {},
  closed: {},
  calls: {},
  origin: null,
  taskdoc: null,
  model: null,
  taskdocChange: null,
  course: 1,
  pending: {},
  partReplies: {},
  assignments: [],
  sessions: {},
  reminders: [],
  shown: [],
  isDead: false,
  retired: null,
  isDeleted: false,
  health: 'unknown',
  spent: { tokens: 0, money: 0 },
  tokens: noTokens,
  budgetNotices: [],
  floor: initialFloor,
  loweredSeq: 0,
  loweredAt: 0,
  inputAuthors: [],
  writers: [],
  cause: null,
  grants: [],
  crashes: [],
  asksInARow: 0,
  pushes: 0,
  arePushesOff: false,
  prompt: null,
  reply: { words: [], wordChars: 0, nudgedAt: null, nudgedBacks: [], wasRefusedForText: false, toldSeq: 0, untoldSeq: null, givenSeq: 0 },
  context: [],
  contextChars: 0,
  contextDropped: 0,
  preview: '',
}

/** From the provider's own count only, never from an estimate. */
export type HealthLevel = 'unknown' | 'healthy' | 'caution' | 'critical'

/** True when a turn of this dialog is due. */
export const needsTurn = (state: DialogState): boolean =>
  state.seq > 0 && !state.isDead && (isDue(state) || (state.latch === null && state.held !== null))

/** True while a turn runs, or would start at once if nothing above this dialog were stopped. */
export const isDue = (state: DialogState): boolean =>
  state.stopRequested ||
  state.turn !== null ||
  isSpokenTo(state) ||
  (state.latch === null && state.held === null && state.rest === 'ready' && hasReason(state))

/** A person wrote something no turn has read. It is answered also while the dialog is stopped. */
export const isSpokenTo = (state: Pick<DialogState, 'rest' | 'spokenSeq' | 'seenSeq'>): boolean =>
  state.rest === 'ready' && state.spokenSeq > state.seenSeq

/** Requests, replies and answers no turn has read. */
export const hasUnreadWork = (state: Pick<DialogState, 'workSeq' | 'settledSeq' | 'seenSeq'>): boolean =>
  state.workSeq > state.seenSeq || state.settledSeq > state.seenSeq

const hasReason = (state: DialogState): boolean =>
  state.inputSeq > state.seenSeq || (state.settledSeq > state.seenSeq && (isUnblocked(state) || hasDecidedCall(state)))

/** A person decided about a call, and it has no result yet. It runs at once, whatever else is still waited for. */
const hasDecidedCall = ({ calls, questions }: DialogState): boolean =>
  Object.values(calls).some(({ question }) => question !== null && !questions[question])

/** Crashes that interrupted the open turn within the window that ends now. */
export const recentCrashes = ({ crashes }: Pick<DialogState, 'crashes'>, now: number): number =>
  crashes.filter((at) => now - at <= dialogLimits.crashWindowMs).length

export type DialogStatus = 'ready' | 'working' | 'stopping' | 'waiting' | 'delegated' | 'stopped' | 'failed' | 'dead' | 'retired'

/** The status shown to people. */
export function getStatus(state: DialogState): DialogStatus {
  if (state.retired) return 'retired'
  if (state.isDead) return 'dead'
  if (isDue(state)) return state.stopRequested ? 'stopping' : 'working'
  if (state.latch !== null || state.held !== null) return 'stopped'
  if (state.rest !== 'ready') return state.rest
  if (Object.keys(state.questions).length > 0) return 'waiting'
  // The agent takes the answer in a few seconds.
  if (Object.keys(state.undoable).length > 0) return 'working'
  return Object.keys(state.pending).length > 0 ? 'delegated' : 'ready'
}

/** Nothing waits for the answer to such a question. */
export const isAside = (purpose: QuestionPurpose | undefined): boolean =>
  purpose === 'diligence' || purpose === 'notice' || purpose === 'peer'

/**
 * Nothing it has asked for is still out: neither a person's answer nor another dialog's reply. While it answers a
 * question asked back, only what it asked for since then counts: the one who asks back waits inside an older request.
 */
export function isUnblocked(state: Pick<DialogState, 'questions' | 'undoable' | 'pending' | 'assignments'>): boolean {
  const focus = findFocus(state)
  const since = focus?.mode === 'back' ? focus.seq : 0
  for (const question in state.questions) {
    const { seq, purpose } = state.questions[question] ?? { seq: 0 }
    if (seq > since && !isAside(purpose)) return false
  }
  for (const question in state.undoable) if ((state.undoable[question]?.asked.seq ?? 0) > since) return false
  for (const tellask in state.pending) if ((state.pending[tellask]?.seq ?? 0) > since) return false
  return true
}

/**
 * The request that the next reply answers. The latest question asked back comes first: the dialog that asks back waits inside
 * a request of this one, which may have been made to answer an earlier request.
 */
export const findFocus = (state: Pick<DialogState, 'assignments'>): OpenAssignment | null =>
  state.assignments.findLast((each) => each.isActive && each.mode === 'back') ?? state.assignments.find((each) => each.isActive) ?? null

/** It waits for nothing and nothing depends on it: no question, request, grant or stop. */
export const isFinished = (state: DialogState): boolean =>
  state.seq > 0 &&
  (getStatus(state) === 'ready' || getStatus(state) === 'dead') &&
  state.turn === null &&
  !state.isPinned &&
  Object.keys(state.questions).length === 0 &&
  Object.keys(state.calls).length === 0 &&
  state.assignments.length === 0 &&
  state.grants.every(({ end }) => end !== null)

/** Nothing runs, and nothing that was decided still waits for its effect. What waits for a person does not count. */
export const isAtRest = (state: DialogState): boolean => !isDue(state) && Object.keys(state.undoable).length === 0

/** The state of a dialog whose events are gone: the same as if they were still there, as far as lists show it. */
export const retiredState = (retired: RetiredFacts): DialogState => ({
  ...initialDialog,
  seq: retired.events + 1,
  agent: retired.agent,
  title: retired.title,
  language: retired.language,
  openedAt: retired.openedAt,
  updatedAt: retired.updatedAt,
  origin: retired.origin,
  spent: retired.spent,
  isDead: retired.isDead,
  isArchived: retired.isArchived,
  retired,
})
