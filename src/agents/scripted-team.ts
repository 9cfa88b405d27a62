import type { Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import { type ScriptedAgent, scriptedRuntime } from './runtimes/scripted.ts'

/** A team of hand-written agents; the first answers when nobody is named. */
export function team(agents: readonly ScriptedAgent[], options: { clock?: Clock; fast?: boolean } = {}): Team {
  const [first] = agents
  if (!first) throw new RangeError('A team needs at least one agent.')
  const members = new Map(
    agents.map((agent) => [agent.name, { name: agent.name, tools: agent.tools, runtime: scriptedRuntime(agent, options) }]),
  )
  return {
    default: first.name,
    agent: (name) => members.get(name),
    list: () => agents.map(({ name, about }) => ({ name, about })),
  }
}
