import { setTimeout as pause } from 'node:timers/promises'
import { defineAgent } from '../src/agents/runtimes/scripted.ts'
import { stepIds } from '../src/builds/rules/steps.ts'
import { stepMs, stamp } from './build-story.ts'

/** A build that thinks a moment in each step, says when it said something, and asks one question and one set. */
// oxlint-disable-next-line import/no-default-export -- a module of the team is known by its default export
export default defineAgent({
  name: 'bench',
  about: 'Builds for a bench.',
  *reply() {
    yield { type: 'text', text: 'I only build.' }
  },
  async *build({ progress, answers }) {
    for (const step of stepIds.slice(progress.done.length)) {
      if (progress.open !== step) yield { do: 'start_step', step }
      await pause(stepMs)
      yield { do: 'say', text: stamp() }
      if (step === 'research' && answers['q-tone'] === undefined) {
        const options = ['warm', 'formal'].map((id) => ({ id, label: id }))
        return yield { do: 'ask', id: 'q-tone', prompt: 'How should it sound?', options }
      }
      if (step === 'design' && answers['q-name'] === undefined) {
        const questions = ['q-name', 'q-time'].map((id) => ({ id, prompt: id }))
        return yield { do: 'ask_many', id: 'set-details', prompt: 'Two details.', questions }
      }
    }
    yield { do: 'finish', summary: 'Your greeting is ready.', output: 'Hello' }
  },
})
