import { isNote } from '../dialogs/rules/dialog-events.ts'
import { type DialogState, initialDialog, type OpenQuestion } from '../dialogs/rules/dialog-state.ts'
import { evolveRun } from '../dialogs/rules/evolve-run.ts'
import { questionParts } from '../dialogs/rules/question-view.ts'
import type { ErrorWords, Refusal } from '../errors.ts'
import type {
  AssignmentItem,
  DialogItem,
  FailureItem,
  OpenQuestionItem,
  QuestionEnd,
  QuestionItemView,
  ReplyItem,
  TellaskItem,
} from './dialog-items.ts'
import { stateFields } from './state-fields.ts'
import type { Language } from '../shapes/language.ts'
import type {
  ApprovalView,
  DeltaView,
  DialogEvent,
  DialogStatus,
  DialogSummary,
  EventView,
  HealthLevel,
  Participant,
  QuestionOutcome,
  ReminderView,
  StopView,
} from '../shapes/wire.ts'

export type * from './dialog-items.ts'

/** View of one dialog for a page or terminal, folded from its events. It does not depend on when or how often they arrived. */
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
  retrying: { error: Refusal; at: number; retryAt: number | null } | null
  questions: OpenQuestionItem[]
  status: DialogStatus
  /** Set while its work is stopped, as far as its own log says. */
  stop: StopView | null
  /** Set for a side dialog. */
  origin: DialogSummary['origin']
  /** Path of its task document. */
  taskdoc: string | null
  /** Chosen by a person; null: the usual one of its agent. */
  model: string | null
  course: number
  /** Requests without a reply. */
  pending: DialogSummary['pending']
  /** Notes its agent keeps, and how full its context is. */
  reminders: readonly ReminderView[]
  health: HealthLevel
  /** Said here, not yet in the log. */
  queued: Queued[]
  /** The dialog as its own rules fold it. Not for display. */
  readonly fold: DialogState
  /** Which drafts are over, so that late pieces of them stay away. Not for show. */
  readonly drafts: { closedTurn: number; over: readonly string[] }
}

export type Draft = { id: string; turn: number; text: string; thinking: string }

export type Queued = { key: string; text: string; at: number; message: string | null; error: ErrorWords | null }

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
  stop: null,
  origin: null,
  taskdoc: null,
  model: null,
  course: 1,
  pending: [],
  reminders: [],
  health: 'unknown',
  queued: [],
  fold: initialDialog,
  drafts: { closedTurn: 0, over: [] },
}

/** The view after one more event. An event that was already taken in changes nothing. */
export function toView(view: DialogView, event: EventView): DialogView {
  if (event.seq <= view.seq) return view
  const typedEvent = event as EventView & DialogEvent
  // Events that the reader may not see leave gaps in the numbers.
  const fold = evolveRun({ ...view.fold, seq: event.seq - 1 }, typedEvent)
  const next = applied({ ...view, seq: event.seq, fold }, typedEvent, event.seq)
  return { ...next, ...stateFields(event.stream, fold, view) }
}

/** Many events at once: what a page does with a frame of them. */
export const viewOfAll = (view: DialogView, events: readonly EventView[]): DialogView => events.reduce(toView, view)

