import type { BuildEventView } from '../../client/build-view.ts'
import type { BuildStanding } from '../rules/build-state.ts'
import type { SetQuestion } from '../rules/build-events.ts'
import type { StepId } from '../rules/steps.ts'
import { agUiLimits } from './run-input.ts'

export type AgUiStep = {
  id: StepId
  title: string
  description: string
  index: number
  total: number
  state: 'active' | 'done' | 'failed'
}

/** One question is a set of one. */
export type AgUiQuestion = { id: string; isSet: boolean; prompt: string; questions: readonly SetQuestion[] }

/** The shared state of a frontend. A step is added when it begins. */
export type AgUiState = {
  build: string
  status: BuildStanding
  steps: readonly AgUiStep[]
  question: AgUiQuestion | null
  output: string | null
  reason: string | null
}

export type SaidLine = {
  seq: number
  at: number
  role: 'user' | 'assistant'
  kind: 'request' | 'message' | 'reassurance' | 'question' | 'answer'
  text: string
}

/** Everything the bridge knows of a build after some of its events. */
export type BuildPicture = {
  seq: number
  state: AgUiState
  openStep: StepId | null
  /** The latest, as many as a client may send back. */
  lines: readonly SaidLine[]
  /** Where the latest answer, or the start of the latest round, stands in the log. What follows it belongs to the next run. */
  answeredAt: number
  /** Questions that were answered, and how: a client that lost the line sends its answer again. */
  answered: Readonly<Record<string, { question: AgUiQuestion; answers: Readonly<Record<string, string>>; by: string; at: number }>>
  isCancelled: boolean
  isOver: boolean
}

export const emptyPicture = (build: string): BuildPicture => ({
  seq: 0,
  state: { build, status: 'starting', steps: [], question: null, output: null, reason: null },
  openStep: null,
  lines: [],
  answeredAt: 0,
  answered: {},
  isCancelled: false,
  isOver: false,
})

export function pictureAfter(before: BuildPicture, event: BuildEventView): BuildPicture {
  if (event.seq <= before.seq) return before
  const picture = { ...before, seq: event.seq }
  const { state } = picture
  switch (event.type) {
    case 'session.started': {
      if ((event.payload.round ?? 1) === 1) return picture
      // A new round is a new run: it starts from here, with the lines of those before.
      const fresh = emptyPicture(state.build).state
      return { ...picture, state: fresh, openStep: null, answeredAt: event.seq, isCancelled: false, isOver: false }
    }
    case 'build.retried':
    case 'build.turn.started':
    case 'build.told':
    case 'build.unheard':
      return picture
    case 'build.opened':
      return withLine(picture, event, 'request', event.payload.prompt)
    case 'build.instructed':
      return withLine(picture, event, 'request', event.payload.text)
    case 'build.answered':
      return afterAnswer(picture, event)
    case 'build.cancelled':
      return { ...picture, isCancelled: true }
    case 'assistant.message.created':
      return withLine(picture, event, event.payload.kind ?? 'message', event.payload.text)
    case 'progress.step.started': {
      const { step_id: id, title, description, index, total } = event.payload
      const steps = [...withoutActive(state.steps, 'done'), { id, title, description, index, total, state: 'active' as const }]
      return { ...picture, openStep: id, state: { ...state, status: 'running', question: null, steps } }
    }
    case 'progress.step.completed':
      return {
        ...picture,
        openStep: null,
        state: { ...state, status: 'running', question: null, steps: withoutActive(state.steps, 'done') },
      }
    case 'question.requested': {
      const { question_id, prompt, input, options } = event.payload
      const only = { question_id, prompt, input, ...(input === 'single_choice' ? { options } : {}) }
      return waiting(withLine(picture, event, 'question', prompt), { id: question_id, isSet: false, prompt, questions: [only] })
    }
    case 'questions.requested': {
      const { question_set_id: id, prompt, questions } = event.payload
      const text = [prompt, ...questions.map((one) => `- ${one.prompt}`)].join('\n')
      return waiting(withLine(picture, event, 'question', text), { id, isSet: true, prompt, questions })
    }
    case 'status.changed': {
      const { status, output = null } = event.payload
      if (status === 'running') return { ...picture, state: { ...state, status } }
      const ended = { ...state, question: null, output }
      if (status === 'complete') return { ...picture, state: { ...ended, status } }
      return {
        ...picture,
        openStep: null,
        state: { ...ended, status: picture.isCancelled ? 'cancelled' : 'failed', steps: withoutActive(state.steps, 'failed') },
      }
    }
    case 'session.completed':
      return { ...picture, isOver: true }
    case 'session.failed':
      return { ...picture, isOver: true, state: { ...state, reason: event.payload.reason ?? null } }
    default:
      // A newer server may have more kinds of events than this bridge knows.
      return picture
  }
}

const withLine = (picture: BuildPicture, { seq, at }: BuildEventView, kind: SaidLine['kind'], text: string): BuildPicture => {
  const role = kind === 'request' || kind === 'answer' ? 'user' : 'assistant'
  return { ...picture, lines: [...picture.lines.slice(-agUiLimits.messages + 1), { seq, at, role, kind, text }] }
}

const withoutActive = (steps: readonly AgUiStep[], become: 'done' | 'failed'): AgUiStep[] =>
  steps.map((step) => (step.state === 'active' ? { ...step, state: become } : step))

const waiting = (picture: BuildPicture, question: AgUiQuestion): BuildPicture => ({
  ...picture,
  state: { ...picture.state, status: 'waiting', question },
})

function afterAnswer(before: BuildPicture, event: BuildEventView & { type: 'build.answered' }): BuildPicture {
  const { seq, at, payload } = event
  const { question } = before.state
  const picture = question === null ? before : withLine(before, event, 'answer', getAnswerText(question, payload.answers))
  const answered = { question, answers: payload.answers, by: payload.by ?? '', at }
  return {
    ...picture,
    answeredAt: seq,
    state: { ...picture.state, status: 'running', question: null },
    answered: question === null ? picture.answered : { ...picture.answered, [question.id]: { ...answered, question } },
  }
}

/** The answers as the person gave them: a choice by its label, those of a set beside their questions. */
function getAnswerText({ isSet, questions }: AgUiQuestion, answers: Readonly<Record<string, string>>): string {
  const lines = questions.map(({ question_id: id, prompt, options = [] }) => {
    const given = (Object.hasOwn(answers, id) ? answers[id] : undefined) ?? ''
    const label = options.find((option) => option.id === given)?.label ?? given
    return isSet ? `${prompt} → ${label}` : label
  })
  return lines.join('\n')
}
