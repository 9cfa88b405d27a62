import { defineAgent } from '../../../src/agents/runtimes/scripted.ts'
import { stepIds } from '../../../src/builds/rules/steps.ts'
import { hangWhileRecording } from './recording.ts'

/** Builds by itself: one question in research, a set in design. A build of "cut" hangs in parse while recording. */
export default defineAgent({
  name: 'maker',
  about: 'Builds.',
  *reply() {
    yield { type: 'text', text: 'I only build.' }
  },
  async *build({ build, prompt, progress, answers }, { signal }) {
    for (const step of stepIds.slice(progress.done.length)) {
      if (progress.open !== step) yield { do: 'start_step', step }
      if (step === 'parse' && prompt === 'cut') await hangWhileRecording(build, signal)
      if (step === 'research' && answers['region'] === undefined)
        return yield {
          do: 'ask',
          id: 'region',
          prompt: 'Which region?',
          options: [
            { id: 'eu', label: 'Europe' },
            { id: 'us', label: 'US' },
          ],
        }
      if (step === 'design' && answers['name'] === undefined)
        return yield {
          do: 'ask_many',
          id: 'details',
          prompt: 'Two details.',
          questions: [
            { id: 'name', prompt: 'What is it called?' },
            { id: 'motto', prompt: 'What is its motto?' },
          ],
        }
    }
    yield { do: 'finish', summary: 'Your agent is ready.', output: `${answers['region']} ${answers['name']}` }
  },
})
