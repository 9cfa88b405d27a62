import type { AgentOutput, GenerationInput } from '../../../src/ports/agent-runtime.ts'
import { type Play, teamFor } from '../../../src/worlds/test/household.ts'
import { readDocument } from '../../../src/worlds/test/reading-club.ts'
import type { Chance } from '../chance.ts'

export const households = ['ada', 'mira', 'noa'] as const
export type Name = (typeof households)[number]

export type Scene = { chance: Chance; isWindingDown: boolean; said: number }

const say = (text: string): AgentOutput => ({ type: 'text', text })

const hasCalled = (input: GenerationInput): boolean => {
  const from = input.context.findLastIndex((item) => item.kind === 'human')
  return input.context.slice(from).some((item) => item.kind === 'call')
}

const call = (input: GenerationInput, name: string, given: object): AgentOutput => ({
  type: 'call',
  call: `call_${input.turn}_${input.generation}`,
  name,
  input: given,
})

/** The channel agent talks, keeps silent, asks, reports, ends, fails, repeats itself, or copies its own document. */
function* talk(input: GenerationInput, scene: Scene): Iterable<AgentOutput> {
  const { chance } = scene
  const words = (): AgentOutput => say(`Sentence ${(scene.said += 1)} is about ${chance.one(['maps', 'trains', 'rivers', 'bridges'])}.`)
  if (scene.isWindingDown) return yield say('NO_REPLY')
  const what = chance.below(100)
  if (what < 4) throw new Error('the model is not there (simulated)')
  if (what < 9) return yield say(readDocument(input).slice(0, 1_500))
  if (what < 14) return yield say('NO_REPLY')
  if (!hasCalled(input)) {
    if (what < 22) return yield call(input, 'ask_owner', { question: `May I say ${(scene.said += 1)}?` })
    if (what < 30) return yield call(input, 'report_to_owner', { text: `Report ${(scene.said += 1)}.` })
    if (what < 38) return yield call(input, 'end_conversation', {})
  }
  if (what < 45) return yield say('Thank you!')
  if (what < 50) return yield say(`Good.\n[[${chance.one(['like', 'dislike', 'request_conversation_end'])}]]`)
  yield words()
}

/** The main agent hears of a report. */
const announce = ({ chance }: Scene): AgentOutput => say(chance.happens(0.3) ? 'ANNOUNCE_SKIP' : 'There was a conversation.')

export const randomHousehold = (scene: Scene) =>
  teamFor(
    Object.fromEntries(
      households.map((name): [string, Play] => [name, (input) => (input.agent === name ? [announce(scene)] : talk(input, scene))]),
    ),
  )
