import { agent } from '../../src/index.ts'

export const echo = agent({
  name: 'echo',
  about: 'Repeats what you say.',
  *reply({ context }) {
    const last = context.at(-1)
    yield { type: 'text', text: last?.kind === 'human' ? `You said: ${last.text}` : 'Say something.' }
  },
})
