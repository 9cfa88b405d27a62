import { ownerAudience } from '../authority/audience.ts'
import { type Cause, initialFloor } from '../authority/cause.ts'
import { approvalLimits } from './approval.ts'
import { buildVia, type DialogEvent, type Hold, type Spent } from './events.ts'
import { askHuman, diligenceAnswer } from './question.ts'
import {
  type ClosedQuestion,
  type ContextItem,
  type DialogState,
  dialogLimits,
  focusOf,
  hasUnreadWork,
  isDue,
  isUnblocked,
  type OpenCall,
  type OpenQuestion,
} from './state.ts'
import { assignmentPrompt, backPrompt, carriedOver, isTellaskTool, type OpenAssignment, sessionKey } from './tellask.ts'
import { eventAuthor, causeOf, isTyped, withText } from './turn-cause.ts'

/** What the dialog looks like after one more event. Total: every type is listed, also those that change little. */
export function evolve(before: DialogState, event: DialogEvent): DialogState {
  const state: DialogState = { ...before, seq: before.seq + 1, updatedAt: event.at }
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
    case 'dialog.titled':
      return { ...state, title: event.data.title, titledBy: event.data.by }
    case 'message.said': {
      const { by, text, turn, via } = event.data
      const preview = text.slice(0, 140).toWellFormed()
      if (by.kind === 'agent') return rememberOwn({ ...state, preview }, { kind: 'agent', text, turn: turn ?? 0 })
      const spokenSeq = via === buildVia ? state.spokenSeq : state.seq
      const waitingMessages = state.waitingMessages + 1
      const heard = withText({ ...state, preview, waitingMessages, spokenSeq }, [eventAuthor(by, via)])
      return remember(reasonToRun(heard), { kind: 'human', text, by: by.name })
    }
    case 'turn.started':
      return {
        ...state,
        turns: Math.max(state.turns, event.data.turn),
        cause: event.data.cause ?? causeOf(before),
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
        health: healthAfter(state.health, event.data.health),
        knownSeq: event.data.seen ?? state.knownSeq,
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
      const next = { ...state, calls: { ...state.calls, [call]: open } }
      return rememberOwn(next, { kind: 'call', call, name, input, result: null })
    }
    case 'tool.started': {
      const open = state.calls[event.data.call]
      return open ? { ...state, calls: { ...state.calls, [open.call]: { ...open, isStarted: true } } } : state
    }
    case 'tool.returned': {
      const { call, ok, output } = event.data
      const { [call]: _, ...calls } = state.calls
      const context = settled(state, (item) => (item.kind === 'call' && item.call === call ? { ...item, result: { ok, output } } : null))
      const isKnown = state.context.some((item) => item.kind === 'call' && item.call === call)
      return bounded({ ...state, calls, context, contextChars: state.contextChars + (isKnown ? sizeOf(output) : 0) })
    }
    case 'question.asked': {
      const { question, turn, call, ask, by, expiresAt, purpose, cause, audience = ownerAudience, approval } = event.data
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
        keysGiven: [],
        refusedIds: [],
      }
      const questions = { ...state.questions, [question]: open }
      const asking = call === null ? undefined : state.calls[call]
      // A new question about a call that had begun decides about one more run.
      const { isStarted: _, ...unstarted } = asking ?? {}
      const calls = call !== null && asking ? { ...state.calls, [call]: { ...(unstarted as OpenCall), question } } : state.calls
      if (!approval) return rememberOwn({ ...state, questions, calls }, { kind: 'question', question, call, ask, outcome: null })
      const context = state.context.map((item) =>
        item.kind === 'call' && item.call === call ? { ...item, awaits: 'approval' as const } : item,
      )
      return { ...state, questions, calls, context }
    }
    case 'question.answered': {
      const { question, by, via, answers, decision, note } = event.data
      const ask = state.questions[question]?.ask
      const heard = ask && isTyped(ask, answers) ? withText(state, [eventAuthor(by, via)]) : state
      return closeQuestion(heard, question, {
        outcome: 'answered',
        at: event.at,
        by: by.name,
        via,
        answers,
        reason: null,
        ...(decision === undefined ? {} : { decision }),
        ...(note === undefined ? {} : { note }),
      })
    }
    case 'question.declined': {
      const { question, by, via, reason } = event.data
      const heard = reason === null ? state : withText(state, [eventAuthor(by, via)])
      return closeQuestion(heard, question, { outcome: 'declined', at: event.at, by: by.name, via, answers: null, reason })
    }
    case 'question.cancelled': {
      const { question, by, reason } = event.data
      return closeQuestion(state, question, { outcome: 'cancelled', at: event.at, by: by.name, via: null, answers: null, reason })
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
      const { code, details, spent, seen = state.seq } = event.data
      const failed: DialogState = {
        ...atRest(heldAfterAlone(state, event.at), 'failed', Math.max(seen, state.seenSeq)),
        spent: totalSpent(state.spent, spent),
      }
      // A message that came too late for this turn starts the next one.
      if (state.spokenSeq > failed.seenSeq) return { ...failed, rest: 'ready', failure: null }
      return { ...failed, failure: { code, details, at: event.at, retryAt: null } }
    }
    case 'turn.stopped': {
      const { text, turn, held, spent, seen = state.seq } = event.data
      const owing = held ? { ...state, held: { ...held, at: event.at } } : heldAfterAlone(state, event.at)
      const ended = atRest(owing, 'stopped', Math.max(seen, state.stopSeq, state.seenSeq))
      const goesOn = ended.held !== null || ended.latch !== null || state.spokenSeq > ended.seenSeq
      const stopped: DialogState = { ...ended, rest: goesOn ? 'ready' : 'stopped', failure: null, spent: totalSpent(state.spent, spent) }
      return text === null ? stopped : remember({ ...stopped, preview: text.slice(0, 140).toWellFormed() }, { kind: 'agent', text, turn })
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
      return received(withCause(state, event.data.cause), event)
    case 'reply.given':
      return replied(state, event.data.tellask)
    case 'reply.received':
      return gotReply(withCause(state, event.data.cause), event.data)
    case 'session.registered': {
      const { agent, session, dialog } = event.data
      return { ...state, sessions: { ...state.sessions, [sessionKey(agent, session)]: dialog } }
    }
    case 'session.dropped': {
      const { [sessionKey(event.data.agent, event.data.session)]: _, ...sessions } = state.sessions
      return { ...state, sessions }
    }
    case 'course.started':
      return freshCourse(state, event.data)
    case 'prompt.added':
      if (event.data.why === 'health') return prompted({ ...state, health: { ...state.health, isTold: true } }, event.data.text)
      return prompted({ ...state, pushes: state.pushes + 1 }, event.data.text)
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
    case 'dialog.trusted':
      return { ...state, floor: initialFloor }
  }
}

