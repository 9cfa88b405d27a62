// `npm run parley|sim|bench`: runs a TypeScript file of this clone under the Node it needs, installing that first.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, environment, root, stopWith } from './setup.mjs'

const [file, ...args] = process.argv.slice(2)
const node = await ensureInstalled().catch(stopWith)
// npm runs every script in the root. `parley` reads the settings and data of the folder the person is in, which npm names in INIT_CWD.
const cwd = process.env.npm_lifecycle_event === 'parley' ? process.env.INIT_CWD : undefined
const child = spawn(node, [join(root, file), ...args], { cwd, env: environment(), stdio: 'inherit' })
// A terminal sends Ctrl+C to both; this one only waits for the other.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (status, signal) => process.exit(status ?? (signal ? 130 : 1)))
