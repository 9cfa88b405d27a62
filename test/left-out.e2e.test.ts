import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const start = (command: string[], without: string): { status: number | null; stderr: string } => {
  const [program = '', ...args] = command
  return spawnSync(program, args, { cwd: root, encoding: 'utf8', timeout: 60_000, env: { ...process.env, PARLEY_TEST_WITHOUT: without } })
}

test('.ci/run leaves nothing out', () => {
  const { status, stderr } = start(['bash', '.ci/run'], 'sandbox')
  assert.equal(status, 1)
  assert.match(stderr, /PARLEY_TEST_WITHOUT=sandbox is set, and CI leaves nothing out/)
})

test('only the sandbox can be left out', () => {
  const listed = (without: string): { status: number | null; stderr: string } =>
    start([process.execPath, '--input-type=module', '-e', "(await import('./scripts/sandbox.mjs')).testsWithout()"], without)
  assert.equal(listed('sandbox').status, 0)
  const { status, stderr } = listed('sandbox,kill')
  assert.equal(status, 1)
  assert.match(stderr, /PARLEY_TEST_WITHOUT names kill, which cannot be left out/)
})
