import type { BuildEvent, BuildEventOf } from './build-events.ts'
import { type Fault, fault } from './fault.ts'
import { type StepId, stepIds } from './steps.ts'

export type OpenQuestion =
  | { kind: 'one'; ask: BuildEventOf<'question.requested'>['payload'] }
  | { kind: 'set'; ask: BuildEventOf<'questions.requested'>['payload'] }

/** Where a build stands by its public events and the answers given; nothing else decides what may come next. */
export type Progress = {
  isStarted: boolean
  /** Counts from 1. Each round is judged by the rules alone. */
  round: number
  status: 'none' | 'running' | 'complete' | 'failed'
  open: StepId | null
  done: StepId[]
  question: OpenQuestion | null
  /** Every id of a question or of a set so far. */
  asked: string[]
  /** A message since the last step event. */
  isSummarised: boolean
  isOver: boolean
}

export const initialProgress: Progress = {
  isStarted: false,
  round: 1,
  status: 'none',
  open: null,
  done: [],
  question: null,
  asked: [],
  isSummarised: false,
  isOver: false,
}

/** Why this event may not come next (T1 to T10), null when it may. */
export function getFault(progress: Progress, event: BuildEvent): Fault | null {
  const match = findFault(progress, event)
  return match === null ? null : match.fault
}

function findFault(progress: Progress, event: BuildEvent): { fault: Fault } | null {
  if (event.type === 'session.started') {
    if (!progress.isStarted || (progress.isOver && event.payload.round === progress.round + 1)) return null
    return fault('T1', 'session.started comes once in each round, and from the backend alone.')
  }
  if (!progress.isStarted) return fault('T1', 'The first event is session.started.')
  if (progress.isOver) return fault('T6', 'The build has ended: nothing is taken after session.completed or session.failed.')
  if (progress.status === 'none' && !isRunning(event)) return fault('T1', 'Begin with status.changed "running".')
  switch (event.type) {
    case 'assistant.message.created':
      return null
    case 'progress.step.started':
      return whileWorking(progress, event.type) ?? startFault(progress, event.payload.step_id)
    case 'progress.step.completed': {
      const { step_id: step } = event.payload
      const early = whileWorking(progress, event.type)
      if (early) return early
      if (progress.done.includes(step)) return fault('T2', `${step} was already completed; each step is completed once.`)
      if (progress.open === step) return null
      return fault('T3', progress.open ? `${progress.open} is open, not ${step}.` : `${step} is not open: start it first.`)
    }
    case 'status.changed':
      return statusFault(progress, event.payload.status)
    case 'question.requested':
      return whileWorking(progress, event.type) ?? takenId(progress, [event.payload.question_id])
    case 'questions.requested':
      return (
        whileWorking(progress, event.type) ??
        takenId(progress, [event.payload.question_set_id, ...event.payload.questions.map((one) => one.question_id)])
      )
    case 'session.completed':
    case 'session.failed':
      return endFault(progress, event.type)
  }
}

const isRunning = (event: BuildEvent): boolean => event.type === 'status.changed' && event.payload.status === 'running'

function whileWorking(progress: Progress, type: string): { fault: Fault } | null {
  if (progress.question) return fault('T10', `A question is open: no ${type} before it is answered. End your turn and wait.`)
  if (progress.status === 'running') return null
  return fault('T6', `The status is already "${progress.status}": only a summary message and the last event may follow.`)
}

function startFault(progress: Progress, step: StepId): { fault: Fault } | null {
  if (progress.open === step || progress.done.includes(step)) return fault('T2', `${step} was already started; each step is started once.`)
  if (progress.open) return fault('T3', `${progress.open} is still open: send progress.step.completed for it first.`)
  const next = stepIds[progress.done.length]
  return step === next ? null : fault('T2', `The next step is ${next}, not ${step}; steps come in their order and none is left out.`)
}

function statusFault(progress: Progress, status: 'running' | 'complete' | 'failed'): { fault: Fault } | null {
  if (status === 'running') return progress.status === 'none' ? null : fault('T1', 'status.changed "running" is sent once.')
  if (progress.status !== 'running') return fault('T5', `The status is already "${progress.status}" and does not change again.`)
  if (status === 'failed') return null
  if (progress.question) return fault('T10', 'A question is open: the build cannot be complete before it is answered.')
  if (progress.open) return fault('T5', `${progress.open} is still open: complete it before status.changed "complete".`)
  const remaining = stepIds.slice(progress.done.length)
  return remaining.length === 0 ? null : fault('T5', `These steps are not done yet: ${remaining.join(', ')}.`)
}

function takenId(progress: Progress, ids: string[]): { fault: Fault } | null {
  const taken = ids.find((id, index) => progress.asked.includes(id) || ids.indexOf(id) !== index)
  return taken === undefined ? null : fault('T9', `The id ${taken} was already used; every question has its own.`)
}

function endFault(progress: Progress, type: 'session.completed' | 'session.failed'): { fault: Fault } | null {
  const status = type === 'session.completed' ? 'complete' : 'failed'
  if (progress.status !== status) return fault('T6', `${type} follows status.changed "${status}"; the status is "${progress.status}".`)
  return progress.isSummarised ? null : fault('T7', `Say in one short message how it ended before ${type}.`)
}

/** Where the build stands after this event. The event was allowed. */
export function advance(progress: Progress, event: BuildEvent): Progress {
  switch (event.type) {
    case 'session.started':
      return { ...initialProgress, isStarted: true, round: event.payload.round ?? 1 }
    case 'assistant.message.created':
      return event.payload.kind === 'reassurance' ? progress : { ...progress, isSummarised: true }
    case 'progress.step.started':
      return { ...progress, open: event.payload.step_id, isSummarised: false }
    case 'progress.step.completed':
      return { ...progress, open: null, done: [...progress.done, event.payload.step_id], isSummarised: false }
    case 'status.changed':
      return { ...progress, status: event.payload.status, question: event.payload.status === 'failed' ? null : progress.question }
    case 'question.requested':
      return { ...progress, question: { kind: 'one', ask: event.payload }, asked: [...progress.asked, event.payload.question_id] }
    case 'questions.requested': {
      const ids = [event.payload.question_set_id, ...event.payload.questions.map((one) => one.question_id)]
      return { ...progress, question: { kind: 'set', ask: event.payload }, asked: [...progress.asked, ...ids] }
    }
    case 'session.completed':
    case 'session.failed':
      return { ...progress, isOver: true }
  }
}
