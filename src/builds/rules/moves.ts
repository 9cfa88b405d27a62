import type { Language } from '../../shapes/language.ts'
import type { BuildEvent, Option, SetQuestion } from './build-events.ts'
import type { Progress } from './rules.ts'
import { type StepId, stepOf } from './steps.ts'

/** A question without details of the protocol. Without options it is answered with text. */
export type Ask = { id: string; prompt: string; options?: readonly Option[] }

/** An action of an agent in a build. */
export type Move =
  | { do: 'start_step'; step: StepId }
  | ({ do: 'ask' } & Ask)
  | { do: 'ask_many'; id: string; prompt: string; questions: readonly Ask[] }
  | { do: 'say'; text: string }
  | { do: 'finish'; summary: string; output?: string }
  | { do: 'fail'; summary: string; reason?: string }

/** The events that are this move, given where the build stands: what goes without saying is said for the agent. */
export function listEvents(move: Move, { status, open }: Pick<Progress, 'status' | 'open'>, locale: Language): BuildEvent[] {
  const begin: BuildEvent[] = status === 'none' ? [statusEvent('running')] : []
  switch (move.do) {
    case 'start_step': {
      const { id, title, description, index, total } = stepOf(move.step, locale)
      const next: BuildEvent = {
        type: 'progress.step.started',
        payload: { step_id: id, title, description, index, total, source: 'agent' },
      }
      return [...begin, ...completed(open), next]
    }
    case 'ask': {
      const { question_id, prompt, input, options = [] } = getQuestion(move)
      const payload = { question_id, prompt, input, required: true as const, options, source: 'agent' as const }
      return [...begin, { type: 'question.requested', payload }]
    }
    case 'ask_many': {
      const { id, prompt, questions } = move
      const asked = questions.map(getQuestion)
      const payload = { question_set_id: id, prompt, required_all: true as const, questions: asked, source: 'agent' as const }
      return [...begin, { type: 'questions.requested', payload }]
    }
    case 'say':
      return [...begin, message(move.text)]
    case 'finish': {
      const output = move.output === undefined ? {} : { output: move.output }
      return [...begin, ...completed(open), message(move.summary), statusEvent('complete', output), ended('session.completed')]
    }
    case 'fail':
      return [...begin, message(move.summary), statusEvent('failed'), ended('session.failed', move.reason)]
  }
}

const message = (text: string): BuildEvent => ({ type: 'assistant.message.created', payload: { text, source: 'agent' } })

const statusEvent = (status: 'running' | 'complete' | 'failed', more: { output?: string } = {}): BuildEvent => ({
  type: 'status.changed',
  payload: { status, ...more, source: 'agent' },
})

const completed = (open: StepId | null): BuildEvent[] =>
  open === null ? [] : [{ type: 'progress.step.completed', payload: { step_id: open, source: 'agent' } }]

const ended = (type: 'session.completed' | 'session.failed', reason?: string): BuildEvent =>
  type === 'session.completed'
    ? { type, payload: { source: 'agent' } }
    : { type, payload: { ...(reason === undefined ? {} : { reason }), source: 'agent' } }

const getQuestion = ({ id, prompt, options }: Ask): SetQuestion =>
  options === undefined || options.length === 0
    ? { question_id: id, prompt, input: 'text' }
    : { question_id: id, prompt, input: 'single_choice', options: [...options] }