function applied(view: DialogView, event: DialogEvent, seq: number): DialogView {
  const { at } = event
  // The title stands above the log.
  if (isNote(event)) return event.type === 'dialog.titled' ? view : withItem(view, { kind: 'note', id: `note-${seq}`, seq, at, event })
  switch (event.type) {
    case 'message.said': {
      const { message: id, by, text, turn, via, files, shown, tap } = event.data
      const more = { ...(files && { files }), ...(shown && { shown }) }
      const withMessage = withItem(withTap(view, by.name, tap), {
        kind: 'message',
        id,
        seq,
        at,
        by,
        text,
        turn,
        via,
        isCut: false,
        ...more,
      })
      if (by.kind === 'agent') return withoutDraft(withMessage, turn ?? Infinity)
      return { ...withMessage, retrying: null, queued: view.queued.filter((one) => one.message !== id) }
    }
    case 'dialog.branched': {
      const { from, message, messages } = event.data
      const items = messages.map(({ message: id, ...said }): DialogItem => ({
        kind: 'message',
        id,
        seq,
        turn: null,
        via: null,
        isCut: false,
        ...said,
      }))
      return { ...view, items: [...view.items, ...items, { kind: 'branch', id: `branch-${seq}`, seq, at, from, message }] }
    }
    case 'generation.finished':
      return { ...withoutDraft(view, event.data.turn), retrying: null }
    case 'generation.failed': {
      const { turn, code, details, retryAt } = event.data
      return { ...withoutDraft(view, turn), retrying: { error: { code, details }, at, retryAt } }
    }
    case 'tool.called': {
      const { call: id, name, input } = event.data
      return withItem(view, { kind: 'tool', id, seq, at, name, input, state: 'called', output: null })
    }
    case 'tool.returned': {
      const { call, ok, output, files } = event.data
      const end = { state: ok ? ('done' as const) : ('failed' as const), output, endedAt: at, ...(files && { files }) }
      return changed(view, (item) => (item.kind === 'tool' && item.id === call ? { ...item, ...end } : item))
    }
    case 'tool.started': {
      const { call } = event.data
      return changed(view, (item) => (item.kind === 'tool' && item.id === call ? { ...item, startedAt: at } : item))
    }
    case 'question.asked': {
      const { question: id, by, ask, expiresAt, call, purpose } = event.data
      const isApproval = purpose === 'approval'
      const more = { ...getParts(view, view.fold.questions[id]), ...(isApproval ? calledIn(view, call) : {}) }
      // The runtime asks for an approval on behalf of the agent of the dialog.
      const asker = isApproval ? { ...by, name: view.agent } : by
      const item: QuestionItemView = {
        kind: 'question',
        id,
        seq,
        at,
        by: asker,
        ask,
        expiresAt,
        isApproval,
        ...more,
        state: 'open',
        closed: null,
      }
      return {
        ...shownFor(view, call, isApproval ? null : 'askHuman', item),
        questions: [...view.questions.filter((one) => one.id !== id), item],
      }
    }
    case 'question.answered': {
      const { question, by, via, answers, decision, note, undoUntil } = event.data
      const decided = decision === undefined ? {} : { decision, ...(note === undefined ? {} : { note }) }
      const after = closed(approvalChanged(view, question, decided), question, 'answered', {
        at,
        by: by.name,
        via,
        answers,
        reason: null,
        ...(undoUntil !== undefined && { undoUntil }),
      })
      return decision === undefined || decision === 'deny' ? after : withCall(after, question, at, seq)
    }
    case 'answer.withdrawn':
      return reopened(view, event.data.question)
    case 'answer.taken': {
      const { question } = event.data
      return changed(view, (item) => {
        if (item.kind !== 'question' || item.id !== question || !item.closed) return item
        const { undoUntil: _, ...end } = item.closed
        return { ...item, closed: end }
      })
    }
    case 'approval.key-given': {
      const keysGiven = view.fold.questions[event.data.question]?.keysGiven ?? []
      return approvalChanged(view, event.data.question, { keysGiven: keysGiven.map(({ name }) => name) })
    }
    case 'question.declined': {
      const { question, by, via, reason } = event.data
      return closed(view, question, 'declined', { at, by: by.name, via, answers: null, reason })
    }
    case 'question.cancelled': {
      const { question, by, reason, why } = event.data
      const after = closed(view, question, 'cancelled', { at, by: by.name, via: null, answers: null, reason, ...(why && { why }) })
      return why === 'covered' ? withCall(after, question, at, seq) : after
    }
    case 'question.expired':
      return closed(view, event.data.question, 'expired', { at, by: null, via: null, answers: null, reason: null })
    case 'turn.finished':
      return ended(view, event.data.turn)
    case 'turn.failed': {
      const item: FailureItem = {
        kind: 'failure',
        id: `failure-${seq}`,
        seq,
        at,
        error: { code: event.data.code, details: event.data.details },
      }
      return ended(withItem(view, item), event.data.turn)
    }
    case 'turn.stopped': {
      const { turn, text } = event.data
      const id = `stopped-${seq}`
      const by: Participant = { kind: 'agent', name: view.agent }
      const item: DialogItem =
        text === null ? { kind: 'stopped', id, seq, at } : { kind: 'message', id, seq, at, by, text, turn, via: null, isCut: true }
      return ended(withItem(view, item), turn)
    }
    case 'dialog.continued':
      return { ...view, retrying: null }
    case 'tellask.made': {
      const { tellask, call, mode, to, agent, session, content } = event.data
      const item: TellaskItem = { kind: 'tellask', id: tellask, seq, at, mode, to, agent, session, content, reply: null }
      return shownFor(view, call, null, item)
    }
    case 'tellask.received': {
      const { tellask, mode, from, by, session, content } = event.data
      return withItem(view, { kind: 'assignment', id: tellask, seq, at, mode, from, by, session, content, isDone: false })
    }
    case 'reply.given': {
      const { tellask } = event.data
      const assignment = view.items.find((item): item is AssignmentItem => item.kind === 'assignment' && item.id === tellask) ?? null
      const withAssignmentDone = changed(view, (item) => (item === assignment ? { ...assignment, isDone: true } : item))
      return withItem(withAssignmentDone, { kind: 'given', id: `given-${tellask}`, seq, at, tellask, assignment })
    }
    case 'reply.received':
      return withReply(view, event, seq)
    case 'course.started':
      if (event.data.why === 'first') return view
      return withItem(view, { kind: 'course', id: `course-${seq}`, seq, at, course: event.data.course, why: event.data.why })
    case 'prompt.added':
      return withItem(view, { kind: 'prompt', id: `prompt-${seq}`, seq, at, why: event.data.why, text: event.data.text })
    case 'dialog.died':
      return ended(withItem(view, { kind: 'died', id: `died-${seq}`, seq, at, by: event.data.by, note: event.data.note }), Infinity)
    case 'dialog.opened':
    case 'reminder.added':
    case 'reminder.updated':
    case 'reminder.deleted':
    case 'latch.set':
    case 'latch.lifted':
    case 'dialog.held':
    case 'course.requested':
    case 'generation.started':
    case 'epoch.started':
    case 'prompt.compacted':
    case 'prompt.noted':
    case 'prompt.told':
    case 'turn.started':
    case 'turn.cut':
    case 'stop.requested':
    case 'taskdoc.read':
    case 'budget.noticed':
    case 'failure.settled':
    case 'answer.refused':
    case 'grant.made':
    case 'grant.ended':
    case 'session.registered':
    case 'session.dropped':
      // The tool line beside them says what an agent did to its own notes.
      return view
    default:
      // A newer server may know events this page does not: they take a number and show nothing.
      event satisfies never
      return view
  }
}

