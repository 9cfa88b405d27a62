import type { Agent, AgentOutput, GenerationInput, Team, Tool } from '../ports/agent-runtime.ts'

type Generate = (input: GenerationInput, signal: AbortSignal) => AsyncIterable<AgentOutput>

/** A team of one agent that is a plain generator: what most tests need. */
export function teamOf(generate: Generate, tools: readonly Tool[] = []): Team {
  const agent: Agent = { name: 'ada', runtime: { generate }, tools }
  return {
    default: 'ada',
    agent: (name) => (name === 'ada' ? agent : undefined),
    list: () => [{ name: 'ada', about: 'A test agent.' }],
  }
}
