import type { BuildEvent, Option, SetQuestion } from '../builds/rules/build-events.ts'
import { type StepId, stepIds } from '../builds/rules/steps.ts'

export { type StepId, stepOf } from '../builds/rules/steps.ts'

/** Events of the person, sent between the public events with `include=person`. */
export type PersonEvent =
  | { type: 'build.opened'; payload: { prompt: string; by?: string } }
  | { type: 'build.instructed'; payload: { text: string; by?: string } }
  /** `question` is the id of the question or of the set; a choice is given by the id of its option. */
  | { type: 'build.answered'; payload: { question: string; answers: Record<string, string>; by?: string } }
  | { type: 'build.cancelled'; payload: { by?: string } }
  | { type: 'build.retried'; payload: { by?: string } }
  /** The agent began a turn: it has read what was said until then. */
  | { type: 'build.turn.started'; payload: { wishes?: string[] } }
  | { type: 'build.told'; payload: { wishes?: string[] } }
  /** These messages came too late for the round that ends. */
  | { type: 'build.unheard'; payload: { wishes?: string[] } }

/** One event as every reader gets it. Numbers grow, but not by one: internal events have numbers too. */
export type BuildEventView = { seq: number; at: number } & (BuildEvent | PersonEvent)

export type BuildStepState = 'waiting' | 'active' | 'done' | 'failed'

/** `ms` is the time the agent took for a step that has ended, without the time it waited for a person. */
export type BuildStepView = { id: StepId; index: number; state: BuildStepState; ms: number | null }

export type BuildQuestion = { id: string; prompt: string; input: 'single_choice' | 'text'; options: readonly Option[] }

/** One question is a set of one: its own prompt and that of its only part are the same. */
export type AskedQuestion = { id: string; isSet: boolean; prompt: string; questions: readonly BuildQuestion[] }

export type BuildLine = { seq: number; at: number } & (
  | { kind: 'request'; text: string; state: RequestState }
  | { kind: 'message'; text: string }
  /** Drawn lighter than a message: it only says that it goes on. */
  | { kind: 'reassurance'; text: string }
  /** `passed`: the build went on or ended without an answer that is known here. */
  | { kind: 'question'; ask: AskedQuestion; state: 'open' | 'answered' | 'passed' }
  | { kind: 'answer'; to: string; by: string | null; items: readonly { id: string; prompt: string; text: string }[] }
)

/** `waiting`: the agent reads it at its next step · `late`: the round ended before the agent could read it. */
type RequestState = 'waiting' | 'read' | 'late'

/** Why a build ended early. `own` is what its agent said itself. */
export type BuildFailureCause = 'rules' | 'stopped' | 'slow' | 'flooded' | 'absent' | 'cancelled' | 'budget' | 'other' | 'own'

export type BuildFailure = { cause: BuildFailureCause; reason: string | null }

export type BuildViewStatus = 'starting' | 'running' | 'waiting' | 'complete' | 'failed' | 'cancelled'

/** A build as a page shows it. Everything in it comes from events, so a reload and a second device show the same. */
export type BuildView = {
  /** Number of the last event in it: read on with `after`. */
  seq: number
  prompt: string | null
  status: BuildViewStatus
  steps: readonly BuildStepView[]
  /** When the step under way began, later by the time it waited for a person. */
  stepAt: number | null
  /** When the open question was asked. */
  askedAt: number | null
  lines: readonly BuildLine[]
  question: AskedQuestion | null
  output: string | null
  failure: BuildFailure | null
  /** Nothing more will come, unless a person retries a build that failed. */
  isOver: boolean
  /** A stop was requested; the end follows. */
  isStopping: boolean
}

export const emptyBuild: BuildView = {
  seq: 0,
  prompt: null,
  status: 'starting',
  steps: stepIds.map((id, at) => ({ id, index: at + 1, state: 'waiting', ms: null })),
  stepAt: null,
  askedAt: null,
  lines: [],
  question: null,
  output: null,
  failure: null,
  isOver: false,
  isStopping: false,
}

