import { commandBuilds } from '../../src/agents/runtimes/build-command.ts'
import { commandRuntime, type CommandOptions } from '../../src/agents/runtimes/command.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'

/** A team of one program. */
export function commandTeam(options: Omit<CommandOptions, 'input'>): Team {
  const agent = { name: 'prog', tools: [], runtime: commandRuntime(options), builds: commandBuilds(options) }
  return { default: 'prog', agent: (name) => (name === 'prog' ? agent : undefined), list: () => [{ name: 'prog', about: 'A program.' }] }
}
