import { defineAgent } from '../../../src/agents/runtimes/scripted.ts'
import { stepIds } from '../../../src/builds/rules/steps.ts'

const plan: readonly { name: string; input: object }[] = [
  ...['build_record', 'parse', 'research'].map((step) => ({ name: 'start_step', input: { step } })),
  { name: 'ask', input: { prompt: 'Which region?', options: [{ label: 'Europe' }, { label: 'US' }] } },
  ...stepIds.slice(3).map((step) => ({ name: 'start_step', input: { step } })),
  { name: 'finish', input: { summary: 'Your agent is ready.', output: 'planned' } },
]

/** Builds with the tools of a build in a dialog, one call after the other, as a model does. */
export default defineAgent({
  name: 'planner',
  about: 'Builds with tools.',
  *reply({ context, turn, generation }) {
    const calls = context.filter((item) => item.kind === 'call')
    const last = calls.at(-1)
    const isWaiting = context.at(-1) === last && String(last?.result?.output).startsWith('Asked')
    const next = plan[calls.length]
    if (!next || isWaiting) return yield { type: 'text', text: 'Nothing more for now.' }
    yield { type: 'call', call: `plan_${turn}_${generation}`, name: next.name, input: next.input }
  },
})
