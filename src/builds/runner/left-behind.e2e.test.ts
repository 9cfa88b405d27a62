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
