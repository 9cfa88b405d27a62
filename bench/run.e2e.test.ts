import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('an unknown benchmark is refused before anything runs', () => {
  const run = fileURLToPath(new URL('run.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, 'tunrs'], { encoding: 'utf8' })
  assert.equal(status, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /no tunrs/)
})