function withTap(view: DialogView, by: string, tap: { message: string; value: string; isReusable?: true } | undefined): DialogView {
  if (!tap) return view
  const { message, value, isReusable } = tap
  return changed(view, (item) => {
    if (item.kind !== 'message' || item.id !== message || item.tapped?.isOver) return item
    return { ...item, tapped: { value, by, isOver: isReusable !== true } }
  })
}

const withItem = (view: DialogView, item: DialogItem): DialogView => ({ ...view, items: [...view.items, item] })

const changed = (view: DialogView, change: (item: DialogItem) => DialogItem): DialogView => ({ ...view, items: view.items.map(change) })

/** Takes the place of the line about the tool call it came from, which says less. */
function shownFor(view: DialogView, call: string | null, name: string | null, item: DialogItem): DialogView {
  const index = view.items.findLastIndex((one) => one.kind === 'tool' && one.id === call && (name === null || one.name === name))
  return index < 0 ? withItem(view, item) : { ...view, items: view.items.with(index, item) }
}

/** The approval and the audience of a question, with the surface each requester wrote on last. */
function getParts(view: DialogView, open: OpenQuestion | undefined): Pick<QuestionItemView, 'approval' | 'audience'> {
  const { approval, ...rest } = open ? questionParts(open) : {}
  if (!approval) return rest
  const requesters = approval.requesters.map((author) => ({ ...author, ...viaIn(view, author.id) }))
  return { ...rest, approval: { ...approval, requesters } }
}

/** Where a person wrote last. */
function viaIn(view: DialogView, id: string): { via?: string } {
  const lastMessage = view.items.findLast((item) => item.kind === 'message' && item.by.id === id)
  return lastMessage?.kind === 'message' && lastMessage.via !== null ? { via: lastMessage.via } : {}
}

function calledIn(view: DialogView, call: string | null): Pick<QuestionItemView, 'call'> {
  const tool = view.items.findLast((item) => item.kind === 'tool' && item.id === call)
  return tool?.kind === 'tool' ? { call: { id: tool.id, name: tool.name, input: tool.input } } : {}
}

