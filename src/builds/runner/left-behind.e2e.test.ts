import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Lease, Unit } from '../../ports/store.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { leftBehind } from './left-behind.ts'

const kind = 'build-turn'

test('a recorded program is ended by the next process, a forgotten one is not, and neither waits for the disk', async () => {
  const store = memoryStore()
  const units: Unit[] = []
  const committer = groupCommitter(store)
  const programs = leftBehind(store, { ...committer, commit: (unit) => (units.push(unit), committer.commit(unit)) })
  await store.commit([{ wake: ['one', 'two'].map((key) => ({ kind, key, at: 0 })) }])
  const leases: Lease[] = await store.claim(kind, 2, 60_000)
  const started = leases.map((lease) => ({
    lease,
    child: spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }),
  }))
  try {
    for (const { lease, child } of started) await programs.note(lease, child.pid ?? 0)
    const [left, forgotten] = started
    assert.ok(left && forgotten)
    programs.forget(forgotten.lease.key)
    await committer.drain()
    const exit = once(left.child, 'exit')
    await programs.end(forgotten.lease.key)
    await programs.end(left.lease.key)
    assert.deepEqual(await exit, [null, 'SIGKILL'])
    assert.equal(forgotten.child.signalCode, null)
    assert.deepEqual(
      units.map(({ repeatable }) => repeatable),
      [true, true, true],
    )
  } finally {
    for (const { child } of started) child.kill('SIGKILL')
    await store.close()
  }
})

test('a program of a dead server is ended when its build is over, one of a living server is not', async () => {
  const store = memoryStore()
  const committer = groupCommitter(store)
  const programs = leftBehind(store, committer)
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  try {
    await store.commit([{ wake: [{ kind, key: 'one', at: 0 }] }])
    const [lease] = await store.claim(kind, 1, 60_000)
    assert.ok(lease)
    await programs.note(lease, child.pid ?? 0)
    await committer.drain()
    await programs.endAll(async () => true)
    assert.equal(child.signalCode, null, 'this process serves it')
    const row = await store.row('build-process', 'one')
    assert.ok(row)
    await store.commit([{ rows: [{ ...row, body: { ...row.body, server: { pid: 1, began: 'before' } } }] }])
    await programs.endAll(async () => false)
    assert.equal(child.signalCode, null, 'its turn is taken over')
    const exit = once(child, 'exit')
    await programs.endAll(async () => true)
    assert.deepEqual(await exit, [null, 'SIGKILL'])
  } finally {
    child.kill('SIGKILL')
    await store.close()
  }
})
