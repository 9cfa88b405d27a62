import { join } from 'node:path'
import { configSchema } from '../../../app/config/schema.ts'
import { systemClock } from '../../../ports/clock.ts'
import type { CommandOptions } from '../../runtimes/command.ts'
import { projectProtection } from '../../workspace/project-protection.ts'
import { programConfinement } from '../confinement.ts'
import { sandboxLauncher } from '../sandbox.ts'

type Member = Parameters<typeof programConfinement>[1]

/** Programs in the sandbox of this machine, as members of a team in `project` get it. `project` is a real path. */
export function confined(
  project: string,
  {
    env = process.env,
    dataDir = join(project, '.parley'),
    ...member
  }: Omit<Member, 'env'> & { env?: NodeJS.ProcessEnv; dataDir?: string } = {},
): Pick<CommandOptions, 'cwd' | 'launcher' | 'confinement'> {
  const layout = projectProtection({ file: join(project, 'parley.yaml'), dataDir, config: configSchema.parse({}) })
  return {
    cwd: project,
    launcher: sandboxLauncher({ mode: 'on', env: () => env, clock: systemClock }),
    confinement: programConfinement(project, member, layout),
  }
}
