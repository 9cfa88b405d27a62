import { type ApprovalEdits, applyEdits, approvalLimits } from './approval.ts'
import { buildVia, type DialogEvent, type Hold, type NoteEvent, type Spent, isNote } from './dialog-events.ts'
import {
  type ClosedQuestion,
  type DialogState,
  dialogLimits,
  initialDialog,
  findFocus,
  hasUnreadWork,
  isDue,
  isUnblocked,
  type OpenCall,
  type OpenQuestion,
  type UndoableAnswer,
  retiredState,
} from './dialog-state.ts'
import { eventAuthor } from './event-author.ts'
import { liftsLimit, limitFailure } from './limit-facts.ts'
import { askHuman, diligenceAnswer } from './question.ts'
import { type OpenAssignment, sessionKey } from './tellask.ts'
import { addTokens, toTokenKinds } from './token-kinds.ts'

/** The driver writes these before it calls a model. Lists show no change, so that the row of the dialog is not written for them. */
const quietTypes = new Set<DialogEvent['type']>([
  'dialog.pinned',
  'dialog.archived',
  'turn.started',
  'generation.started',
  'epoch.started',
  'course.started',
])

/**
 * Everything about a dialog except the context of its agent and the causes of its turns: whether it runs, what it waits for,
 * what was asked and granted. The page folds events by this function too, so the rules of the status exist once. Every type
 * is listed, also those that change little.
 */
