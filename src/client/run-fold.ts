import { buildVia } from '../dialog/events.ts'
import { askHuman, diligenceAnswer } from '../dialog/question.ts'
import type { TellaskMode } from '../dialog/tellask.ts'
import type { DialogEvent, DialogStatus } from './wire.ts'

/** What a dialog's status is worked out from. The rules are those of the dialog itself, over the little a reader needs. */
export type RunFold = {
  exists: boolean
  turn: number | null
  inputSeq: number
  settledSeq: number
  seenSeq: number
  /** A person's last message, the last request or Continue, and the last stop. */
  spokenSeq: number
  workSeq: number
  stopSeq: number
  stopRequested: boolean
  latch: boolean
  held: boolean
  /** The turn only answers a person, because the work is stopped. */
  isAlone: boolean
  rest: 'ready' | 'stopped' | 'failed'
  isDead: boolean
  /** Open questions, by the number of the event that asked them. */
  questions: Readonly<Record<string, number>>
  /** Those of them by which the runtime asks whether to go on: nothing waits for them. */
  diligence: readonly string[]
  /** Calls without a result, except questions of the agent. */
  calls: readonly string[]
  /** Calls that wait for a decision, by the question; and those decided that have no result yet. */
  deciding: Readonly<Record<string, string>>
  decided: readonly string[]
  /** Requests without a reply. */
  pending: Readonly<Record<string, { call: string | null; seq: number }>>
  /** Requests to be replied to, in the order they came. */
  assignments: readonly { tellask: string; mode: TellaskMode; seq: number; isActive: boolean }[]
}

export const emptyFold: RunFold = {
  exists: false,
  turn: null,
  inputSeq: 0,
  settledSeq: 0,
  seenSeq: 0,
  spokenSeq: 0,
  workSeq: 0,
  stopSeq: 0,
  stopRequested: false,
  latch: false,
  held: false,
  isAlone: false,
  rest: 'ready',
  isDead: false,
  questions: {},
  diligence: [],
  calls: [],
  deciding: {},
  decided: [],
  pending: {},
  assignments: [],
}

export function statusOf(fold: RunFold): DialogStatus {
  if (fold.isDead) return 'dead'
  if (fold.exists && isDue(fold)) return fold.stopRequested ? 'stopping' : 'working'
  if (fold.latch || fold.held) return 'stopped'
  if (fold.rest !== 'ready') return fold.rest
  if (Object.keys(fold.questions).length > 0) return 'waiting'
  return Object.keys(fold.pending).length > 0 ? 'delegated' : 'ready'
}

function isDue(fold: RunFold): boolean {
  if (fold.stopRequested || fold.turn !== null) return true
  if (fold.rest !== 'ready') return false
  if (fold.spokenSeq > fold.seenSeq) return true
  if (fold.latch || fold.held) return false
  return fold.inputSeq > fold.seenSeq || (fold.settledSeq > fold.seenSeq && (fold.decided.length > 0 || isUnblocked(fold)))
}

/** While it answers a question asked back, only what it asked for since then is awaited. */
function isUnblocked({ questions, pending, assignments }: RunFold): boolean {
  const focus = focusOf(assignments)
  const since = focus?.mode === 'back' ? focus.seq : 0
  return !Object.values(questions).some((seq) => seq > since) && !Object.values(pending).some(({ seq }) => seq > since)
}

const focusOf = (assignments: RunFold['assignments']): RunFold['assignments'][number] | undefined =>
  assignments.findLast((each) => each.isActive && each.mode === 'back') ?? assignments.find((each) => each.isActive)

