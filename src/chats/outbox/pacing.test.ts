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

test('a sender that waits as told never exceeds a rate, and every sender gets its turn', () => {
  const request = fc.record({ after: fc.nat(700), place: fc.constantFrom('p1', 'p2', 'g1', 'g2') })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
      const pace = new Pace(0)
      const sends: { at: number; place: string }[] = []
      let now = 0
      for (const { after, place } of requests) {
        now += after
        const to = { place, isGroup: place.startsWith('g') }
        const at = pace.freeAt('c', to, rates, now)
        assert.ok(at - now <= 10_000 + 1_000)
        now = at
        pace.take('c', to, rates, now)
        sends.push({ at, place })
      }
      const most = (of: (place: string) => boolean, perMs: number): number => {
        const times = sends.filter(({ place }) => of(place)).map(({ at }) => at)
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

test('pacing: too many windows are forgotten by age first, then the older half', () => {
  const pace = new Pace(0)
  const one = [{ of: 'address', count: 1, perMs: 2 * 60 * 60_000 }] as const
  const address = (index: number) => ({ place: `p${index}`, isGroup: false })
  const now = 10 * 60 * 60_000
  pace.take('c', address(0), one, now - 60 * 60_000 - 1)
  pace.take('c', address(1), one, now - 60 * 60_000)
  for (let index = 2; index <= deliveryLimits.windows; index += 1) pace.take('c', address(index), one, now)
  assert.equal(pace.size, deliveryLimits.windows / 2)
  assert.equal(pace.freeAt('c', address(deliveryLimits.windows), one, now), now + one[0].perMs, 'the newest is remembered')
  assert.equal(pace.freeAt('c', address(0), one, now), now, 'the oldest is forgotten')
  const quiet = new Pace(0)
  for (let index = 0; index < deliveryLimits.windows; index += 1) quiet.take('c', address(index), one, now)
  assert.equal(quiet.size, deliveryLimits.windows, 'so many are remembered')
  quiet.take('c', address(-1), one, now + 60 * 60_000 + 1)
  assert.equal(quiet.size, 1, 'an hour later all others are old')
})

test('pacing: a request that goes out later counts from then', () => {
  const pace = new Pace(0)
  const to = { place: 'p', isGroup: false }
  const one = [{ of: 'address', count: 1, perMs: 1_000 }] as const
  pace.move('c', to, one, 10_000, 10_400)
  assert.equal(pace.size, 0, 'nothing was taken')
  pace.take('c', to, one, 10_000)
  pace.move('c', to, one, 9_000, 9_400)
  assert.equal(pace.freeAt('c', to, one, 10_100), 11_000, 'another request was moved')
  pace.move('c', to, one, 10_000, 10_400)
  assert.equal(pace.freeAt('c', to, one, 10_500), 11_400)
  const two = [{ of: 'address', count: 2, perMs: 1_000 }] as const
  const moved = new Pace(0)
  moved.take('c', to, two, 10_000)
  moved.move('c', to, two, 10_000, 10_400)
  assert.equal(moved.freeAt('c', to, two, 10_500), 10_500, 'it counts once')
})

test('pacing: windows of an account are shared by its chats, those of a group by its topics alone', () => {
  const group = { place: 'g', isGroup: true }
  const chat = { place: 'g', isGroup: false }
  const account = [{ of: 'account', count: 1, perMs: 1_000 }] as const
  const groups = [{ of: 'group', count: 1, perMs: 1_000 }] as const
  const pace = new Pace(0)
  pace.take('c', group, account, 10_000)
  assert.equal(pace.freeAt('c', { place: 'other', isGroup: false }, account, 10_000), 11_000)
  assert.equal(pace.freeAt('d', group, account, 10_000), 10_000)
  pace.take('c', group, groups, 10_000)
  assert.equal(pace.freeAt('c', group, groups, 10_000), 11_000)
  assert.equal(pace.freeAt('c', chat, groups, 10_000), 10_000)
})

test('pacing: a clock that was set back by any time moves what is remembered by exactly that time', () => {
  const one = [{ of: 'address', count: 1, perMs: 1_000 }] as const
  const slow = [{ of: 'group', count: 4, perMs: 10_000 }] as const
  const [chat, held, group] = ['p', 'held', 'g'].map((place) => ({ place, isGroup: place === 'g' }))
  assert.ok(chat && held && group)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), (stepMs) => {
      const pace = new Pace(100_000)
      pace.take('c', chat, one, 100_000)
      pace.hold('c', held, 105_000)
      const now = 100_000 - stepMs
      assert.equal(pace.freeAt('c', chat, one, now), now + 1_000, 'a request')
      assert.equal(pace.freeAt('c', held, one, now), now + 5_000, 'a silence')
      pace.take('c', group, slow, now)
      assert.equal(pace.freeAt('c', group, slow, now), now + 2_500, 'the start')
    }),
    { numRuns: 50, examples: [[1]] },
  )
})

test('pacing: a silence that is over is forgotten, one that is not stays, however many places are in use', () => {
  const pace = new Pace(0)
  const one = [{ of: 'address', count: 1, perMs: 1_000 }] as const
  const now = 10 * 60 * 60_000
  pace.hold('c', { place: 'later', isGroup: false }, now + 5_000)
  pace.hold('c', { place: 'over', isGroup: false }, now - 1)
  for (let index = 0; index <= deliveryLimits.windows; index += 1) pace.take('c', { place: `p${index}`, isGroup: false }, one, now)
  assert.equal(pace.freeAt('c', { place: 'later', isGroup: false }, [], now), now + 5_000)
  assert.equal(pace.freeAt('c', { place: 'over', isGroup: false }, [], now - 1_000), now - 1_000, 'also for a clock that is set back')
})