export function evolveRun(before: DialogState, event: DialogEvent): DialogState {
  const state: DialogState = { ...before, seq: before.seq + 1, updatedAt: quietTypes.has(event.type) ? before.updatedAt : event.at }
  if (isNote(event)) return noted(state, event)
  switch (event.type) {
    case 'dialog.opened':
      return {
        ...state,
        agent: event.data.agent,
        language: event.data.language,
        openedAt: event.at,
        origin: event.data.origin ?? null,
        taskdoc: event.data.taskdoc ?? null,
      }
    case 'message.said': {
      const { by, via, message, shown, tap } = event.data
      if (by.kind === 'agent')
        return shown
          ? { ...state, shown: [...state.shown, { message, seq: state.seq, used: null }].slice(-dialogLimits.shownMessages) }
          : state
      const spokenSeq = via === buildVia ? state.spokenSeq : state.seq
      const used = { by: by.name, at: event.at }
      const after = tap && !tap.isReusable ? state.shown.map((one) => (one.message === tap.message ? { ...one, used } : one)) : state.shown
      return reasonToRun({ ...state, shown: after, isArchived: false, waitingMessages: state.waitingMessages + 1, spokenSeq })
    }
    case 'turn.started':
      return {
        ...state,
        turns: Math.max(state.turns, event.data.turn),
        held: event.data.alone ? state.held : null,
        turn: {
          turn: event.data.turn,
          startedAt: event.at,
          generations: 0,
          seen: null,
          generatedSeq: 0,
          failures: 0,
          alone: event.data.alone ?? null,
        },
      }
    case 'generation.finished':
      return {
        ...state,
        failure: null,
        health: event.data.health ?? 'unknown',
        knownSeq: event.data.seen ?? state.knownSeq,
        tokens: addTokens(state.tokens, toTokenKinds(event.data.usage)),
        spent: totalSpent(state.spent, event.data.spent),
        crashes: [],
        turn: state.turn && {
          ...state.turn,
          generations: event.data.generation,
          seen: event.data.seen ?? null,
          generatedSeq: state.seq,
          failures: 0,
        },
      }
    case 'generation.failed': {
      const { code, details, retryAt } = event.data
      return {
        ...state,
        failure: { code, details, at: event.at, retryAt },
        spent: totalSpent(state.spent, event.data.spent),
        turn: state.turn && { ...state.turn, failures: state.turn.failures + 1 },
      }
    }
    case 'tool.called': {
      const { call, turn, name, input, policy, cause, gate } = event.data
      const open = {
        call,
        turn,
        name,
        input,
        policy,
        question: null,
        ...(cause === undefined ? {} : { cause }),
        ...(gate === undefined ? {} : { gate }),
      }
      return { ...state, calls: { ...state.calls, [call]: open } }
    }
    case 'tool.started': {
      const open = state.calls[event.data.call]
      return open ? { ...state, calls: { ...state.calls, [open.call]: { ...open, isStarted: true } } } : state
    }
    case 'tool.returned': {
      const { [event.data.call]: _, ...calls } = state.calls
      return { ...state, calls }
    }
    case 'question.asked': {
      const { question, turn, call, ask, by, expiresAt, purpose, cause, audience, approval, limit } = event.data
      const open = {
        question,
        turn,
        call,
        ask,
        by,
        askedAt: event.at,
        seq: state.seq,
        expiresAt,
        ...(purpose === undefined ? {} : { purpose }),
        audience,
        audienceNames: audience.kind === 'authors' ? (cause?.by ?? []).map(({ name }) => name) : [],
        cause: cause ?? null,
        approval: approval ?? null,
        ...(limit === undefined ? {} : { limit }),
        keysGiven: [],
        refusedIds: [],
      }
      const questions = { ...state.questions, [question]: open }
      const asking = call === null ? undefined : state.calls[call]
      // A new question about a call that had begun decides about one more run.
      const { isStarted: _, ...unstarted } = asking ?? {}
      const calls = call !== null && asking ? { ...state.calls, [call]: { ...applyEdits(unstarted as OpenCall), question } } : state.calls
      return { ...state, questions, calls }
    }
    case 'question.answered': {
      const { question, by, via, answers, decision, note, edits, undoUntil } = event.data
      const end: ClosedQuestion = {
        outcome: 'answered',
        at: event.at,
        by: by.name,
        via,
        answers,
        reason: null,
        ...(decision === undefined ? {} : { decision }),
        ...(note === undefined ? {} : { note }),
      }
      if (undoUntil !== undefined) return answerForNow(state, question, { end, by, until: undoUntil })
      return closeQuestion(edits ? withEdits(state, question, edits) : state, question, end)
    }
    case 'answer.withdrawn':
      return reopenQuestion(state, event.data.question)
    case 'answer.taken': {
      const { question } = event.data
      const end = state.undoable[question]?.end
      return end ? closeQuestion(reopenQuestion(state, question), question, end) : state
    }
    case 'question.declined': {
      const { question, by, via, reason } = event.data
      return closeQuestion(state, question, { outcome: 'declined', at: event.at, by: by.name, via, answers: null, reason })
    }
    case 'question.cancelled': {
      const { question, by, reason, why } = event.data
      const end = { outcome: 'cancelled', at: event.at, by: by.name, via: null, answers: null, reason } as const
      return closeQuestion(state, question, why === null ? end : { ...end, why })
    }
    case 'question.expired':
      return closeQuestion(state, event.data.question, {
        outcome: 'expired',
        at: event.at,
        by: null,
        via: null,
        answers: null,
        reason: null,
      })
    case 'approval.key-given': {
      const { question, by, via } = event.data
      const open = state.questions[question]
      if (!open) return state
      return { ...state, questions: { ...state.questions, [question]: { ...open, keysGiven: [...open.keysGiven, eventAuthor(by, via)] } } }
    }
    case 'grant.made': {
      const { grant, question, by, via } = event.data
      const grants = [...state.grants, { ...grant, question, by, via, madeAt: event.at, end: null }].slice(-approvalLimits.grants)
      return { ...state, grants }
    }
    case 'grant.ended': {
      const end = { at: event.at, by: event.data.by.name, why: event.data.why }
      return { ...state, grants: state.grants.map((one) => (one.grant === event.data.grant ? { ...one, end } : one)) }
    }
    case 'answer.refused': {
      const { question, by, via } = event.data
      const open = state.questions[question]
      if (!open) return state
      const refusedIds = [...open.refusedIds, eventAuthor(by, via).id].slice(-dialogLimits.refusedAnswers)
      return { ...state, questions: { ...state.questions, [question]: { ...open, refusedIds } } }
    }
    case 'turn.finished':
      return { ...atRest(heldAfterAlone(state, event.at), 'ready', event.data.seen), failure: null }
    case 'turn.failed': {
      const { code, details, spent, seen = state.seq, isFinal, replyDueAt } = event.data
      const failed: DialogState = {
        ...atRest(heldAfterAlone(state, event.at), 'failed', Math.max(seen, state.seenSeq)),
        spent: totalSpent(state.spent, spent),
      }
      // A message that came too late for this turn starts the next one.
      if (state.spokenSeq > failed.seenSeq) return { ...failed, rest: 'ready', failure: null }
      const more = { ...(isFinal ? { isFinal } : {}), ...(replyDueAt === undefined ? {} : { replyDueAt }) }
      return { ...failed, failure: { code, details, at: event.at, retryAt: null, ...more } }
    }
    case 'failure.settled': {
      const isTold = { isTold: true as const, ...(event.data.why === 'given-up' ? { isGivenUp: true as const } : {}) }
      return state.failure ? { ...state, failure: { ...state.failure, ...isTold } } : state
    }
    case 'turn.stopped': {
      const { held, spent, seen = state.seq } = event.data
      const owing = held ? { ...state, held: { ...held, at: event.at } } : heldAfterAlone(state, event.at)
      const ended = atRest(owing, 'stopped', Math.max(seen, state.stopSeq, state.seenSeq))
      const goesOn = ended.held !== null || ended.latch !== null || state.spokenSeq > ended.seenSeq
      return { ...ended, rest: goesOn ? 'ready' : 'stopped', failure: null, spent: totalSpent(state.spent, spent) }
    }
    case 'turn.cut': {
      const spent = totalSpent(state.spent, event.data.spent)
      return event.data.why === 'crash'
        ? { ...state, spent, crashes: [...state.crashes, event.at].slice(-dialogLimits.crashes) }
        : { ...state, spent }
    }
    case 'stop.requested':
      return { ...state, stopRequested: true, stopSeq: state.seq }
    case 'latch.set': {
      const latch = { by: event.data.by.name, via: event.data.via, at: event.at }
      return { ...state, latch, stopSeq: state.seq, stopRequested: state.stopRequested || isDue(before) }
    }
    case 'latch.lifted': {
      const lifted = { ...state, latch: null, stopRequested: false, pushes: 0, asksInARow: 0 }
      return state.held ? released(lifted) : lifted
    }
    case 'dialog.held':
      return { ...state, held: { ...event.data, at: event.at } }
    case 'dialog.continued':
      return reasonToRun(released(state))
    case 'tellask.made': {
      const pending = { ...event.data, course: state.course, at: event.at, seq: state.seq }
      // Fresh minds are many requests, but one call.
      const isSameCall = Object.values(state.pending).some((other) => other.call === pending.call)
      return { ...state, asksInARow: state.asksInARow + (isSameCall ? 0 : 1), pending: { ...state.pending, [pending.tellask]: pending } }
    }
    case 'tellask.received':
      return received(state, event)
    case 'reply.given':
      return replied(state, event.data.tellask)
    case 'reply.received':
      return gotReply(state, event.data)
    case 'session.registered': {
      const { agent, session, dialog } = event.data
      return { ...state, sessions: { ...state.sessions, [sessionKey(agent, session)]: dialog } }
    }
    case 'session.dropped': {
      const { [sessionKey(event.data.agent, event.data.session)]: _, ...sessions } = state.sessions
      return { ...state, sessions }
    }
    case 'course.started':
      return {
        ...state,
        course: event.data.course,
        // A model reads the news of its own course by itself.
        inputSeq: event.data.snapshot ? state.inputSeq : state.seq,
        health: 'unknown',
      }
    case 'course.requested':
      // A dialog that failed or was stopped continues with it.
      return state.rest === 'ready' ? state : reasonToRun(state)
    case 'generation.started':
    case 'epoch.started':
    case 'prompt.compacted':
    case 'dialog.branched':
      return state
    case 'prompt.noted':
    case 'prompt.told':
      return isPush(event) ? { ...state, pushes: state.pushes + 1 } : state
    case 'prompt.added':
      return { ...state, inputSeq: state.seq, pushes: state.pushes + (event.data.why === 'diligence' ? 1 : 0) }
    case 'budget.noticed':
      return {
        ...state,
        budgetNotices: [...state.budgetNotices, `${event.data.key} ${event.data.limit}`].slice(-dialogLimits.budgetNotices),
      }
    case 'reminder.added': {
      const { reminder, text, position } = event.data
      return { ...state, reminders: state.reminders.toSpliced(position, 0, { reminder, text }) }
    }
    case 'reminder.updated':
      return {
        ...state,
        reminders: state.reminders.map((each) => (each.reminder === event.data.reminder ? { ...each, text: event.data.text } : each)),
      }
    case 'reminder.deleted':
      return { ...state, reminders: state.reminders.filter((each) => each.reminder !== event.data.reminder) }
    case 'dialog.died':
      return { ...atRest(state, 'stopped', state.seenSeq), isDead: true, latch: null, held: null, assignments: [], failure: null }
    case 'taskdoc.read':
      return { ...state, taskdocChange: event.data.change }
    default:
      // A page may be older than its server: an event it does not know is only counted.
      event satisfies never
      return state
  }
}

