import { defineAgent } from '../src/agents/runtimes/scripted.ts'

const ask = {
  text: 'Which one shall it be?',
  items: [
    { id: 'pick', text: 'Choose', kind: 'choice' as const, options: ['red', 'green', 'blue'].map((value) => ({ value, label: value })) },
  ],
}

/** Says at once what was said. It asks when it is told to, and says what was answered. */
export default defineAgent({
  name: 'echo',
  about: 'Repeats what it hears.',
  *reply({ context }) {
    const last = context.at(-1)
    const text = last?.kind === 'human' ? last.text : ''
    if (last?.kind === 'question') yield { type: 'text', text: `Then it is ${last.outcome?.answers?.['pick']}.` }
    else yield text.startsWith('ask') ? { type: 'question', ask } : { type: 'text', text: `You said: ${text}` }
  },
})
