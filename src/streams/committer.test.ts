import assert from 'node:assert/strict'
import { setImmediate as loopTurn } from 'node:timers/promises'
import { test } from 'node:test'
import type { Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { groupCommitter } from './committer.ts'

/** A committer whose commits wait until they are released, one by one. */
function heldUp() {
  const inside = memoryStore()
  const commits: { units: number; release: () => void }[] = []
  const store: Store = {
    ...inside,
    async commit(units) {
      const { promise, resolve } = Promise.withResolvers<void>()
      commits.push({ units: units.length, release: resolve })
      await promise
      return inside.commit(units)
    },
  }
  return { committer: groupCommitter(store), commits }
}

test('committer: one commit is under way at a time; units that come meanwhile share the next', async () => {
  const { committer, commits } = heldUp()
  const first = [committer.commit({}), committer.commit({})]
  await loopTurn()
  assert.deepEqual(
    commits.map(({ units }) => units),
    [2],
  )
  const second = [committer.commit({}), committer.commit({}), committer.commit({})]
  await loopTurn()
  await loopTurn()
  assert.equal(commits.length, 1)
  commits[0]?.release()
  await Promise.all(first)
  await loopTurn()
  assert.deepEqual(
    commits.map(({ units }) => units),
    [2, 3],
  )
  commits[1]?.release()
  await Promise.all(second)
})

test('committer: draining waits for the commit under way and for units that wait behind it', async () => {
  const { committer, commits } = heldUp()
  const events: string[] = []
  const first = committer.commit({}).then(() => events.push('first'))
  const drained = committer.drain().then(() => events.push('drained'))
  await loopTurn()
  const second = committer.commit({}).then(() => events.push('second'))
  for (const index of [0, 1]) {
    commits[index]?.release()
    await loopTurn()
    await loopTurn()
  }
  await Promise.all([first, second, drained])
  assert.deepEqual(events, ['first', 'second', 'drained'])
})

test('committer: draining without units ends at once', async () => {
  await heldUp().committer.drain()
})