/** A request or a reply brings along the floor and the authors of the dialog it comes from. */
const withCause = (state: DialogState, cause: Cause | undefined): DialogState => (cause ? withText(state, cause.by, cause.role) : state)

/** Somebody's words: reason enough also where it was stopped or had failed. */
const reasonToRun = (state: DialogState): DialogState => ({
  ...state,
  inputSeq: state.seq,
  rest: 'ready',
  failure: null,
  pushes: 0,
  asksInARow: 0,
})

/** What a stop held back is a reason to run again. */
const released = (state: DialogState): DialogState => ({ ...state, held: null, inputSeq: state.seq, workSeq: state.seq })

/** Another dialog's words, or the runtime's: they wait where a person has stopped it. */
const prompted = (state: DialogState, text: string): DialogState => remember({ ...state, inputSeq: state.seq }, { kind: 'prompt', text })

const atRest = (state: DialogState, rest: DialogState['rest'], seenSeq: number): DialogState => ({
  ...state,
  rest,
  turn: null,
  stopRequested: false,
  seenSeq,
  waitingMessages: seenSeq >= state.inputSeq ? 0 : Math.min(state.waitingMessages, state.inputSeq - seenSeq),
  // Kept whole while anything is unread: naming one author too many asks a person more often, never less.
  inputAuthors: seenSeq >= state.inputSeq ? [] : state.inputAuthors,
  crashes: [],
})

/** What an alone turn has read it could not act on, and a request it works on it could not reply to: both continue when the stop is lifted. */
function heldAfterAlone(state: DialogState, at: number): DialogState {
  const alone: Hold | null = state.turn?.alone ?? null
  if (alone === null || state.held !== null) return state
  const owesReply = focusOf(state) !== null && isUnblocked(state)
  return hasUnreadWork(state) || owesReply ? { ...state, held: { ...alone, at } } : state
}

