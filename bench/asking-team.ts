import type { AgentOutput, GenerationInput, Team } from '../src/ports/agent-runtime.ts'

const ask = {
  text: 'Which one shall it be?',
  items: [
    { id: 'pick', text: 'Choose', kind: 'choice' as const, options: ['red', 'green', 'blue'].map((value) => ({ value, label: value })) },
  ],
}

/** An agent that asks when something was said, and says one sentence when it was answered. Thinks in no time. */
async function* generate({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = context.at(-1)
  if (last?.kind === 'question' && last.outcome) yield { type: 'text', text: `Then it is ${last.outcome.answers?.['pick']}.` }
  else yield { type: 'question', ask }
}

const agent = { name: 'ada', runtime: { generate }, tools: [] }

export const askingTeam: Team = {
  default: 'ada',
  agent: (name) => (name === 'ada' ? agent : undefined),
  list: () => [{ name: 'ada', about: 'Asks.' }],
}
