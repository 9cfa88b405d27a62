import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { bubblewrap } from './bubblewrap.ts'
import type { Environment } from './environment.ts'
import type { Launcher } from './launcher.ts'
import { linuxProxy, sandboxRuntime } from './network-proxy.ts'
import { seatbelt } from './seatbelt.ts'
import { withoutSandbox } from './without-sandbox.ts'

type Parts = { mode: 'on' | 'off'; env: () => Environment; clock: Clock; platform?: NodeJS.Platform }

/** The package keeps one state for the whole process. */
const runtime = sandboxRuntime()

/** The launcher for this machine. Where there is no sandbox, no program of an agent is started. */
export function sandboxLauncher({ mode, env, clock, platform = process.platform }: Parts): Launcher {
  if (mode === 'off') return withoutSandbox({ env, clock })
  if (platform === 'linux') return bubblewrap({ env, clock, proxy: linuxProxy(runtime, () => env()['PATH']) })
  if (platform === 'darwin') return seatbelt({ env, clock, runtime })
  return {
    async launch() {
      throw new ParleyError('sandbox_unavailable', { why: `there is none for this system (${platform})` })
    },
    close: async () => {},
  }
}