const totalSpent = (before: Spent, more: Spent | undefined): Spent =>
  more === undefined ? before : { tokens: before.tokens + more.tokens, money: before.money + more.money }

const healthAfter = (before: DialogState['health'], level: DialogState['health']['level'] = 'unknown'): DialogState['health'] => ({
  level,
  generations: level === before.level ? before.generations + 1 : 0,
  isTold: false,
})

/** The mind is cleared, but nothing is lost that came since it last looked: words, answers and replies are the start of the new course. */
function freshCourse(
  state: DialogState,
  { course, why, prompt }: { course: number; why: 'asked' | 'forced'; prompt: string },
): DialogState {
  const isNews = (item: ContextItem): boolean => {
    if ((item.seq ?? 0) <= state.knownSeq) return false
    // An agent that clears its mind itself has done with the tools it called; one whose mind is cleared for it has not.
    if (item.kind === 'call') return item.result !== null && (why === 'forced' || isTellaskTool(item.name))
    // The request it works on is said by the new course's first prompt already.
    if (item.kind === 'prompt') return !prompt.startsWith(item.text)
    return item.kind === 'human' || (item.kind === 'question' && item.outcome !== null)
  }
  const news = state.context.filter(isNews)
  const start: ContextItem = { kind: 'prompt', text: prompt, seq: state.seq }
  const context = [start, ...news]
  const contextChars = context.reduce((sum, item) => sum + charsOf(item), 0)
  const health = { level: 'unknown' as const, generations: 0, isTold: false }
  return { ...state, course, context, contextChars, contextDropped: 0, inputSeq: state.seq, health }
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
  const kept = all.filter(([id], index) => index >= all.length - dialogLimits.closedQuestions || needed.has(id))
  const context = settled(state, (item) => {
    if (item.kind === 'question' && item.question === question) return { ...item, outcome: end }
    return item.kind === 'call' && item.call === asked.call ? item : null
  })
  const next = { ...state, questions, calls, closed: Object.fromEntries(kept), context }
  // "Leave it", or no answer at all, is no reason to go on: it would only be told to look once more again.
  if (asked.purpose === 'diligence' && end.answers?.[diligenceAnswer.item] !== diligenceAnswer.goOn) return next
  // Kept until nothing else is awaited; a person's answer also revives what was stopped, a clock does not.
  if (end.outcome === 'expired') return { ...next, settledSeq: state.seq, pushes: 0 }
  return { ...next, settledSeq: state.seq, rest: 'ready', failure: null, pushes: 0, asksInARow: 0 }
}

/** The event keeps everything that was shown; the state keeps enough to recognise it. */
function withShortShown(asked: OpenQuestion): OpenQuestion {
  const { approval } = asked
  if (!approval || approval.shown.text.length <= approvalLimits.closedShownChars) return asked
  const text = approval.shown.text.slice(0, approvalLimits.closedShownChars).toWellFormed()
  return { ...asked, approval: { ...approval, shown: { ...approval.shown, text, isCut: true } } }
}

/** What has just got its outcome moves to the end: the last items are what the agent has to react to. */
function settled(state: DialogState, change: (item: ContextItem) => ContextItem | null): ContextItem[] {
  const rest: ContextItem[] = []
  const moved: ContextItem[] = []
  for (const item of state.context) {
    const changed = change(item)
    if (changed) moved.push({ ...changed, seq: state.seq })
    else rest.push(item)
  }
  return [...rest, ...moved]
}

/** A question asked back is seen at once; a request waits until the ones before it have their reply. */
function received(state: DialogState, event: Extract<DialogEvent, { type: 'tellask.received' }>): DialogState {
  const { tellask, mode, from, by, session, content, about } = event.data
  const isActive = mode === 'back' || !state.assignments.some((each) => each.mode !== 'back')
  const assignment: OpenAssignment = { tellask, mode, from, by, session, content, at: event.at, seq: state.seq, isActive }
  const next = { ...state, assignments: [...state.assignments, assignment] }
  if (mode === 'back') return prompted({ ...next, pushes: 0, workSeq: state.seq }, backPrompt(state.language, assignment, about))
  if (!isActive) return next
  return prompted({ ...next, pushes: 0, asksInARow: 0, workSeq: state.seq }, assignmentPrompt(state.language, assignment))
}

