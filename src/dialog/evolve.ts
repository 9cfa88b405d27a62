import type { DialogEvent } from './events.ts'
import { type ClosedQuestion, type ContextItem, type DialogState, dialogLimits } from './state.ts'

/** What the dialog looks like after one more event. Total: every type is listed, also those that change little. */
export function evolve(before: DialogState, event: DialogEvent): DialogState {
  const state: DialogState = { ...before, seq: before.seq + 1, updatedAt: event.at }
  switch (event.type) {
    case 'dialog.opened':
      return { ...state, agent: event.data.agent, language: event.data.language, openedAt: event.at }
    case 'dialog.titled':
      return { ...state, title: event.data.title, titledBy: event.data.by }
    case 'message.said': {
      const { by, text, turn } = event.data
      const preview = text.slice(0, 140).toWellFormed()
      if (by.kind === 'agent') return remember({ ...state, preview }, { kind: 'agent', text, turn: turn ?? 0 })
      return remember(reasonToRun({ ...state, preview, waitingMessages: state.waitingMessages + 1 }), { kind: 'human', text, by: by.name })
    }
    case 'turn.started':
      return {
        ...state,
        turns: Math.max(state.turns, event.data.turn),
        turn: { turn: event.data.turn, startedAt: event.at, generations: 0, failures: 0 },
      }
    case 'generation.finished':
      return { ...state, failure: null, turn: state.turn && { ...state.turn, generations: event.data.generation, failures: 0 } }
    case 'generation.failed': {
      const { code, details, retryAt } = event.data
      return {
        ...state,
        failure: { code, details, at: event.at, retryAt },
        turn: state.turn && { ...state.turn, failures: state.turn.failures + 1 },
      }
    }
    case 'tool.called': {
      const { call, turn, name, input, policy } = event.data
      const next = { ...state, calls: { ...state.calls, [call]: { call, turn, name, input, policy, question: null } } }
      return remember(next, { kind: 'call', call, name, input, result: null })
    }
    case 'tool.returned': {
      const { call, ok, output } = event.data
      const { [call]: _, ...calls } = state.calls
      const context = state.context.map((item) => (item.kind === 'call' && item.call === call ? { ...item, result: { ok, output } } : item))
      return bounded({ ...state, calls, context, contextChars: state.contextChars + sizeOf(output) })
    }
    case 'question.asked': {
      const { question, call, ask, by, expiresAt } = event.data
      const questions = { ...state.questions, [question]: { question, call, ask, by, askedAt: event.at, expiresAt } }
      const asking = call === null ? undefined : state.calls[call]
      const calls = call !== null && asking ? { ...state.calls, [call]: { ...asking, question } } : state.calls
      return remember({ ...state, questions, calls }, { kind: 'question', question, call, ask, outcome: null })
    }
    case 'question.answered': {
      const { question, by, via, answers } = event.data
      return closeQuestion(state, question, { outcome: 'answered', at: event.at, by: by.name, via, answers, reason: null })
    }
    case 'question.declined': {
      const { question, by, via, reason } = event.data
      return closeQuestion(state, question, { outcome: 'declined', at: event.at, by: by.name, via, answers: null, reason })
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
    case 'turn.finished': {
      const seenAll = event.data.seen >= state.inputSeq
      return {
        ...atRest(state, 'ready'),
        failure: null,
        seenSeq: event.data.seen,
        waitingMessages: seenAll ? 0 : Math.min(state.waitingMessages, state.inputSeq - event.data.seen),
      }
    }
    case 'turn.failed':
      return {
        ...atRest(state, 'failed'),
        failure: { code: event.data.code, details: event.data.details, at: event.at, retryAt: null },
        seenSeq: state.seq,
        waitingMessages: 0,
      }
    case 'turn.stopped': {
      const stopped = { ...atRest(state, 'stopped'), failure: null, seenSeq: state.seq, waitingMessages: 0 }
      const { text, turn } = event.data
      return text === null ? stopped : remember({ ...stopped, preview: text.slice(0, 140).toWellFormed() }, { kind: 'agent', text, turn })
    }
    case 'stop.requested':
      return { ...state, stopRequested: true }
    case 'dialog.continued':
      return reasonToRun(state)
  }
}

const reasonToRun = (state: DialogState): DialogState => ({ ...state, inputSeq: state.seq, rest: 'ready', failure: null })

const atRest = (state: DialogState, rest: DialogState['rest']): DialogState => ({ ...state, rest, turn: null, stopRequested: false })

/** The answer to the last open question sets the dialog going; an earlier one is kept until the rest is answered. */
function closeQuestion(state: DialogState, question: string, end: ClosedQuestion): DialogState {
  const { [question]: asked, ...questions } = state.questions
  if (!asked) return state
  const calls = { ...state.calls }
  // A question a crashed tool call led to decides about the call itself; an agent's own question is the call's result.
  const asking = asked.call === null ? undefined : calls[asked.call]
  if (asking && asking.name === askHuman) delete calls[asking.call]
  const kept = [...Object.entries(state.closed), [question, { asked, end }] as const].slice(-dialogLimits.closedQuestions)
  const context = state.context.map((item) => (item.kind === 'question' && item.question === question ? { ...item, outcome: end } : item))
  const next = { ...state, questions, calls, closed: Object.fromEntries(kept), context }
  return Object.keys(questions).length === 0 ? reasonToRun(next) : next
}

/** The tool by which an agent asks a human; its question is its result. */
export const askHuman = 'askHuman'

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0))

function charsOf(item: ContextItem): number {
  switch (item.kind) {
    case 'human':
    case 'agent':
      return item.text.length
    case 'call':
      return sizeOf(item.input) + sizeOf(item.result?.output ?? '')
    case 'question':
      return sizeOf(item.ask)
  }
}

const remember = (state: DialogState, item: ContextItem): DialogState =>
  bounded({ ...state, context: [...state.context, item], contextChars: state.contextChars + charsOf(item) })

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
