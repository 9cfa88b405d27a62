import type { Language } from '../../shapes/language.ts'
import { type StepId, stepIds, stepOf } from '../../builds/rules/steps.ts'
import type { BuildEventView } from '../build-view.ts'

type Unnumbered = BuildEventView extends infer E ? (E extends { seq: number } ? Omit<E, 'seq' | 'at'> : never) : never

const source = 'agent' as const

export const started = (id: StepId, language: Language = 'en'): Unnumbered => {
  const { title, description, index, total } = stepOf(id, language)
  return { type: 'progress.step.started', payload: { step_id: id, title, description, index, total, source } }
}
export const completed = (id: StepId): Unnumbered => ({ type: 'progress.step.completed', payload: { step_id: id, source } })
export const said = (text: string): Unnumbered => ({ type: 'assistant.message.created', payload: { text, source } })
export const reassured = (text: string): Unnumbered => ({
  type: 'assistant.message.created',
  payload: { text, kind: 'reassurance', source },
})
export const status = (now: 'running' | 'complete' | 'failed', output?: string): Unnumbered => ({
  type: 'status.changed',
  payload: { status: now, ...(output === undefined ? {} : { output }), source },
})
export const answeredWith = (question: string, answers: Record<string, string>): Unnumbered => ({
  type: 'build.answered',
  payload: { question, answers, by: 'you' },
})
export const failedFor = (reason?: string): Unnumbered => ({
  type: 'session.failed',
  payload: { ...(reason === undefined ? {} : { reason }), source },
})
export const ended: Unnumbered = { type: 'session.completed', payload: { source } }

export const opening = (prompt: string): Unnumbered[] => [
  { type: 'build.opened', payload: { prompt, by: 'you' } },
  { type: 'session.started', payload: { build_id: 'b1', session_id: 's1', source: 'backend' } },
  status('running'),
  started('build_record'),
]

/** From the end of one step into the next ones, up to and with the start of `to`. */
export function through(from: StepId, to: StepId, language: Language = 'en'): Unnumbered[] {
  const [a, b] = [stepIds.indexOf(from), stepIds.indexOf(to)]
  return stepIds.slice(a, b).flatMap((id, at) => [completed(id), started(stepIds[a + at + 1] ?? to, language)])
}

export const goal: Unnumbered = {
  type: 'question.requested',
  payload: {
    question_id: 'q-goal',
    prompt: 'What is the list for?',
    input: 'single_choice',
    required: true,
    options: [
      { id: 'work', label: 'Get better at work', description: 'Short and practical' },
      { id: 'joy', label: 'Read for pleasure' },
    ],
    source,
  },
}

export const details: Unnumbered = {
  type: 'questions.requested',
  payload: {
    question_set_id: 'set-1',
    prompt: 'Before I go on, two details.',
    required_all: true,
    questions: [
      {
        question_id: 'q-often',
        prompt: 'How often?',
        input: 'single_choice',
        options: [
          { id: 'w', label: 'Weekly' },
          { id: 'm', label: 'Monthly' },
        ],
      },
      { question_id: 'q-topic', prompt: 'Which topic first?', input: 'text' },
    ],
    source,
  },
}

/** Numbers with gaps, as a log has them whose inner events are left out. */
export const numbered = (events: readonly Unnumbered[], after = 0, at = 1_795_500_000_000): BuildEventView[] =>
  events.map((event, index) => ({ seq: after + 1 + index * 2, at: at + index * 1000, ...event }))

/** A whole build with one question, one set, and one long silence. */
export const wholeBuild: BuildEventView[] = numbered([
  ...opening('Build me a reading-list agent'),
  ...through('build_record', 'research'),
  said('I have what I need to begin.'),
  goal,
  answeredWith('q-goal', { 'q-goal': 'joy' }),
  ...through('research', 'design'),
  details,
  answeredWith('set-1', { 'q-often': 'w', 'q-topic': 'Rivers' }),
  ...through('design', 'assemble'),
  reassured('Still working on this. Thanks for your patience.'),
  ...through('assemble', 'finalize'),
  completed('finalize'),
  said('Your reading-list agent is ready.'),
  status('complete', '# Reading list\n\n- One book each week'),
  ended,
])
