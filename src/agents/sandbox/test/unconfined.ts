import type { CommandOptions } from '../../runtimes/command.ts'
import { withoutSandbox } from '../without-sandbox.ts'

/** Programs without a sandbox and with a whole environment, for tests of other things. */
export const unconfined = (env: NodeJS.ProcessEnv = process.env): Pick<CommandOptions, 'cwd' | 'launcher' | 'confinement'> => ({
  cwd: process.cwd(),
  launcher: withoutSandbox({ env: () => env }),
  confinement: { folders: [], hosts: [], env: Object.keys(env) },
})
