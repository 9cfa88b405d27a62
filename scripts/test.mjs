// `npm test`: from a fresh clone to every check. Installs what is missing, a browser, the sandbox and PostgreSQL included.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensurePostgres } from './postgres.mjs'
import { ensureSandbox } from './sandbox.mjs'
import { ensureInstalled, environment, root, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const args = process.argv.slice(2)
let browser = ''
try {
  ensureSandbox()
  ensurePostgres()
  if (!args.includes('--fast')) browser = ensureBrowser(node)
} catch (error) {
  stopWith(error)
}
const check = spawnSync(node, [join(root, 'scripts', 'check.mjs'), ...args], {
  cwd: root,
  env: environment(browser ? { PARLEY_BROWSER: browser } : {}),
  stdio: 'inherit',
})
process.exit(check.status ?? 1)