/** The view after one more event. One that is older or was there already changes nothing. */
export function buildViewOf(view: BuildView, event: BuildEventView): BuildView {
  if (event.seq <= view.seq) return view
  const next = { ...view, seq: event.seq }
  const { seq, at } = event
  switch (event.type) {
    case 'session.started':
      // A new round starts over; what was said and answered before stays in view.
      return (event.payload.round ?? 1) > 1 ? nextRound(next) : next
    case 'build.retried':
      return withRequests(next, 'late', 'waiting')
    case 'build.opened':
      return withLine({ ...next, prompt: event.payload.prompt }, { kind: 'request', seq, at, text: event.payload.prompt, state: 'read' })
    case 'build.instructed':
      return withLine(next, { kind: 'request', seq, at, text: event.payload.text, state: 'waiting' })
    case 'build.turn.started':
    case 'build.told':
      return withRequests(next, 'waiting', 'read')
    case 'build.unheard':
      return withRequests(next, 'waiting', 'late')
    case 'build.answered':
      return answered(next, event)
    case 'build.cancelled':
      return { ...next, isStopping: !next.isOver }
    case 'assistant.message.created': {
      const { text, kind } = event.payload
      return withLine(next, { kind: kind === 'reassurance' ? 'reassurance' : 'message', seq, at, text })
    }
    case 'progress.step.started': {
      const place = stepIds.indexOf(event.payload.step_id)
      // A step that begins completes all steps before it, also when events are missing.
      return goesOn({ ...next, stepAt: at }, (step, index) => (index < place ? 'done' : index === place ? 'active' : step.state))
    }
    case 'progress.step.completed':
      return goesOn({ ...withTime(next, at), stepAt: null }, (step) => (step.id === event.payload.step_id ? 'done' : step.state))
    case 'question.requested': {
      const { question_id: id, prompt } = event.payload
      return asked(next, { id, isSet: false, prompt, questions: [getPart(event.payload)] }, event)
    }
    case 'questions.requested': {
      const { question_set_id: id, prompt, questions } = event.payload
      return asked(next, { id, isSet: true, prompt, questions: questions.map(getPart) }, event)
    }
    case 'status.changed': {
      const { status, output = null } = event.payload
      if (status === 'running') return goesOn(next)
      return status === 'complete' ? { ...goesOn(next), status, output } : failed({ ...withTime(next, at), stepAt: null, output }, null)
    }
    case 'session.completed':
      return { ...goesOn(next), status: 'complete', isOver: true, isStopping: false }
    case 'session.failed':
      return { ...failed(next, event.payload.reason ?? null), isOver: true, isStopping: false }
    default:
      // A newer server may know more than this page.
      return next
  }
}

export const buildViewOfAll = (view: BuildView, events: readonly BuildEventView[]): BuildView => events.reduce(buildViewOf, view)

/** The step under way has ended now. */
const withTime = (view: BuildView, at: number): BuildView => {
  const { stepAt } = view
  if (stepAt === null) return view
  return { ...view, steps: view.steps.map((step) => (step.state === 'active' ? { ...step, ms: Math.max(0, at - stepAt) } : step)) }
}

/** The step that is under way, else the last one that was reached. */
export const currentStep = ({ steps }: BuildView): BuildStepView | null =>
  steps.find(({ state }) => state === 'active' || state === 'failed') ?? steps.findLast(({ state }) => state === 'done') ?? null

/** Decisions of people so far, the latest answer to each question. */
export function listDecisions({ lines }: BuildView): readonly { id: string; prompt: string; text: string }[] {
  const decisions = new Map<string, { id: string; prompt: string; text: string }>()
  for (const line of lines) if (line.kind === 'answer') for (const item of line.items) decisions.set(item.id, item)
  return [...decisions.values()]
}

