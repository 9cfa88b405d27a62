// `npm start`: from a fresh clone to a running demo. Everything after `--` goes to `parley demo`.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, environment, isNewEnough, root, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const main = join(root, 'src', 'cli', 'main.ts')
const args = ['demo', ...process.argv.slice(2)]

// npm runs scripts in a shell that does not hand signals on. Without this, ending npm would leave the demo behind.
const shell = process.ppid
const watch = (end) => {
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === shell || end(), 500).unref()
}

if (isNewEnough(process.versions.node)) {
  const { ensurePage } = await import('./page.mjs')
  await ensurePage(node)
  process.chdir(root)
  process.argv = [process.execPath, main, ...args]
  watch(() => process.kill(process.pid, 'SIGTERM'))
  await import(pathToFileURL(main).href)
} else {
  // The first start, under the machine's own Node: the rest runs in the one that was just installed.
  const page = spawnSync(node, [join(root, 'scripts', 'build.mjs'), '--page'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (page.status !== 0) process.exit(page.status ?? 1)
  const demo = spawn(node, [main, ...args], { cwd: root, env: environment(), stdio: 'inherit' })
  watch(() => demo.kill('SIGTERM'))
  // A terminal sends Ctrl+C to the demo as well: passing it on would look like the second one, which means «at once».
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
}
