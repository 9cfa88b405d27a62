import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installedPackage } from '../app/config/installed-package.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const newest = process.versions.node

/** Runs the command line as if under this version of Node, and lists the files of Parley that were loaded. */
function runUnder(version: string): { status: number | null; out: string; err: string; loaded: string[] } {
  const hook = `import { registerHooks } from 'node:module'
Object.defineProperty(process.versions, 'node', { value: '${version}' })
registerHooks({ load(url, context, next) { if (url.includes('/src/')) process.stdout.write('LOADED ' + url + '\\n'); return next(url, context) } })`
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, '--version'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
  })
  const lines = stdout.split('\n')
  return {
    status,
    out: lines.filter((line) => !line.startsWith('LOADED')).join('\n'),
    err: stderr,
    loaded: lines.filter((line) => line.startsWith('LOADED')).map((line) => line.replace(/^.*\/src\//, '')),
  }
}

test('an older Node gets one sentence before any other file is loaded', () => {
  const least = installedPackage.engines.node.replace('>=', '')
  for (const version of ['18.20.4', '20.20.2', '22.9.0', '24.14.9']) {
    const { status, out, err, loaded } = runUnder(version)
    assert.equal(status, 1, version)
    assert.equal(out, '')
    assert.equal(
      err,
      `Parley needs Node.js ${least} or newer, but this is Node.js ${version}. Install a newer one from https://nodejs.org, then run this again.\n`,
    )
    assert.deepEqual(loaded, ['cli/main.ts'])
  }
})

test('the least Node that package.json names, and newer ones, run', () => {
  const least = installedPackage.engines.node.replace('>=', '')
  for (const version of [`${least}.0`, '25.0.0', newest]) {
    const { status, out } = runUnder(version)
    assert.deepEqual([status, out.trim()], [0, installedPackage.version], version)
  }
})
