import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deliveryLimits } from './delivery-limits.ts'
import { Pace } from './pacing.ts'

const rates = [
  { of: 'address', count: 1, perMs: 1_000 },
  { of: 'group', count: 4, perMs: 10_000 },
  { of: 'account', count: 3, perMs: 1_000 },
] as const

test('whoever waits as told never breaks a rate, and nobody waits for ever', () => {
  const wish = fc.record({ after: fc.nat(700), place: fc.constantFrom('p1', 'p2', 'g1', 'g2') })
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 60 }), (wishes) => {
      const pace = new Pace(0)
      const sent: { at: number; place: string }[] = []
      let now = 0
      for (const { after, place } of wishes) {
        now += after
        const to = { place, isGroup: place.startsWith('g') }
        const at = pace.freeAt('c', to, rates, now)
        assert.ok(at - now <= 10_000 + 1_000)
        now = at
        pace.take('c', to, rates, now)
        sent.push({ at, place })
      }
      const most = (of: (place: string) => boolean, perMs: number): number => {
        const times = sent.filter(({ place }) => of(place)).map(({ at }) => at)
        return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + perMs).length))
      }
      assert.ok(most(() => true, 1_000) <= 3)
      for (const name of ['p1', 'p2', 'g1', 'g2']) assert.ok(most((place) => place === name, 1_000) <= 1)
      for (const name of ['g1', 'g2']) assert.ok(most((place) => place === name, 10_000) <= 4)
    }),
  )
})

test('a process that has just started does not burst', () => {
  const pace = new Pace(1_000)
  const group = { place: 'g', isGroup: true }
  const slow = [{ of: 'group', count: 4, perMs: 10_000 }] as const
  const times = Array.from({ length: 3 }, (_, index) => {
    const at = pace.freeAt('c', group, slow, 1_000 + index)
    pace.take('c', group, slow, at)
    return at
  })
  assert.deepEqual(times, [1_000, 3_500, 6_000])
  const later = new Pace(0)
  for (let index = 0; index < 4; index += 1) {
    assert.equal(later.freeAt('c', group, slow, 60_000), 60_000)
    later.take('c', group, slow, 60_000)
  }
  assert.equal(later.freeAt('c', group, slow, 60_000), 70_000)
})

test('silence that the platform asked for is kept for that place alone', () => {
  const pace = new Pace(0)
  pace.hold('c', { place: 'p', isGroup: false }, 5_000)
  pace.hold('c', { place: 'p', isGroup: false }, 2_000)
  assert.equal(pace.freeAt('c', { place: 'p', isGroup: false }, [], 10), 5_000)
  assert.equal(pace.freeAt('c', { place: 'q', isGroup: false }, [], 10), 10)
})

test('what is remembered stays bounded', () => {
  const pace = new Pace(0)
  for (let index = 0; index < deliveryLimits.windows * 2; index += 1) pace.take('c', { place: `p${index}`, isGroup: false }, rates, index)
  assert.ok(pace.size <= deliveryLimits.windows)
})

test('a clock that was set back closes no place for longer', () => {
  const pace = new Pace(0)
  const to = { place: 'p', isGroup: false }
  const hourMs = 60 * 60_000
  const before = 10 * hourMs
  pace.freeAt('c', to, rates, before)
  pace.take('c', to, rates, before)
  pace.hold('c', { place: 'held', isGroup: false }, before + 5_000)
  const now = before - 2 * hourMs
  assert.equal(pace.freeAt('c', to, rates, now), now + 1_000)
  assert.equal(pace.freeAt('c', { place: 'held', isGroup: false }, rates, now), now + 5_000)
})
