// `npm run build`: what is published. The library and the binary to dist/, the page to dist/web. `--page`: the page alone.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, environment, isNewEnough, root, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const inNode = (args) => spawnSync(node, args, { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1

if (!isNewEnough(process.versions.node)) process.exit(inNode(process.argv.slice(1)))

const { ensurePage } = await import('./page.mjs')
await ensurePage(node)
if (!process.argv.includes('--page')) {
  // Nothing of an earlier build may be published, but the page is current already.
  const dist = join(root, 'dist')
  for (const name of existsSync(dist) ? readdirSync(dist) : []) if (name !== 'web') rmSync(join(dist, name), { recursive: true, force: true })
  const status = inNode([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'])
  if (status !== 0) process.exit(status)
  chmodSync(join(dist, 'cli', 'main.js'), 0o755)
}
