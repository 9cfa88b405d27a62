// `npm run campaigns`: the end-to-end tests that repeat something, with many repetitions instead of few.
// Names after `--` choose among their files.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, environment, root, say, SetupError, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const names = process.argv.slice(2)
const files = ['src', 'test']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.e2e.test.ts') && /fixtures\/campaign\.ts|\.\/looks\.ts/.test(readFileSync(join(root, file), 'utf8')))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
if (files.length === 0) stopWith(new SetupError(`No test that repeats something has ${names.join(' or ')} in its name.`))
say(`Many repetitions: ${files.join(', ')}`)
const { status } = spawnSync(node, ['--test', '--test-concurrency=1', ...files], {
  cwd: root,
  env: environment({ PARLEY_CAMPAIGN: 'long' }),
  stdio: 'inherit',
})
process.exit(status ?? 1)
