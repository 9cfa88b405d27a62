// `npm run build`: what is published. The library and the binary to dist/, the page to dist/web. `--page`: the page alone.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, environment, isNewEnough, root, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const inNode = (args) => spawnSync(node, args, { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1

if (!isNewEnough(process.versions.node)) process.exit(inNode(process.argv.slice(1)))

const { ensurePage } = await import('./page.mjs')
await ensurePage(node)
if (!process.argv.includes('--page')) buildPackage()

/**
 * dist/ is src/ compiled, so that both have the same depth. The demo agent ships too, but is an example and lies outside:
 * everything is compiled into a scratch folder, and the agent goes to dist/demo-agent with its two ways mended.
 */
function buildPackage() {
  const dist = join(root, 'dist')
  mkdirSync(join(root, '.cache'), { recursive: true })
  const scratch = mkdtempSync(join(root, '.cache', 'build-'))
  try {
    const status = inNode([
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      'tsconfig.build.json',
      '--rootDir',
      '.',
      '--outDir',
      scratch,
    ])
    if (status !== 0) process.exit(status)
    // Nothing of an earlier build may be published, but the page is current already.
    for (const name of existsSync(dist) ? readdirSync(dist) : [])
      if (name !== 'web') rmSync(join(dist, name), { recursive: true, force: true })
    cpSync(join(scratch, 'src'), dist, { recursive: true })
    cpSync(join(scratch, 'examples', 'demo-agent'), join(dist, 'demo-agent'), { recursive: true })
    mend(join(dist, 'start.js'), "'../examples/demo-agent/", "'./demo-agent/")
    for (const name of readdirSync(join(dist, 'demo-agent')))
      if (/\.(js|d\.ts)$/.test(name)) mend(join(dist, 'demo-agent', name), '../../src/', '../', false)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  chmodSync(join(dist, 'cli', 'main.js'), 0o755)
}

function mend(file, from, to, isNeeded = true) {
  const text = readFileSync(file, 'utf8')
  if (isNeeded && !text.includes(from)) throw new Error(`${file} no longer says ${from}: see scripts/build.mjs`)
  writeFileSync(file, text.replaceAll(from, to))
}