/** The call may run now: from here on its own line says what becomes of it. */
function withCall(view: DialogView, question: string, at: number, seq: number): DialogView {
  const questionItem = view.items.find((item) => item.kind === 'question' && item.id === question)
  const call = questionItem?.kind === 'question' ? questionItem.call : undefined
  return call ? withItem(view, { kind: 'tool', ...call, seq, at, state: 'called', output: null }) : view
}

function approvalChanged(view: DialogView, question: string, change: Partial<ApprovalView>): DialogView {
  const apply = (item: QuestionItemView): QuestionItemView =>
    item.id === question && item.approval ? { ...item, approval: { ...item.approval, ...change } } : item
  return { ...changed(view, (item) => (item.kind === 'question' ? apply(item) : item)), questions: view.questions.map(apply) }
}

function closed(view: DialogView, question: string, state: QuestionOutcome, end: QuestionEnd): DialogView {
  const next = changed(view, (item) => (item.kind === 'question' && item.id === question ? { ...item, state, closed: end } : item))
  return { ...next, retrying: null, questions: view.questions.filter(({ id }) => id !== question) }
}

/** The answer was withdrawn. */
function reopened(view: DialogView, question: string): DialogView {
  const asked = view.items.find((item) => item.kind === 'question' && item.id === question)
  const open = view.fold.questions[question]
  const item: QuestionItemView | null =
    asked?.kind === 'question' ? { ...asked, state: 'open', closed: null } : open ? earlierItem(open) : null
  if (!item) return view
  return {
    ...changed(view, (one) => (one === asked ? item : one)),
    questions: [...view.questions.filter(({ id }) => id !== question), item],
  }
}

/** A question that was asked before the first event of this page. */
const earlierItem = ({ question, askedAt, by, ask, expiresAt }: OpenQuestion): QuestionItemView => ({
  kind: 'question',
  id: question,
  seq: 0,
  at: askedAt,
  by,
  ask,
  expiresAt,
  isApproval: false,
  state: 'open',
  closed: null,
})

function withReply(view: DialogView, { at, data }: Extract<DialogEvent, { type: 'reply.received' }>, seq: number): DialogView {
  const { tellask, outcome, text } = data
  const id = `reply-${tellask}`
  const ask = view.items.find((item): item is TellaskItem => item.kind === 'tellask' && item.id === tellask) ?? null
  const withOutcome = changed(view, (item) => (item === ask ? { ...ask, reply: { outcome, item: id } } : item))
  const item: ReplyItem = { kind: 'reply', id, seq, at, tellask, outcome, text, ask }
  return withItem(withOutcome, item)
}

function ended(view: DialogView, turn: number): DialogView {
  const over = withoutDraft(view, turn)
  return { ...over, retrying: null, drafts: { ...over.drafts, closedTurn: Math.max(over.drafts.closedTurn, turn) } }
}

/** The finished text is here, or never comes: what was half written goes, and late pieces of it stay away. */
function withoutDraft(view: DialogView, turn: number): DialogView {
  // Pieces travel faster than events: the draft may already belong to a later turn.
  if (view.draft === null || view.draft.turn > turn) return view
  return { ...view, draft: null, drafts: { ...view.drafts, over: [...view.drafts.over, view.draft.id].slice(-draftsRemembered) } }
}

/**
 * Takes in a piece of the reply being written. Pieces may be lost, come twice or late: one that does not join on
 * is left out, and the finished text puts everything right.
 */
export function withDelta(view: DialogView, delta: DeltaView): DialogView {
  const { draft, drafts } = view
  if (delta.text === '' || delta.turn <= drafts.closedTurn || drafts.over.includes(delta.draft)) return view
  const isSame = draft?.id === delta.draft
  if (!isSame && draft !== null && delta.turn < draft.turn) return view
  const before: Draft = isSame ? draft : { id: delta.draft, turn: delta.turn, text: '', thinking: '' }
  const field = delta.kind === 'thinking' ? 'thinking' : 'text'
  const knownLength = before[field].length
  if (delta.from > knownLength || (isSame && delta.from + delta.text.length <= knownLength)) return view
  const over = isSame || draft === null ? drafts.over : [...drafts.over, draft.id].slice(-draftsRemembered)
  return { ...view, draft: { ...before, [field]: before[field].slice(0, delta.from) + delta.text }, drafts: { ...drafts, over } }
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