export function folded(before: RunFold, event: DialogEvent, seq: number): RunFold {
  const fold = { ...before, exists: true }
  switch (event.type) {
    case 'message.said':
      if (event.data.by.kind !== 'human') return fold
      return { ...fold, inputSeq: seq, rest: 'ready', spokenSeq: event.data.via === buildVia ? fold.spokenSeq : seq }
    case 'dialog.continued':
      return { ...fold, held: false, inputSeq: seq, workSeq: seq, rest: 'ready' }
    case 'turn.started':
      return { ...fold, turn: event.data.turn, isAlone: event.data.alone !== undefined, held: event.data.alone !== undefined && fold.held }
    case 'turn.finished':
      return atRest(afterAlone(fold), 'ready', event.data.seen)
    case 'turn.failed': {
      const failed = atRest(afterAlone(fold), 'failed', Math.max(event.data.seen ?? seq, fold.seenSeq))
      return failed.spokenSeq > failed.seenSeq ? { ...failed, rest: 'ready' } : failed
    }
    case 'turn.stopped': {
      const owing = event.data.held ? { ...fold, held: true } : afterAlone(fold)
      const ended = atRest(owing, 'stopped', Math.max(event.data.seen ?? seq, fold.stopSeq, fold.seenSeq))
      return ended.held || ended.latch || ended.spokenSeq > ended.seenSeq ? { ...ended, rest: 'ready' } : ended
    }
    case 'stop.requested':
      return { ...fold, stopRequested: true, stopSeq: seq }
    case 'latch.set':
      return { ...fold, latch: true, stopSeq: seq, stopRequested: fold.stopRequested || isDue(before) }
    case 'latch.lifted':
      return {
        ...fold,
        latch: false,
        stopRequested: false,
        ...(fold.held ? { held: false, inputSeq: seq, workSeq: seq } : {}),
      }
    case 'dialog.held':
      return { ...fold, held: true }
    case 'question.asked': {
      const { question, call, purpose } = event.data
      const questions = { ...fold.questions, [question]: purpose === 'diligence' ? 0 : seq }
      if (purpose === 'diligence') return { ...fold, questions, diligence: [...fold.diligence, question] }
      // An answer to the agent's own question is the result of its call; one about a call decides whether it runs.
      const isAboutCall = call !== null && fold.calls.includes(call)
      return {
        ...fold,
        questions,
        ...(isAboutCall ? { deciding: { ...fold.deciding, [question]: call }, decided: fold.decided.filter((each) => each !== call) } : {}),
      }
    }
    case 'question.answered':
    case 'question.declined':
    case 'question.cancelled':
    case 'question.expired': {
      const { [event.data.question]: _, ...questions } = fold.questions
      const goesOn = event.type === 'question.answered' && event.data.answers[diligenceAnswer.item] === diligenceAnswer.goOn
      if (fold.diligence.includes(event.data.question) && !goesOn) return { ...fold, questions }
      const { [event.data.question]: call, ...deciding } = fold.deciding
      const decided = call === undefined ? fold.decided : [...fold.decided, call]
      return { ...fold, questions, deciding, decided, settledSeq: seq, rest: event.type === 'question.expired' ? fold.rest : 'ready' }
    }
    case 'tellask.made':
      return { ...fold, pending: { ...fold.pending, [event.data.tellask]: { call: event.data.call, seq } } }
    case 'tellask.received': {
      const { tellask, mode } = event.data
      const isActive = mode === 'back' || !fold.assignments.some((each) => each.mode !== 'back')
      const assignments = [...fold.assignments, { tellask, mode, seq, isActive }]
      return isActive ? { ...fold, assignments, inputSeq: seq, workSeq: seq } : { ...fold, assignments }
    }
    case 'reply.given':
      return replied(fold, event.data.tellask, seq)
    case 'reply.received': {
      const { [event.data.tellask]: asked, ...pending } = fold.pending
      // The call has its result when all its requests have a reply. One from before what is shown counts as the last.
      const isLast = !asked || !Object.values(pending).some(({ call }) => call !== null && call === asked.call)
      return { ...fold, pending, settledSeq: isLast ? seq : fold.settledSeq }
    }
    case 'course.started':
    case 'prompt.added':
      return { ...fold, inputSeq: seq }
    case 'dialog.died':
      return { ...atRest(fold, 'stopped', fold.seenSeq), isDead: true, latch: false, held: false, assignments: [] }
    case 'tool.called':
      return event.data.name === askHuman ? fold : { ...fold, calls: [...fold.calls, event.data.call] }
    case 'tool.returned':
      return {
        ...fold,
        calls: fold.calls.filter((call) => call !== event.data.call),
        decided: fold.decided.filter((call) => call !== event.data.call),
      }
    case 'dialog.opened':
    case 'dialog.titled':
    case 'dialog.trusted':
    case 'answer.refused':
    case 'approval.key-given':
    case 'grant.made':
    case 'grant.ended':
    case 'tool.started':
    case 'generation.finished':
    case 'generation.failed':
    case 'turn.cut':
    case 'session.registered':
    case 'session.dropped':
    case 'reminder.added':
    case 'reminder.updated':
    case 'reminder.deleted':
      return fold
    default:
      event satisfies never
      return fold
  }
}

const atRest = (fold: RunFold, rest: RunFold['rest'], seenSeq: number): RunFold => ({
  ...fold,
  turn: null,
  isAlone: false,
  stopRequested: false,
  rest,
  seenSeq,
})

/** What an alone turn has read it could not act on, nor reply to the request it works on. */
function afterAlone(fold: RunFold): RunFold {
  if (!fold.isAlone) return fold
  const hasUnreadWork = fold.workSeq > fold.seenSeq || fold.settledSeq > fold.seenSeq
  return hasUnreadWork || (focusOf(fold.assignments) !== undefined && isUnblocked(fold)) ? { ...fold, held: true } : fold
}

/** One reply closes one request. The next in line becomes visible, and what is still owed is said again. */
function replied(fold: RunFold, tellask: string, seq: number): RunFold {
  const left = fold.assignments.filter((each) => each.tellask !== tellask)
  const next = left.find((each) => each.mode !== 'back')
  const after = { ...fold, assignments: left.map((each) => (each === next ? { ...each, isActive: true } : each)) }
  const isNews = (next && !next.isActive) || (focusOf(after.assignments) !== undefined && isUnblocked(after))
  return isNews ? { ...after, inputSeq: seq, workSeq: seq } : after
}
