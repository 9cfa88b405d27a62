import { defineAgent, type ScriptedAgent } from '../../src/agents/runtimes/scripted.ts'

const step = (name: string) => ({ name: 'start_step', input: { step: name } })

/** One call after the other, as a model would make them; those that wait for a person end the turn. */
const plan = [
  step('build_record'),
  step('parse'),
  { name: 'tellask', input: { targetAgentId: '@helper', sessionSlug: 'sources', tellaskContent: 'Find three sources.' } },
  step('research'),
  { name: 'ask', input: { prompt: 'Which region?', options: [{ label: 'Europe' }, { label: 'US' }] } },
  step('design'),
  {
    name: 'ask_many',
    input: {
      prompt: 'Two details.',
      questions: [{ prompt: 'Called?' }, { prompt: 'How big?', options: [{ label: 'S' }, { label: 'L' }] }],
    },
  },
  step('assemble'),
  step('validate'),
  step('finalize'),
  { name: 'finish', input: { summary: 'Your agent is ready.', output: '# Done' } },
]

/** An agent that builds with tools, as a model does, and asks a teammate on the way. */
export const toolAgent = (calls: readonly { name: string; input: object }[] = plan): ScriptedAgent =>
  defineAgent({
    name: 'ada',
    about: '',
    *reply({ context, turn, generation }) {
      const made = context.filter((item) => item.kind === 'call')
      const last = made.at(-1)
      const isWaiting = context.at(-1) === last && /^(?:Asked|The build is over)/.test(String(last?.result?.output))
      const next = calls[made.length]
      if (!next || isWaiting || last?.result === null) return yield { type: 'text', text: 'My own words, for nobody.' }
      yield { type: 'text', text: 'Thinking aloud.' }
      yield { type: 'call', call: `c_${turn}_${generation}`, name: next.name, input: next.input }
    },
  })

export const helper = defineAgent({
  name: 'helper',
  about: '',
  *reply() {
    yield { type: 'text', text: 'Three secret sources.' }
  },
})
