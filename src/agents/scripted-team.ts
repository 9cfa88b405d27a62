import type { Agent, Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import { scriptedBuilds } from './runtimes/build-script.ts'
import { type ScriptedAgent, scriptedRuntime } from './runtimes/scripted.ts'
import { gatedTool } from './tool.ts'

/**
 * A team of hand-written agents; the first answers when no agent is named.
 *
 * @deprecated since 0.2, until 1.0: `parley({ agents })` takes agents directly.
 */
export function team(agents: readonly ScriptedAgent[], options: { clock?: Clock; fast?: boolean } = {}): Team {
  const [first] = agents
  if (!first) throw new RangeError('A team needs at least one agent.')
  const members = new Map<string, Agent>(
    agents.map((agent) => {
      const { name, build } = agent
      const tools = agent.tools.map((tool) => gatedTool(tool, ''))
      return [name, { name, tools, runtime: scriptedRuntime(agent, options), ...(build && { builds: scriptedBuilds(build, options) }) }]
    }),
  )
  return {
    default: first.name,
    agent: (name) => members.get(name),
    list: () => agents.map(({ name, about }) => ({ name, about })),
  }
}