function noted(state: DialogState, event: NoteEvent): DialogState {
  if (event.type === 'dialog.titled') return { ...state, title: event.data.title, titledBy: event.data.by }
  if (event.type === 'dialog.pinned') return { ...state, isPinned: event.data.isPinned }
  if (event.type === 'model.chosen') return { ...state, model: event.data.model }
  if (event.type === 'dialog.archived') return { ...state, isArchived: event.data.isArchived }
  if (event.type === 'dialog.retired') {
    const { data } = event
    return state.seq > 1 ? { ...state, retired: data, updatedAt: data.updatedAt } : retiredState(data)
  }
  if (event.type === 'dialog.deleted')
    return { ...initialDialog, seq: event.data.events + 1, updatedAt: event.at, isDead: true, isDeleted: true }
  if (event.type === 'dialog.restored') return { ...state, retired: null }
  if (event.type !== 'pushes.changed') return state
  const { change } = event.data
  return change === 'refill' ? { ...state, pushes: 0 } : { ...state, arePushesOff: change === 'off' }
}

/** The agent is told to look once more. */
const isPush = (event: Extract<DialogEvent, { type: 'prompt.noted' | 'prompt.told' }>): boolean =>
  event.type === 'prompt.told' ? event.data.block === 'diligence' : event.data.notes.some(({ kind }) => kind === 'diligence')

