import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toConfinement } from '../src/agents/sandbox/confinement.ts'
import type { Launcher } from '../src/agents/sandbox/launcher.ts'
import { sandboxLauncher } from '../src/agents/sandbox/sandbox.ts'
import { directoryRules } from '../src/agents/workspace/directory-rules.ts'
import { projectProtection } from '../src/agents/workspace/project-protection.ts'
import { configSchema } from '../src/app/config/schema.ts'
import { systemClock } from '../src/ports/clock.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'

/** One shell command that does nothing, in the sandbox and as a plain process, in turn. */
const env = (): NodeJS.ProcessEnv => process.env
const confined = sandboxLauncher({ mode: 'on', env, clock: systemClock })
const plain = sandboxLauncher({ mode: 'off', env, clock: systemClock })

for (const files of [20, 2_000]) {
  const project = realpathSync(scratch('sandbox'))
  for (const name of ['.parley', '.minds', 'src', 'docs']) mkdirSync(join(project, name))
  for (const name of ['parley.yaml', '.env']) writeFileSync(join(project, name), '')
  for (let file = 0; file < files; file += 1) {
    if (file % 20 === 0) mkdirSync(join(project, `src/${file / 20}`))
    writeFileSync(join(project, `src/${Math.floor(file / 20)}/${file}.ts`), '')
  }
  const config = configSchema.parse({})
  const layout = projectProtection({ file: join(project, 'parley.yaml'), dataDir: join(project, '.parley'), config })
  const rules = directoryRules(project, { writeDirs: ['**'] }, layout)
  const confinement = toConfinement(project, rules, {})
  const command = ['bash', '--noprofile', '--norc', '-c', ':']

  const oneCall = async (launcher: Launcher): Promise<number> => {
    const begin = performance.now()
    const launched = await launcher.launch({ command, cwd: project, variables: {}, stdin: 'ignore', confinement })
    launched.child.stdout.resume()
    const { code } = await launched.ended
    if (code !== 0) throw new Error(`the command ended with ${code}`)
    return performance.now() - begin
  }
  const calls: { sandboxed: number; floor: number }[] = []
  for (let count = -5; count < many(200, 30); count += 1) {
    const call = { sandboxed: await oneCall(confined), floor: await oneCall(plain) }
    if (count >= 0) calls.push(call)
  }
  const figures = (take: (values: readonly number[]) => number): { value: number; floor: number } => ({
    value: take(calls.map((call) => call.sandboxed)),
    floor: take(calls.map((call) => call.floor)),
  })
  print({ bench: 'sandbox', figure: `one call, project of ${files} files`, unit: 'ms', ...figures(median) })
  // On a machine that does other things as well, the fastest call says what the sandbox itself costs.
  print({ bench: 'sandbox', figure: `fastest call, project of ${files} files`, unit: 'ms', ...figures((values) => Math.min(...values)) })
}
await confined.close()
