// `npm run build`: what is published. The library and the binary to dist/, the page to dist/web. `--page`: the page alone.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pruneTypes } from './prune-types.mjs'
import { ensureInstalled, environment, isNewEnough, root, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const inNode = (args) => spawnSync(node, args, { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1

if (!isNewEnough(process.versions.node)) process.exit(inNode(process.argv.slice(1)))

const { ensurePage } = await import('./page.mjs')
await ensurePage(node)
if (!process.argv.includes('--page')) buildPackage()

/** Compiles into dist/src and dist/packages, laid out like the sources, so that no path in the code has to change. */
function buildPackage() {
  const dist = join(root, 'dist')
  // Nothing of an earlier build may be published, but the page is current already.
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (name !== 'web') rmSync(join(dist, name), { recursive: true, force: true })
  rmSync(join(root, 'packages', 'reply-end', 'dist'), { recursive: true, force: true })
  for (const project of ['tsconfig.build.json', 'packages/reply-end/tsconfig.json']) {
    const status = inNode([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project])
    if (status !== 0) process.exit(status)
  }
  pruneTypes(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  chmodSync(join(dist, 'src', 'cli', 'main.js'), 0o755)
}
