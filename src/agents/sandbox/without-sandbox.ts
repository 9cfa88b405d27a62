import { spawn } from 'node:child_process'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { processGroup } from '../runtimes/process-group.ts'
import { allowedEnvironment, type Environment } from './environment.ts'
import type { Launched, Launcher } from './launcher.ts'

/** Starts programs with the rights of the server, for `sandbox: off`. The environment is still an allow-list. */
export function withoutSandbox({ env, clock = systemClock }: { env: () => Environment; clock?: Clock }): Launcher {
  return {
    async launch({ command: [program = '', ...args], cwd, variables, stdin, confinement }) {
      const passed = allowedEnvironment(env(), confinement.env, variables)
      const child = spawn(program, args, { cwd, env: passed, stdio: [stdin, 'pipe', 'pipe'], detached: true }) as Launched['child']
      return { child, env: passed, blockedHosts: () => [], ...processGroup(child, clock) }
    },
    close: async () => {},
  }
}