/** One reply closes one request; the next in line becomes visible. */
function replied(state: DialogState, tellask: string): DialogState {
  const left = state.assignments.filter((each) => each.tellask !== tellask)
  const next = left.find((each) => each.mode !== 'back')
  const assignments = left.map((each) => (each === next ? { ...each, isActive: true } : each))
  const after = { ...state, assignments, pushes: 0 }
  const withWork = { ...after, workSeq: state.seq }
  if (next && !next.isActive) return prompted({ ...withWork, asksInARow: 0 }, assignmentPrompt(state.language, next))
  const focus = focusOf(after)
  // What is still owed is said again: the turn that has just ended may have looked at it without answering it.
  if (!focus || !isUnblocked(after)) return after
  return prompted(withWork, focus.mode === 'back' ? backPrompt(state.language, focus, null) : assignmentPrompt(state.language, focus))
}

/** The call gets its result when all its requests have a reply; the dialog goes on when nothing else is out. */
function gotReply(state: DialogState, { tellask, outcome, text }: { tellask: string; outcome: string; text: string }): DialogState {
  const { [tellask]: asked, ...pending } = state.pending
  if (!asked) return state
  const replies = [...(state.partReplies[asked.call] ?? []), { ok: outcome === 'replied', text }]
  const isLast = !Object.values(pending).some((other) => other.call === asked.call)
  const { [asked.call]: _, ...partReplies } = state.partReplies
  if (!isLast) return { ...state, pending, partReplies: { ...partReplies, [asked.call]: replies } }
  const { [asked.call]: __, ...calls } = state.calls
  const output = replies.length === 1 ? text : replies.map((reply, index) => `#${index + 1}\n${reply.text}`).join('\n\n')
  const result = { ok: replies.some((reply) => reply.ok), output }
  const isKnown = state.context.some((item) => item.kind === 'call' && item.call === asked.call)
  const closed: DialogState = { ...state, pending, partReplies, calls }
  const told = isKnown
    ? bounded({
        ...closed,
        context: settled(state, (item) => (item.kind === 'call' && item.call === asked.call ? { ...item, result } : null)),
        contextChars: state.contextChars + output.length,
      })
    : remember(closed, { kind: 'prompt', text: carriedOver(state.language, asked, output) })
  return { ...told, settledSeq: state.seq, pushes: 0 }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0))

function charsOf(item: ContextItem): number {
  switch (item.kind) {
    case 'human':
    case 'agent':
    case 'prompt':
      return item.text.length
    case 'call':
      return sizeOf(item.input) + sizeOf(item.result?.output ?? '')
    case 'question':
      return sizeOf(item.ask)
  }
}

/**
 * What the agent itself said or did goes before what came while it thought: the last items are what it has to react to,
 * and its own words are no answer to something it had not heard.
 */
function rememberOwn(state: DialogState, item: ContextItem): DialogState {
  const { seen, generatedSeq } = state.turn ?? { seen: null, generatedSeq: 0 }
  const cameMeanwhile = ({ seq = 0 }: ContextItem): boolean => seen !== null && seq > seen && seq < generatedSeq
  const index = state.context.findIndex(cameMeanwhile)
  if (index < 0) return remember(state, item)
  const context = state.context.toSpliced(index, 0, { ...item, seq: state.seq })
  return bounded({ ...state, context, contextChars: state.contextChars + charsOf(item) })
}

const remember = (state: DialogState, item: ContextItem): DialogState =>
  bounded({ ...state, context: [...state.context, { ...item, seq: state.seq }], contextChars: state.contextChars + charsOf(item) })

/**
 * Keeps what an agent reads within bounds, so that a turn costs the same on the first day and the thousandth.
 * A third goes at once: dropping one item each time would change the start of every prompt and defeat prompt caches.
 */
function bounded(state: DialogState): DialogState {
  const { contextItems, contextChars } = dialogLimits
  if (state.context.length <= contextItems && state.contextChars <= contextChars) return state
  const keepItems = Math.floor((contextItems * 2) / 3)
  const keepChars = Math.floor((contextChars * 2) / 3)
  let drop = 0
  let chars = state.contextChars
  // At least the newest item stays, however long it is.
  while (drop < state.context.length - 1 && (state.context.length - drop > keepItems || chars > keepChars)) {
    chars -= charsOf(state.context[drop] as ContextItem)
    drop += 1
  }
  return { ...state, context: state.context.slice(drop), contextChars: chars, contextDropped: state.contextDropped + drop }
}
