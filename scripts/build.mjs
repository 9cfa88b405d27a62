// `npm run build`: what is published. The library and the binary to dist/, the page to dist/web.
// `--page` builds the page alone, and only when something it is made of has changed.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { environment, ensureInstalled, root, say, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
if (process.execPath !== node && Number(process.versions.node.split('.')[0]) < 24) {
  // The page's build id is computed by TypeScript, which only Node 24 reads.
  process.exit(spawnSync(node, process.argv.slice(1), { cwd: root, env: environment(), stdio: 'inherit' }).status ?? 1)
}

if (!(await pageIsCurrent())) {
  say('Building the page …')
  tool('vite/bin/vite.js', ['build', '--logLevel', 'warn', 'web', '--config', 'web/vite.config.ts'])
}
if (!process.argv.includes('--page')) {
  // Nothing of an earlier build may be published, but the page is current already.
  const dist = join(root, 'dist')
  for (const name of existsSync(dist) ? readdirSync(dist) : []) if (name !== 'web') rmSync(join(dist, name), { recursive: true, force: true })
  tool('typescript/bin/tsc', ['-p', 'tsconfig.build.json'])
  chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755)
  // What is not code but read at run time lies beside the code that reads it.
  const schema = join(root, 'parley.schema.json')
  if (existsSync(schema)) cpSync(schema, join(root, 'dist', 'parley.schema.json'))
}

async function pageIsCurrent() {
  const mark = join(root, 'dist', 'web', 'build.json')
  if (!existsSync(mark) || !existsSync(join(root, 'dist', 'web', 'index.html'))) return false
  const { buildId } = await import('../web/page-build.ts')
  return JSON.parse(readFileSync(mark, 'utf8')).build === buildId(root)
}

function tool(script, args) {
  const { status } = spawnSync(node, [join(root, 'node_modules', script), ...args], { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}
