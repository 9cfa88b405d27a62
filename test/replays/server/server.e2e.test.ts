import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviours } from '../replay.ts'
import { sentenceChecks } from './check-line.ts'
import { groups, killGroup } from './play-group.ts'

/** PARLEY_REPLAY_SEED repeats a run. */
const seed = Number(process.env['PARLEY_REPLAY_SEED'] ?? Date.now() % 1_000_000)

for (const group of groups) {
  const { wire, from, lines } = group
  const name = `seed ${seed}, wire ${wire}: model behaviours ${from + 1} to ${from + lines.length} hold, each line killed at one of its commits`
  test(name, { timeout: 300_000 }, async () => {
    const { killed, faults } = await killGroup(group, seed)
    assert.deepEqual(faults, [])
    assert.deepEqual(killed.toSorted(), lines.map(({ id }) => id).toSorted(), 'every line was killed')
  })
}

test('every sentence of every line has a check or a reason', () => {
  for (const { id, expect } of behaviours) assert.equal(sentenceChecks[id]?.length, expect.length, id)
  assert.equal(Object.keys(sentenceChecks).length, behaviours.length)
})