const nextRound = (view: BuildView): BuildView => ({
  ...closeQuestion(view, 'passed'),
  status: 'starting',
  steps: emptyBuild.steps,
  stepAt: null,
  output: null,
  failure: null,
  isOver: false,
  isStopping: false,
})

/** Unchanged lines stay the same objects, so that they are not rendered again. */
const withRequests = (view: BuildView, from: RequestState, to: RequestState): BuildView =>
  view.lines.some((line) => line.kind === 'request' && line.state === from)
    ? { ...view, lines: view.lines.map((line) => (line.kind === 'request' && line.state === from ? { ...line, state: to } : line)) }
    : view

const withLine = (view: BuildView, line: BuildLine): BuildView => ({ ...view, lines: [...view.lines, line] })

const getPart = ({ question_id: id, prompt, input, options = [] }: SetQuestion): BuildQuestion => ({ id, prompt, input, options })

/** Work continues, so the build no longer waits for a person. */
function goesOn(view: BuildView, getState: (step: BuildStepView, index: number) => BuildStepState = ({ state }) => state): BuildView {
  const closed = closeQuestion(view, 'passed')
  return { ...closed, status: 'running', steps: withStates(closed.steps, getState) }
}

/** Unchanged steps stay the same objects, so that they are not rendered again. */
const withStates = (steps: readonly BuildStepView[], getState: (step: BuildStepView, index: number) => BuildStepState): BuildStepView[] =>
  steps.map((step, index) => {
    const state = getState(step, index)
    return state === step.state ? step : { ...step, state }
  })

function asked(view: BuildView, ask: AskedQuestion, { seq, at }: BuildEventView): BuildView {
  return withLine({ ...goesOn(view), status: 'waiting', question: ask, askedAt: at }, { kind: 'question', seq, at, ask, state: 'open' })
}

function answered(view: BuildView, event: BuildEventView & { type: 'build.answered' }): BuildView {
  const { question, answers, by = null } = event.payload
  const ask = view.question?.id === question ? view.question : null
  if (!ask) return view
  const items = ask.questions.map(({ id, prompt, options }) => {
    const answerText = (Object.hasOwn(answers, id) ? answers[id] : undefined) ?? ''
    return { id, prompt, text: options.find((option) => option.id === answerText)?.label ?? answerText }
  })
  const closed = closeQuestion(view, 'answered')
  const stepAt = view.stepAt === null || view.askedAt === null ? view.stepAt : view.stepAt + event.at - view.askedAt
  return withLine({ ...closed, stepAt, status: 'running' }, { kind: 'answer', seq: event.seq, at: event.at, to: ask.id, by, items })
}

function closeQuestion(view: BuildView, state: 'answered' | 'passed'): BuildView {
  if (!view.question) return view
  const lines = view.lines.map((line) => (line.kind === 'question' && line.state === 'open' ? { ...line, state } : line))
  return { ...view, question: null, askedAt: null, lines }
}

function failed(view: BuildView, reason: string | null): BuildView {
  const before = view.failure?.reason ?? null
  const failure = toFailure(reason ?? before, view.isStopping)
  const closed = closeQuestion(view, 'passed')
  const steps = withStates(closed.steps, ({ state }) => (state === 'active' ? 'failed' : state))
  return { ...closed, steps, failure, status: failure.cause === 'cancelled' ? 'cancelled' : 'failed' }
}

/** The short reasons a server gives; what is not among them is its agent's own sentence. */
const causes: Record<string, BuildFailureCause> = {
  'protocol violation': 'rules',
  'agent stopped': 'stopped',
  'took too long': 'slow',
  'too much output': 'flooded',
  'agent not available': 'absent',
  cancelled: 'cancelled',
  'budget used up': 'budget',
  'internal error': 'other',
}

function toFailure(reason: string | null, isStopping: boolean): BuildFailure {
  if (isStopping) return { cause: 'cancelled', reason }
  if (reason === null) return { cause: 'other', reason }
  return { cause: (Object.hasOwn(causes, reason) ? causes[reason] : undefined) ?? 'own', reason }
}
