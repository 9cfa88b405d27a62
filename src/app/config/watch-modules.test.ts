import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readConfig } from './load.ts'
import { watchModules } from './watch-modules.ts'

test('a changed agent file is noticed, an unchanged one is not', (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-modules-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'agent.ts')
  writeFileSync(file, 'one')
  const { config } = readConfig('team: { members: { booker: { runtime: scripted, module: ./agent.ts } } }', 'parley.yaml', {})
  t.mock.timers.enable({ apis: ['setInterval'] })
  let changes = 0
  const stop = watchModules(
    () => config,
    join(folder, 'parley.yaml'),
    () => (changes += 1),
    10,
  )
  t.mock.timers.tick(60)
  assert.equal(changes, 0, 'several looks find nothing new')
  writeFileSync(file, 'two')
  utimesSync(file, 1, 2)
  t.mock.timers.tick(10)
  assert.equal(changes, 1)
  t.mock.timers.tick(60)
  assert.equal(changes, 1)
  stop()
  utimesSync(file, 1, 3)
  t.mock.timers.tick(60)
  assert.equal(changes, 1, 'nothing is noticed after the end')
})
