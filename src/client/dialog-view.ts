import { describeError, type ErrorWords } from '../errors.ts'
import type { Answers, DeltaView, DialogEvent, DialogStatus, EventView, Language, Participant, Question, QuestionOutcome } from './wire.ts'

/** What a page or a terminal shows of one dialog, folded from its events. Nothing in it depends on when or how often they came. */
export type DialogView = {
  /** Number of the last event taken in: follow on from here. */
  seq: number
  agent: string
  language: Language
  title: string
  items: DialogItem[]
  /** The reply being written. Gone as soon as its finished text, or the end of its turn, is there. */
  draft: Draft | null
  /** Why the try before did not work, while another is planned. */
  retrying: { words: ErrorWords; at: number; retryAt: number | null } | null
  questions: OpenQuestionItem[]
  status: DialogStatus
  /** Said here, not yet in the log. */
  queued: Queued[]
  /** What `status` is worked out from, and names of drafts that are over. Not for show. */
  readonly fold: Fold
}

export type DialogItem = MessageItem | QuestionItemView | ToolItem | FailureItem | StopItem

/** `isCut`: the turn was stopped while this was written. */
export type MessageItem = {
  kind: 'message'
  id: string
  seq: number
  at: number
  by: Participant
  text: string
  turn: number | null
  via: string | null
  isCut: boolean
}

export type QuestionItemView = {
  kind: 'question'
  id: string
  seq: number
  at: number
  by: Participant
  ask: Question
  expiresAt: number | null
  state: 'open' | QuestionOutcome
  closed: QuestionEnd | null
}

export type OpenQuestionItem = QuestionItemView

export type QuestionEnd = { at: number; by: string | null; via: string | null; answers: Answers | null; reason: string | null }

export type ToolItem = {
  kind: 'tool'
  id: string
  seq: number
  at: number
  name: string
  input: unknown
  state: 'called' | 'done' | 'failed'
  output: unknown
}

/** The turn ended because of this; the words say what to do. */
export type FailureItem = { kind: 'failure'; id: string; seq: number; at: number; words: ErrorWords }

/** Somebody stopped the agent before it had written anything. */
export type StopItem = { kind: 'stopped'; id: string; seq: number; at: number }

export type Draft = { id: string; turn: number; text: string; thinking: string }

export type Queued = { key: string; text: string; at: number; message: string | null; error: ErrorWords | null }

type Fold = {
  turn: number | null
  closedTurn: number
  inputSeq: number
  seenSeq: number
  stopRequested: boolean
  rest: 'ready' | 'stopped' | 'failed'
  overDrafts: readonly string[]
}

const draftsRemembered = 16

export const emptyView: DialogView = {
  seq: 0,
  agent: '',
  language: 'en',
  title: '',
  items: [],
  draft: null,
  retrying: null,
  questions: [],
  status: 'ready',
  queued: [],
  fold: { turn: null, closedTurn: 0, inputSeq: 0, seenSeq: 0, stopRequested: false, rest: 'ready', overDrafts: [] },
}

/** The view after one more event. An event that was already taken in changes nothing. */
export function viewOf(view: DialogView, event: EventView): DialogView {
  if (event.seq <= view.seq) return view
  const next = applied({ ...view, seq: event.seq }, event as EventView & DialogEvent, event.seq)
  const status = statusOf(next)
  return status === next.status ? next : { ...next, status }
}

/** Many events at once: what a page does with a frame of them. */
export const viewOfAll = (view: DialogView, events: readonly EventView[]): DialogView => events.reduce(viewOf, view)

function applied(view: DialogView, event: DialogEvent, seq: number): DialogView {
  const { at } = event
  const { fold } = view
  switch (event.type) {
    case 'dialog.opened':
      return { ...view, agent: event.data.agent, language: event.data.language }
    case 'dialog.titled':
      return { ...view, title: event.data.title }
    case 'message.said': {
      const { message: id, by, text, turn, via } = event.data
      const said = shown(view, { kind: 'message', id, seq, at, by, text, turn, via, isCut: false })
      if (by.kind === 'agent') return withoutDraft(said, turn ?? Infinity)
      return reasonToRun({ ...said, queued: view.queued.filter((one) => one.message !== id) }, seq)
    }
    case 'turn.started':
      return { ...view, fold: { ...fold, turn: event.data.turn } }
    case 'generation.finished':
      return { ...withoutDraft(view, event.data.turn), retrying: null }
    case 'generation.failed': {
      const { turn, code, details, retryAt } = event.data
      return { ...withoutDraft(view, turn), retrying: { words: describeError(code, details), at, retryAt } }
    }
    case 'tool.called':
      return shown(view, {
        kind: 'tool',
        id: event.data.call,
        seq,
        at,
        name: event.data.name,
        input: event.data.input,
        state: 'called',
        output: null,
      })
    case 'tool.returned': {
      const { call, ok, output } = event.data
      return changed(view, (item) => (item.kind === 'tool' && item.id === call ? { ...item, state: ok ? 'done' : 'failed', output } : item))
    }
    case 'question.asked': {
      const { question: id, by, ask, expiresAt } = event.data
      const item: QuestionItemView = { kind: 'question', id, seq, at, by, ask, expiresAt, state: 'open', closed: null }
      return { ...shown(view, item), questions: [...view.questions.filter((one) => one.id !== id), item] }
    }
    case 'question.answered':
      return closed(view, seq, event.data.question, 'answered', {
        at,
        by: event.data.by.name,
        via: event.data.via,
        answers: event.data.answers,
        reason: null,
      })
    case 'question.declined':
      return closed(view, seq, event.data.question, 'declined', {
        at,
        by: event.data.by.name,
        via: event.data.via,
        answers: null,
        reason: event.data.reason,
      })
    case 'question.cancelled':
      return closed(view, seq, event.data.question, 'cancelled', {
        at,
        by: event.data.by.name,
        via: null,
        answers: null,
        reason: event.data.reason,
      })
    case 'question.expired':
      return closed(view, seq, event.data.question, 'expired', { at, by: null, via: null, answers: null, reason: null })
    case 'turn.finished':
      return ended(view, 'ready', event.data.turn, event.data.seen)
    case 'turn.failed': {
      const item: FailureItem = {
        kind: 'failure',
        id: `failure-${seq}`,
        seq,
        at,
        words: describeError(event.data.code, event.data.details),
      }
      return ended(shown(view, item), 'failed', event.data.turn, seq)
    }
    case 'turn.stopped': {
      const { turn, text } = event.data
      const id = `stopped-${seq}`
      const by: Participant = { kind: 'agent', name: view.agent }
      const item: DialogItem =
        text === null ? { kind: 'stopped', id, seq, at } : { kind: 'message', id, seq, at, by, text, turn, via: null, isCut: true }
      return ended(shown(view, item), 'stopped', turn, seq)
    }
    case 'stop.requested':
      return { ...view, fold: { ...fold, stopRequested: true } }
    case 'dialog.continued':
      return reasonToRun(view, seq)
    default:
      // A newer server may know events this page does not: they take a number and show nothing.
      return view
  }
}

