import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './load.ts'
import { watchModules } from './watch-modules.ts'

test('a changed agent file is noticed, an unchanged one is not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-modules-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'agent.ts')
  writeFileSync(file, 'one')
  const { config } = readConfig('team: { members: { booker: { runtime: scripted, module: ./agent.ts } } }', 'parley.yaml', {})
  let changes = 0
  const changed = Promise.withResolvers<void>()
  const stop = watchModules(
    () => config,
    join(folder, 'parley.yaml'),
    () => {
      changes += 1
      changed.resolve()
    },
    10,
  )
  // Several looks find nothing new.
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.equal(changes, 0)
  writeFileSync(file, 'two')
  utimesSync(file, 1, 2)
  // The watch keeps no process alive, so the test has to.
  const alive = setInterval(() => {}, 1_000)
  await changed.promise
  clearInterval(alive)
  stop()
  assert.equal(changes, 1)
})
