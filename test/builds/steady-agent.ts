import { defineAgent, type ScriptedAgent } from '../../src/agents/runtimes/scripted.ts'
import type { Move } from '../../src/builds/rules/moves.ts'
import { type StepId, stepIds } from '../../src/builds/rules/steps.ts'
import type { BuildTurn } from '../../src/ports/agent-runtime.ts'

const options = [
  { id: 'eu', label: 'Europe' },
  { id: 'us', label: 'US' },
]

type More = { atStep?(step: StepId, turn: BuildTurn): Promise<void> }

/** The steps that are left, and the questions that are not answered: one in research, a set in design. */
export async function* steadyMoves(turn: BuildTurn, { atStep = async () => {} }: More = {}): AsyncGenerator<Move> {
  const { progress, answers } = turn
  const from = progress.done.length
  for (const step of stepIds.slice(from)) {
    if (progress.open !== step) yield { do: 'start_step', step }
    await atStep(step, turn)
    if (step === 'research' && answers['q-region'] === undefined)
      return yield { do: 'ask', id: 'q-region', prompt: 'Which region?', options }
    if (step === 'design' && answers['q-name'] === undefined)
      return yield {
        do: 'ask_many',
        id: 's-details',
        prompt: 'Two details.',
        questions: [
          { id: 'q-name', prompt: 'What is it called?' },
          {
            id: 'q-size',
            prompt: 'How big?',
            options: [
              { id: 's', label: 'Small' },
              { id: 'l', label: 'Large' },
            ],
          },
        ],
      }
  }
  yield { do: 'finish', summary: 'Your agent is ready.', output: JSON.stringify(answers) }
}

export const steadyAgent = (more: More = {}): ScriptedAgent =>
  defineAgent({
    name: 'ada',
    about: 'Builds steadily.',
    *reply() {
      yield { type: 'text', text: 'I only build.' }
    },
    build: (turn) => steadyMoves(turn, more),
  })

/** The answers of a person. */
export const answersFor = { one: { question: 'q-region', answer: 'Europe' }, all: { answers: { 'q-name': 'Nori', 'q-size': 's' } } }
