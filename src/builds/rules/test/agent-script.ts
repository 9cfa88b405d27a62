import type { BuildEvent } from '../build-events.ts'
import { type BuildCommand, decideBuild } from '../decide-build.ts'
import { type BuildState, initialBuild } from '../build-state.ts'
import { evolveBuild } from '../evolve-build.ts'
import { type StepId, stepIds, stepOf } from '../steps.ts'
import type { StoredBuildEvent } from '../build-events.ts'

/** Events as a well-behaved agent sends them, to tell stories with in tests. */
const source = 'agent' as const

export const running: BuildEvent = { type: 'status.changed', payload: { status: 'running', source } }
export const complete: BuildEvent = { type: 'status.changed', payload: { status: 'complete', output: 'All there.', source } }
export const failed: BuildEvent = { type: 'status.changed', payload: { status: 'failed', source } }
export const completedAll: BuildEvent = { type: 'session.completed', payload: { source } }
export const failedAll: BuildEvent = { type: 'session.failed', payload: { reason: 'no luck', source } }

export const say = (text: string): BuildEvent => ({ type: 'assistant.message.created', payload: { text, source } })

export function starts(step: StepId): BuildEvent {
  const { title, description, index, total } = stepOf(step, 'en')
  return { type: 'progress.step.started', payload: { step_id: step, title, description, index, total, source } }
}

export const ends = (step: StepId): BuildEvent => ({ type: 'progress.step.completed', payload: { step_id: step, source } })

const region = [
  { id: 'eu', label: 'Europe' },
  { id: 'us', label: 'US' },
]

export const asks = (id = 'q-region'): BuildEvent => ({
  type: 'question.requested',
  payload: { question_id: id, prompt: 'Which region?', input: 'single_choice', required: true, options: region, source },
})

export const asksText = (id = 'q-name'): BuildEvent => ({
  type: 'question.requested',
  payload: { question_id: id, prompt: 'What is it called?', input: 'text', required: true, options: [], source },
})

export const asksSet = (id = 's1', first = 's1-a', second = 's1-b'): BuildEvent => ({
  type: 'questions.requested',
  payload: {
    question_set_id: id,
    prompt: 'Two details',
    required_all: true,
    questions: [
      { question_id: first, prompt: 'Region?', input: 'single_choice', options: region },
      { question_id: second, prompt: 'Name?', input: 'text' },
    ],
    source,
  },
})

export const steps = (upTo: number = stepIds.length): BuildEvent[] => stepIds.slice(0, upTo).flatMap((step) => [starts(step), ends(step)])

export const wholeBuild: BuildEvent[] = [running, ...steps(), say('Your agent is ready.'), complete, completedAll]

/** A build that is open, its first turn under way. */
export function building(): Story {
  const story = new Story()
  story.does({ type: 'open-build', build: 'b1', session: 's1', prompt: 'Build me a reading list', agent: 'ada', locale: 'en', by: 'owner' })
  story.does({ type: 'start-turn' })
  return story
}

type Untimed<Command> = Command extends { at: number } ? Omit<Command, 'at'> : never

/** One build told in order; the last outcome can be looked at. */
export class Story {
  state: BuildState = initialBuild
  log: StoredBuildEvent[] = []
  at = 1_000_000
  refused: string | null = null
  last: StoredBuildEvent[] = []

  does(command: Untimed<BuildCommand>, afterMs = 10): this {
    this.at += afterMs
    const decision = decideBuild(this.state, { ...command, at: this.at })
    this.refused = 'refused' in decision ? decision.refused.code : null
    this.last = 'events' in decision ? decision.events : []
    this.log.push(...this.last)
    this.state = this.last.reduce(evolveBuild, this.state)
    return this
  }

  /** The agent sends these in its open turn. */
  sends(...events: BuildEvent[]): this {
    return this.does({ type: 'take-items', turn: this.state.turns, items: events.map((event) => ({ event })) })
  }

  endsTurn(): this {
    return this.does({ type: 'end-turn', turn: this.state.turns })
  }

  types(): string[] {
    return this.last.map(({ type }) => type)
  }

  public(): string[] {
    return this.log.map(({ type }) => type).filter((type) => !type.startsWith('build.'))
  }

  faults(): string[] {
    return this.log.flatMap((event) => (event.type === 'build.faulted' ? [event.data.rule] : []))
  }
}
