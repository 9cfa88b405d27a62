// The page in dist/web, built only when something it is made of has changed. Needs Node 24: the page's own name for
// what it is made of is computed in TypeScript.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildId } from '../web/page-build.ts'
import { environment, root, say } from './setup.mjs'

export async function ensurePage(node) {
  if (isCurrent()) return
  say('Building the page …')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = ['build', '--logLevel', 'warn', 'web', '--config', 'web/vite.config.ts']
  const { status } = spawnSync(node, [vite, ...args], { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}

function isCurrent() {
  const mark = join(root, 'dist', 'web', 'build.json')
  if (!existsSync(mark) || !existsSync(join(root, 'dist', 'web', 'index.html'))) return false
  return JSON.parse(readFileSync(mark, 'utf8')).build === buildId(root)
}
