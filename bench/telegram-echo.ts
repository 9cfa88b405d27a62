import { defineAgent } from '../src/agents/runtimes/scripted.ts'

/** Says at once what was said. */
export default defineAgent({
  name: 'echo',
  about: 'Repeats what it hears.',
  *reply({ context }) {
    const last = context.at(-1)
    yield { type: 'text', text: `You said: ${last?.kind === 'human' ? last.text : ''}` }
  },
})
