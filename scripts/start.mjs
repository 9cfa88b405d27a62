// `npm start`: from a fresh clone to a running demo. Everything after `--` goes to `parley demo`.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, environment, root, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)

const page = spawnSync(node, [join(root, 'scripts', 'build.mjs'), '--page'], { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
if (page.status !== 0) process.exit(page.status ?? 1)

const demo = spawn(node, [join(root, 'src', 'cli', 'main.ts'), 'demo', ...process.argv.slice(2)], { cwd: root, env: environment(), stdio: 'inherit' })

// A terminal sends Ctrl+C to the demo as well, and npm hands it on once more: passing it on again would look like the
// second Ctrl+C that means «leave at once». Without a terminal nobody else tells it.
let interrupted = false
process.on('SIGINT', () => {
  if (!process.stdin.isTTY && !interrupted) demo.kill('SIGINT')
  interrupted = true
})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => demo.kill(signal))

demo.on('error', (error) => {
  process.stderr.write(`The demo could not be started: ${error.message}\n`)
  process.exit(1)
})
const numbers = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }
demo.on('exit', (status, signal) => process.exit(status ?? numbers[signal] ?? 1))