const shown = (view: DialogView, item: DialogItem): DialogView => ({ ...view, items: [...view.items, item] })

const changed = (view: DialogView, change: (item: DialogItem) => DialogItem): DialogView => ({ ...view, items: view.items.map(change) })

const reasonToRun = (view: DialogView, seq: number): DialogView => ({
  ...view,
  retrying: null,
  fold: { ...view.fold, inputSeq: seq, rest: 'ready' },
})

function closed(view: DialogView, seq: number, question: string, state: QuestionOutcome, end: QuestionEnd): DialogView {
  if (!view.questions.some(({ id }) => id === question)) return view
  const next = changed(view, (item) => (item.kind === 'question' && item.id === question ? { ...item, state, closed: end } : item))
  const questions = view.questions.filter(({ id }) => id !== question)
  return questions.length === 0 ? reasonToRun({ ...next, questions }, seq) : { ...next, questions }
}

function ended(view: DialogView, rest: Fold['rest'], turn: number, seenSeq: number): DialogView {
  const over = withoutDraft(view, turn)
  return {
    ...over,
    retrying: null,
    fold: { ...over.fold, turn: null, closedTurn: Math.max(over.fold.closedTurn, turn), stopRequested: false, rest, seenSeq },
  }
}

/** The finished text is here, or never comes: what was half written goes, and late pieces of it stay away. */
function withoutDraft(view: DialogView, turn: number): DialogView {
  // Pieces travel faster than events: the draft may already belong to a later turn.
  if (view.draft === null || view.draft.turn > turn) return view
  return { ...view, draft: null, fold: { ...view.fold, overDrafts: [...view.fold.overDrafts, view.draft.id].slice(-draftsRemembered) } }
}

function statusOf({ seq, fold, questions }: DialogView): DialogStatus {
  const runs = seq > 0 && (fold.stopRequested || fold.turn !== null || fold.inputSeq > fold.seenSeq)
  if (runs) return fold.stopRequested ? 'stopping' : 'working'
  if (fold.rest !== 'ready') return fold.rest
  return questions.length > 0 ? 'waiting' : 'ready'
}

/**
 * Takes in a piece of the reply being written. Pieces may be lost, come twice or late: one that does not join on
 * is left out, and the finished text puts everything right.
 */
export function withDelta(view: DialogView, delta: DeltaView): DialogView {
  const { draft, fold } = view
  if (delta.text === '' || delta.turn <= fold.closedTurn || fold.overDrafts.includes(delta.draft)) return view
  const isSame = draft?.id === delta.draft
  if (!isSame && draft !== null && delta.turn < draft.turn) return view
  const before: Draft = isSame ? draft : { id: delta.draft, turn: delta.turn, text: '', thinking: '' }
  const field = delta.kind === 'thinking' ? 'thinking' : 'text'
  const known = before[field].length
  if (delta.from > known || (isSame && delta.from + delta.text.length <= known)) return view
  const overDrafts = isSame || draft === null ? fold.overDrafts : [...fold.overDrafts, draft.id].slice(-draftsRemembered)
  return { ...view, draft: { ...before, [field]: before[field].slice(0, delta.from) + delta.text }, fold: { ...fold, overDrafts } }
}

/** Shows what was typed at once. `key` is the idempotency key it is sent under. */
export const withQueued = (view: DialogView, { key, text, at }: { key: string; text: string; at: number }): DialogView => ({
  ...view,
  queued: [...view.queued.filter((one) => one.key !== key), { key, text, at, message: null, error: null }],
})

/** The server took it in. It leaves the queue when its event is here, which may have been earlier. */
export function withSent(view: DialogView, key: string, message: string): DialogView {
  const isHere = view.items.some((item) => item.kind === 'message' && item.id === message)
  const queued = isHere
    ? view.queued.filter((one) => one.key !== key)
    : view.queued.map((one) => (one.key === key ? { ...one, message, error: null } : one))
  return { ...view, queued }
}

/** The server said no: it stays visible with the reason, to be sent again or taken back. */
export const withRefused = (view: DialogView, key: string, error: ErrorWords): DialogView => ({
  ...view,
  queued: view.queued.map((one) => (one.key === key ? { ...one, error } : one)),
})

export const withoutQueued = (view: DialogView, key: string): DialogView => ({
  ...view,
  queued: view.queued.filter((one) => one.key !== key),
})
