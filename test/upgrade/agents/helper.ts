import { defineAgent } from '../../../src/agents/runtimes/scripted.ts'
import { hangWhileRecording } from './recording.ts'

/** Works in side dialogs: asks a person, asks back, hangs, or replies. */
export default defineAgent({
  name: 'helper',
  about: 'Works for the others.',
  async *reply({ dialog, context }, { signal }) {
    const last = context.at(-1)
    if (last?.kind === 'question') return yield { type: 'text', text: `painted it ${last.outcome?.answers?.['colour'] ?? 'not at all'}` }
    if (last?.kind === 'call') return yield { type: 'text', text: `understood: ${String(last.result?.output).split('\n').at(-1)}` }
    const request = last?.kind === 'prompt' ? (/^> (.*)$/m.exec(last.text)?.[1] ?? '') : ''
    if (request === 'paint') {
      const options = ['red', 'blue'].map((value) => ({ value, label: value }))
      return yield { type: 'question', ask: { text: 'Which colour?', items: [{ id: 'colour', text: '', kind: 'choice', options }] } }
    }
    if (request === 'unclear') return yield { type: 'call', call: 'back', name: 'tellaskBack', input: { tellaskContent: 'Which colour?' } }
    if (request === 'slow work') await hangWhileRecording(dialog, signal)
    yield { type: 'text', text: `done with ${request}` }
  },
})
