import type { Problem } from '../config/problem.ts'
import type { Config } from '../config/schema.ts'
import type { Team } from '../ports/agent-runtime.ts'
import { type BuiltTeam, teamFrom, type TeamParts } from './team.ts'

export type LiveTeam = Team & {
  /** What could not be made of the configuration in use. */
  readonly problems: readonly Problem[]
  /** Makes the team anew. A generation that is running goes on with the member it began with. */
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
    agent: (name) => current.team.agent(name),
    list: () => current.team.list(),
    get problems() {
      return current.problems
    },
    replace(config) {
      // One after the other: of two changes in a row the later one must win.
      const done = last.then(async () => (current = await teamFrom(config, parts, current.mcp)).problems)
      last = done.catch(() => {})
      return done
    },
    async close() {
      await last
      await current.close()
    },
  }
}
