import fc from 'fast-check'
import { isPublicType, type StoredBuildEvent } from '../../rules/build-events.ts'
import { stepIds } from '../../rules/steps.ts'
import * as agent from '../../rules/test/agent-script.ts'
import type { BuildEventView } from '../../../client/build-view.ts'

/** Steps of a random build and how often they are drawn. The decider drops what the rules do not allow, so every log is valid. */
const weights = {
  step: 48,
  say: 4,
  ask: 8,
  'ask-set': 8,
  answer: 20,
  instruct: 4,
  silence: 4,
  fail: 1,
  cancel: 1,
  turn: 2,
  crash: 1,
  finish: 1,
  wrong: 2,
}
type Move = keyof typeof weights

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  ...(Object.keys(weights) as Move[]).map((move) => ({ weight: weights[move], arbitrary: fc.constant(move) })),
)

/** The log of a build at some moment of its life, as a reader gets it. */
export const anyBuild: fc.Arbitrary<BuildEventView[]> = fc
  .tuple(fc.array(anyMove, { maxLength: 45 }), fc.boolean())
  .map(([moves, isFinished]) => {
    const story = agent.building().sends(agent.running)
    moves.forEach((one, index) => play(story, one, index))
    if (isFinished)
      for (let left = 0; left < 20; left += 1) play(story, left < 18 ? (left % 3 === 0 ? 'answer' : 'step') : 'finish', 100 + left)
    return toViews(story.log)
  })

function play(story: agent.Story, move: Move, index: number): void {
  const { progress } = story.state
  if (story.state.turn === null) story.does({ type: 'start-turn' })
  switch (move) {
    case 'step': {
      const next = stepIds[progress.done.length]
      if (progress.open) story.sends(agent.ends(progress.open))
      else if (next) story.sends(agent.starts(next))
      return
    }
    case 'say':
      return void story.sends(agent.say(`Here is thought number ${index}.`))
    case 'ask':
      return void story.sends(index % 2 === 0 ? agent.asks(`q${index}`) : agent.asksText(`q${index}`)).endsTurn()
    case 'ask-set':
      return void story.sends(agent.asksSet(`s${index}`, `s${index}-a`, `s${index}-b`)).endsTurn()
    case 'answer': {
      const { question } = progress
      if (question?.kind === 'one') story.does({ type: 'answer-one', question: question.ask.question_id, answer: 'eu', by: 'owner' })
      if (question?.kind === 'set') {
        const answers = Object.fromEntries(question.ask.questions.map(({ question_id }) => [question_id, 'us']))
        story.does({ type: 'answer-set', answers, by: 'owner' })
      }
      return
    }
    case 'instruct':
      return void story.does({ type: 'instruct', text: `and also ${index}`, by: 'owner' })
    case 'silence':
      return void story.does({ type: 'reassure' }, 60_000)
    case 'fail':
      return void story.sends(agent.say('I could not do it.'), agent.failed, agent.failedAll)
    case 'cancel':
      return void story.does({ type: 'cancel-build', by: 'owner' })
    case 'turn':
      return void story.endsTurn()
    case 'crash':
      return void story.does({ type: 'fail-turn', code: 'command_failed', details: {} })
    case 'finish':
      return void story.sends(agent.say('All is ready.'), agent.complete, agent.completedAll)
    case 'wrong':
      return void story.sends(agent.starts('finalize'))
  }
}

const personTypes = ['build.opened', 'build.instructed', 'build.answered', 'build.cancelled']

/** As the server numbers and filters them. */
export const toViews = (log: readonly StoredBuildEvent[]): BuildEventView[] =>
  log
    .map(({ type, at, data }, index) => ({ seq: index + 1, at, type, payload: data }) as BuildEventView)
    .filter(({ type }) => isPublicType(type) || personTypes.includes(type))
