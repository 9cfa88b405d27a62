import type { Problem } from '../app/config/problem.ts'
import type { Config } from '../app/config/schema.ts'
import type { Team } from '../ports/agent-runtime.ts'
import { type BuiltTeam, teamFrom, type TeamParts } from './team.ts'

export type LiveTeam = Team & {
  /** Faults of the configuration in use. */
  readonly problems: readonly Problem[]
  /** Makes the team anew. A running generation keeps the member it began with. */
  replace(config: Config): Promise<readonly Problem[]>
  /** Ends the servers its tools come from. Running calls fail. */
  close(): Promise<void>
}

/** A team that can be exchanged while dialogs run. */
export function liveTeam(initial: BuiltTeam, parts: TeamParts): LiveTeam {
  let current = initial
  let last: Promise<unknown> = Promise.resolve()
  return {
    get default() {
      return current.team.default
    },
    agent: (name, model) => current.team.agent(name, model),
    list: () => current.team.list(),
    get taskdocs() {
      return current.team.taskdocs
    },
    get problems() {
      return current.problems
    },
    replace(config) {
      // One after the other: of two changes in a row the later one must win.
      const replacement = last.then(async () => (current = await teamFrom(config, parts, current.mcp)).problems)
      last = replacement.catch(() => {})
      return replacement
    },
    async close() {
      await last
      await current.close()
    },
  }
}