/** A person's message or Continue starts a turn even where the dialog was stopped or had failed. */
const reasonToRun = (state: DialogState): DialogState => ({
  ...state,
  inputSeq: state.seq,
  rest: 'ready',
  failure: null,
  pushes: 0,
  asksInARow: 0,
})

/** Work that a stop held back starts again. */
const released = (state: DialogState): DialogState => ({ ...state, held: null, inputSeq: state.seq, workSeq: state.seq })

const atRest = (state: DialogState, rest: DialogState['rest'], seenSeq: number): DialogState => ({
  ...state,
  rest,
  turn: null,
  stopRequested: false,
  seenSeq,
  waitingMessages: seenSeq >= state.inputSeq ? 0 : Math.min(state.waitingMessages, state.inputSeq - seenSeq),
  crashes: [],
})

/** An alone turn could neither act on what it read nor reply to its request: both continue when the stop is lifted. */
function heldAfterAlone(state: DialogState, at: number): DialogState {
  const alone: Hold | null = state.turn?.alone ?? null
  if (alone === null || state.held !== null) return state
  const owesReply = findFocus(state) !== null && isUnblocked(state)
  return hasUnreadWork(state) || owesReply ? { ...state, held: { ...alone, at } } : state
}

const totalSpent = (before: Spent, more: Spent | undefined): Spent =>
  more === undefined ? before : { tokens: before.tokens + more.tokens, money: before.money + more.money }

/** The call runs with the words that the person approved. */
function withEdits(state: DialogState, question: string, edits: ApprovalEdits): DialogState {
  const call = state.calls[state.questions[question]?.call ?? '']
  return call ? { ...state, calls: { ...state.calls, [call.call]: { ...call, edits: { ...call.edits, ...edits } } } } : state
}

function answerForNow(state: DialogState, question: string, answer: Omit<UndoableAnswer, 'asked'>): DialogState {
  const { [question]: asked, ...questions } = state.questions
  return asked ? { ...state, questions, undoable: { ...state.undoable, [question]: { asked, ...answer } } } : state
}

function reopenQuestion(state: DialogState, question: string): DialogState {
  const { [question]: answer, ...undoable } = state.undoable
  return answer ? { ...state, undoable, questions: { ...state.questions, [question]: answer.asked } } : state
}

