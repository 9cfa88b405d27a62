// `npm run parley|sim|bench`: runs a TypeScript file of this clone under the Node it needs, installing that first.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, environment, root, stopWith } from './setup.mjs'

const [file, ...args] = process.argv.slice(2)
const node = await ensureInstalled().catch(stopWith)
const child = spawn(node, [join(root, file), ...args], { env: environment(), stdio: 'inherit' })
// A terminal sends Ctrl+C to both; this one only waits for the other.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (status, signal) => process.exit(status ?? (signal ? 130 : 1)))
