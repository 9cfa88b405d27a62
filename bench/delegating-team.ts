import type { Agent, AgentOutput, GenerationInput, Team } from '../src/ports/agent-runtime.ts'

/** Asks its teammate when something was said, and says one sentence when the reply is there. Thinks in no time. */
async function* lead({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = context.at(-1)
  if (last?.kind === 'call') yield { type: 'text', text: 'It fits: the researcher has looked it up.' }
  else
    yield {
      type: 'call',
      call: 'c',
      name: 'tellaskSessionless',
      input: { targetAgentId: '@bo', tellaskContent: 'Look up the order from last week and say whether it fits.' },
    }
}

async function* researcher(): AsyncGenerator<AgentOutput> {
  yield { type: 'text', text: 'It is from Tuesday, and it fits.' }
}

const agents: Record<string, Agent> = {
  ada: { name: 'ada', runtime: { generate: lead }, tools: [] },
  bo: { name: 'bo', runtime: { generate: researcher }, tools: [] },
}

export const delegatingTeam: Team = {
  default: 'ada',
  agent: (name) => agents[name],
  list: () => Object.keys(agents).map((name) => ({ name, about: '' })),
}
