import { type BuildForm, commandBuilds } from '../../src/agents/runtimes/build-command.ts'
import { commandRuntime, type CommandOptions } from '../../src/agents/runtimes/command.ts'
import { unconfined } from '../../src/agents/sandbox/test/unconfined.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'

/** A team of one program. */
export function commandTeam(given: Pick<CommandOptions, 'command' | 'timeoutSeconds' | 'maxOutputBytes'>, form?: BuildForm): Team {
  const options = { ...unconfined(), ...given }
  const agent = { name: 'prog', tools: [], runtime: commandRuntime(options), builds: commandBuilds(options, form) }
  return { default: 'prog', agent: (name) => (name === 'prog' ? agent : undefined), list: () => [{ name: 'prog', about: 'A program.' }] }
}