/** The answer to the last open question sets the dialog going; an earlier one is kept until the rest is answered. */
function closeQuestion(state: DialogState, question: string, end: ClosedQuestion): DialogState {
  const { [question]: asked, ...questions } = state.questions
  if (!asked) return state
  const calls = { ...state.calls }
  // A question a crashed tool call led to decides about the call itself; an agent's own question is the call's result.
  const asking = asked.call === null ? undefined : calls[asked.call]
  if (asking && asking.name === askHuman) delete calls[asking.call]
  const all = [...Object.entries(state.closed), [question, { asked: withShortShown(asked), end }] as const]
  // A call that was decided and has no result yet still needs its decision.
  const needed = new Set(Object.values(calls).map((call) => call.question))
  const entries = all.filter(([id], index) => index >= all.length - dialogLimits.closedQuestions || needed.has(id))
  const next = { ...state, questions, calls, closed: Object.fromEntries(entries) }
  // "Leave it", or no answer at all, is no reason to continue: it would only be told to look once more again.
  if (asked.purpose === 'notice' || asked.purpose === 'peer') return next
  if (asked.purpose === 'limit' && asked.limit && !liftsLimit(end))
    return end.why === 'covered' || end.outcome === 'expired'
      ? { ...next, settledSeq: state.seq }
      : { ...next, rest: 'failed', failure: { ...limitFailure(asked.limit), at: end.at, retryAt: null } }
  if (asked.purpose === 'diligence' && end.answers?.[diligenceAnswer.item] !== diligenceAnswer.goOn) return next
  // Kept until nothing else is awaited; a person's answer also revives what was stopped, a clock does not.
  if (end.outcome === 'expired') return { ...next, settledSeq: state.seq, pushes: 0 }
  return { ...next, settledSeq: state.seq, rest: 'ready', failure: null, pushes: 0, asksInARow: 0 }
}

/** The event keeps everything that was shown; the state keeps enough to recognise it. */
function withShortShown(asked: OpenQuestion): OpenQuestion {
  const { approval } = asked
  if (!approval) return asked
  const { texts: _, ...shown } = approval.shown
  if (shown.text.length <= approvalLimits.closedShownChars) return { ...asked, approval: { ...approval, shown } }
  const text = shown.text.slice(0, approvalLimits.closedShownChars).toWellFormed()
  return { ...asked, approval: { ...approval, shown: { ...shown, text, isCut: true } } }
}

/** A question asked back is shown at once; a request waits until the ones before it have their reply. */
function received(state: DialogState, event: Extract<DialogEvent, { type: 'tellask.received' }>): DialogState {
  const { tellask, mode, from, by, session, content } = event.data
  const isActive = mode === 'back' || !state.assignments.some((each) => each.mode !== 'back')
  const assignment: OpenAssignment = { tellask, mode, from, by, session, content, at: event.at, seq: state.seq, isActive }
  const next = { ...state, assignments: [...state.assignments, assignment] }
  if (!isActive) return next
  // A new request is a reason to try again, once the one that failed has its reply.
  const revived = mode !== 'back' && state.rest === 'failed' ? { rest: 'ready' as const, failure: null } : {}
  return { ...next, ...revived, asksInARow: mode === 'back' ? state.asksInARow : 0, workSeq: state.seq, inputSeq: state.seq }
}

/** One reply closes one request; the next in line becomes visible. */
function replied(state: DialogState, tellask: string): DialogState {
  const remaining = state.assignments.filter((each) => each.tellask !== tellask)
  const next = remaining.find((each) => each.mode !== 'back')
  const isNew = next !== undefined && !next.isActive
  const after = { ...state, assignments: remaining.map((each) => (each === next ? { ...each, isActive: true } : each)) }
  // An open request is repeated: the turn that has just ended may have read it without a reply.
  if (!isNew && (findFocus(after) === null || !isUnblocked(after))) return after
  const revived = isNew && state.rest === 'failed' ? { rest: 'ready' as const, failure: null } : {}
  return { ...after, ...revived, asksInARow: isNew ? 0 : state.asksInARow, workSeq: state.seq, inputSeq: state.seq }
}

/** The call gets its result when all its requests have a reply; the dialog continues when nothing else is awaited. */
function gotReply(state: DialogState, { tellask, outcome, text }: { tellask: string; outcome: string; text: string }): DialogState {
  const { [tellask]: asked, ...pending } = state.pending
  if (!asked) return state
  const { [asked.call]: replies = [], ...partReplies } = state.partReplies
  const isLast = !Object.values(pending).some((other) => other.call === asked.call)
  if (!isLast)
    return { ...state, pending, partReplies: { ...partReplies, [asked.call]: [...replies, { ok: outcome === 'replied', text }] } }
  const { [asked.call]: _, ...calls } = state.calls
  const next = { ...state, pending, partReplies, calls }
  // A reply to a request that was made for work which is delivered by now waits for the next request.
  const isLate = state.origin !== null && state.assignments.length === 0 && asked.seq < state.reply.givenSeq
  return isLate ? next : { ...next, settledSeq: state.seq }
}
