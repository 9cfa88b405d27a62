import fc from 'fast-check'
import { isPublicType, type StoredBuildEvent } from '../../../build/build-events.ts'
import { stepIds } from '../../../build/steps.ts'
import * as agent from '../../../build/test/agent-script.ts'
import type { BuildEventView } from '../../../client/build-view.ts'

/** What can happen to a build from any side. What the rules do not allow is dropped by the decider, so every log is a valid one. */
type Move =
  | 'step'
  | 'say'
  | 'ask'
  | 'ask-set'
  | 'answer'
  | 'instruct'
  | 'silence'
  | 'fail'
  | 'cancel'
  | 'turn'
  | 'crash'
  | 'finish'
  | 'wrong'

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Move>('step') },
  { weight: 4, arbitrary: fc.constantFrom<Move>('ask', 'ask-set') },
  { weight: 5, arbitrary: fc.constant<Move>('answer') },
  { weight: 3, arbitrary: fc.constantFrom<Move>('say', 'silence', 'instruct') },
  { weight: 1, arbitrary: fc.constantFrom<Move>('turn', 'wrong') },
  { weight: 1, arbitrary: fc.constantFrom<Move>('fail', 'cancel', 'crash', 'finish') },
)

/** The log of a build at some moment of its life, as a reader gets it. */
export const anyBuild: fc.Arbitrary<BuildEventView[]> = fc
  .tuple(fc.array(anyMove, { maxLength: 45 }), fc.boolean())
  .map(([moves, isFinished]) => {
    const story = agent.building().sends(agent.running)
    moves.forEach((one, index) => play(story, one, index))
    if (isFinished)
      for (let left = 0; left < 20; left += 1) play(story, left < 18 ? (left % 3 === 0 ? 'answer' : 'step') : 'finish', 100 + left)
    return viewsOf(story.log)
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
export const viewsOf = (log: readonly StoredBuildEvent[]): BuildEventView[] =>
  log
    .map(({ type, at, data }, index) => ({ seq: index + 1, at, type, payload: data }) as BuildEventView)
    .filter(({ type }) => isPublicType(type) || personTypes.includes(type))
