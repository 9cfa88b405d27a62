import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../ports/store.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { crashingStore } from '../testing/crashing-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { expected, playThrough } from './test/play-through.ts'

test('household: two agents meet in a world, one asks its owner, both owners are told once', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  assert.deepEqual(await playThrough(() => store, clock), expected)
})

test('household: killed at any commit, the end is the same', async (t) => {
  let points = 0
  for (let commit = 1; ; commit += Number(process.env['PARLEY_KILL_STEP'] ?? 7)) {
    const clock = simulatedClock()
    const backing = memoryBacking()
    const dying = crashingStore(memoryStore({ clock, backing }), { when: commit % 2 === 0 ? 'before' : 'after', commit })
    const open = (run: number): Store => (run === 0 ? dying : memoryStore({ clock, backing }))
    assert.deepEqual(await playThrough(open, clock), expected, `killed at commit ${commit}`)
    if (!dying.crashed) break
    points += 1
  }
  t.diagnostic(`killed at ${points} commits`)
  assert.ok(points > 5)
})
