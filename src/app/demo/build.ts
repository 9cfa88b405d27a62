/**
 * The build of the demo, in about a minute. Like a reply, a turn is worked out from what is given: which steps are done
 * and what was answered. So it goes on after any crash, and `--fast` only leaves the pauses out.
 */
import type { Move } from '../../builds/rules/moves.ts'
import { type StepId, stepIds } from '../../builds/rules/steps.ts'
import type { BuildTurn } from '../../ports/agent-runtime.ts'
import { demoBuildWords } from '../../words/index.ts'
import { toPlan } from './build-words.ts'

type Pause = (delayMs: number) => Promise<void>

/** Duration of each step before its first message. */
const stepMs: Record<StepId, number> = {
  build_record: 3_000,
  parse: 6_000,
  research: 7_000,
  design: 6_000,
  assemble: 10_000,
  validate: 8_000,
  finalize: 5_000,
}

export async function* demoBuild({ progress, answers, language, input }: BuildTurn, pause: Pause): AsyncGenerator<Move> {
  const say = demoBuildWords[language]
  for (const step of stepIds.slice(progress.done.length)) {
    if (progress.open !== step) yield { do: 'start_step', step }
    // After an answer the step that asked goes on; it was waited in before.
    await pause(progress.open === step && input.type !== 'BUILD_REQUEST' ? 4_000 : stepMs[step])
    if (step === 'research' && answers['goal'] === undefined) {
      yield { do: 'say', text: say.begun }
      return yield { do: 'ask', id: 'goal', ...say.goal }
    }
    if (step === 'design' && answers['topic'] === undefined) {
      const { prompt, pace, topic } = say.details
      return yield {
        do: 'ask_many',
        id: 'details',
        prompt,
        questions: [
          { id: 'pace', ...pace },
          { id: 'topic', prompt: topic },
        ],
      }
    }
    if (step === 'assemble') {
      yield { do: 'say', text: say.halfway }
      await pause(6_000)
    }
    if (step === 'validate') yield { do: 'say', text: say.tested }
  }
  const plan = toPlan(say, answers)
  yield { do: 'finish', summary: say.summary(plan.topic), output: say.output(plan) }
}
