import assert from 'node:assert/strict'
import { accepted, claimKeys, claimOne, eventually, longLeaseMs, shortLeaseMs, wake, type StoreCase } from './store-contract-units.ts'

const hourMs = 60 * 60_000

export const workCases: readonly StoreCase[] = [
  {
    id: 'work:claim',
    behaviour: 'work that is due is claimed with its payload; work of another kind or time is not',
    async run({ open, now }) {
      const store = await open()
      const payload = { to: 'someone', n: [1, null], text: '\ud800 \u0000' }
      await wake(store, 'a', now() - 10, payload)
      await accepted(store, { wake: [{ kind: 'deliver', key: 'a', at: 0 }] })
      await wake(store, 'later', now() + longLeaseMs)
      const before = now()
      const lease = await claimOne(store, 1000)
      assert.deepEqual({ ...lease, epoch: 0, until: 0 }, { kind: 'turn', key: 'a', epoch: 0, attempts: 1, until: 0, payload })
      assert.ok(lease.until >= before + 1000 && lease.until <= now() + 1000)
      assert.deepEqual(await claimKeys(store), [])
    },
  },
  {
    id: 'work:no-payload',
    behaviour: 'work without a payload is claimed with null; a falsy payload is a payload',
    async run({ open }) {
      const store = await open()
      for (const [i, payload] of [undefined, null, 0, '', false].entries()) await wake(store, `k${i}`, i, payload)
      assert.deepEqual(
        (await store.claim('turn', 9, 1000)).map((lease) => lease.payload),
        [null, null, 0, '', false],
      )
    },
  },
  {
    id: 'work:dedupe',
    behaviour: 'waking the same thing many times gives one piece of work',
    async run({ open }) {
      const [one, two] = [await open(), await open()]
      for (const store of [one, two, one]) await wake(store, 'a', 0)
      await one.commit([{ wake: [{ kind: 'turn', key: 'a', at: 0 }] }, { wake: [{ kind: 'turn', key: 'a', at: 0 }] }])
      assert.deepEqual(await claimKeys(one), ['a'])
      assert.deepEqual(await claimKeys(two), [])
    },
  },
  {
    id: 'work:earliest-wins',
    behaviour: 'of several wakes the earliest counts and the last payload given',
    async run({ open, now }) {
      const store = await open()
      const at = now()
      await wake(store, 'a', at + 5000, 'first')
      await wake(store, 'a', at + 3000, 'second')
      await wake(store, 'a', at + 9000)
      assert.equal(await store.nextDue('turn'), at + 3000)
      await wake(store, 'a', at)
      assert.equal((await claimOne(store)).payload, 'second')
    },
  },
  {
    id: 'work:timer',
    behaviour: 'work for later becomes claimable at its time, not before',
    async run({ open, now, advance }) {
      const store = await open()
      const at = now() + shortLeaseMs
      await wake(store, 'a', at)
      assert.equal(await store.nextDue('turn'), at)
      assert.deepEqual(await claimKeys(store), [])
      await advance(shortLeaseMs + 5)
      assert.deepEqual(await claimKeys(store), ['a'])
    },
  },
  {
    id: 'work:order-and-limit',
    behaviour: 'no more than asked for is claimed, the longest due first',
    async run({ open }) {
      const store = await open()
      for (const [key, at] of [
        ['c', 30],
        ['a', 10],
        ['d', 40],
        ['b', 20],
      ] as const) {
        await wake(store, key, at)
      }
      assert.deepEqual(await claimKeys(store, 3), ['a', 'b', 'c'])
      assert.deepEqual(await claimKeys(store, 3), ['d'])
    },
  },
  {
    id: 'work:exclusive',
    behaviour: 'connections that claim at the same time never get the same work',
    async run({ open }) {
      const stores = await Promise.all([open(), open(), open()])
      await stores[0].commit(Array.from({ length: 40 }, (_, i) => ({ wake: [{ kind: 'turn', key: `k${i}`, at: 0 }] })))
      const claimed = await Promise.all(
        stores.map(async (store) => {
          const mine: string[] = []
          for (let got = await claimKeys(store, 3); got.length > 0; got = await claimKeys(store, 3)) {
            mine.push(...got)
            assert.ok(mine.length <= 40)
          }
          return mine
        }),
      )
      assert.equal(claimed.flat().length, 40)
      assert.equal(new Set(claimed.flat()).size, 40)
    },
  },
  {
    id: 'work:done',
    behaviour: 'work that is done is gone',
    async run({ open }) {
      const store = await open()
      await wake(store, 'a', 0)
      await accepted(store, { lease: await claimOne(store), settle: 'done' })
      assert.equal(await store.nextDue('turn'), null)
      assert.deepEqual(await claimKeys(store), [])
    },
  },
  {
    id: 'work:again',
    behaviour: 'work woken while it is claimed runs again after, not during, and starts with no failed attempts',
    async run({ open }) {
      const [holder, other] = [await open(), await open()]
      await wake(holder, 'a', 0, 'old')
      const lease = await claimOne(holder)
      await wake(other, 'a', 0, 'new')
      assert.deepEqual(await claimKeys(other), [])
      assert.equal(await other.nextDue('turn'), lease.until)
      await accepted(holder, { lease, settle: 'done' })
      const again = await claimOne(other)
      assert.equal(again.attempts, 1)
      assert.equal(again.payload, 'new')
      await accepted(other, { lease: again, settle: 'done' })
      assert.equal(await other.nextDue('turn'), null)
    },
  },
  {
    id: 'work:again-later',
    behaviour: 'work woken for later while it is claimed waits for that time, the earliest of several',
    async run({ open, now }) {
      const store = await open()
      await wake(store, 'a', 0)
      const lease = await claimOne(store)
      const at = now() + 5000
      await wake(store, 'a', at + 1000)
      await wake(store, 'a', at)
      await wake(store, 'a', at + 2000)
      await accepted(store, { lease, settle: 'done' })
      assert.equal(await store.nextDue('turn'), at)
      assert.deepEqual(await claimKeys(store), [])
    },
  },
  {
    id: 'work:done-and-wake',
    behaviour: 'one unit can end a piece of work and wake it afresh',
    async run({ open, now }) {
      const store = await open()
      await wake(store, 'a', 0, 'old')
      const at = now() + 5000
      await accepted(store, { lease: await claimOne(store), settle: 'done', wake: [{ kind: 'turn', key: 'a', at }] })
      assert.equal(await store.nextDue('turn'), at)
    },
  },
  {
    id: 'work:retry',
    behaviour: 'work given back for later keeps its payload and its count of attempts',
    async run({ open, now, advance }) {
      const store = await open()
      await wake(store, 'a', 0, { n: 1 })
      const retryAt = now() + shortLeaseMs
      await accepted(store, { lease: await claimOne(store), settle: { retryAt } })
      assert.equal(await store.nextDue('turn'), retryAt)
      assert.deepEqual(await claimKeys(store), [])
      await advance(shortLeaseMs + 5)
      const second = await claimOne(store)
      assert.equal(second.attempts, 2)
      assert.deepEqual(second.payload, { n: 1 })
    },
  },
  {
    id: 'work:retry-woken',
    behaviour: 'work given back for later but woken meanwhile comes at the earlier time',
    async run({ open, now }) {
      const store = await open()
      await wake(store, 'a', 0)
      const lease = await claimOne(store)
      await wake(store, 'a', 1)
      await accepted(store, { lease, settle: { retryAt: now() + 5000 } })
      assert.equal(await store.nextDue('turn'), 1)
      assert.equal((await claimOne(store)).attempts, 2)
    },
  },
  {
    id: 'work:forgive',
    behaviour: 'work given back by a holder that was told to stop does not count as an attempt',
    async run({ open }) {
      const store = await open()
      await wake(store, 'a', 0)
      for (let round = 0; round < 3; round++) {
        const lease = await claimOne(store)
        assert.equal(lease.attempts, 1)
        await accepted(store, { lease, settle: { retryAt: 0, forgive: true } })
      }
    },
  },
  {
    id: 'work:cancel',
    behaviour: 'cancelled work is gone; cancelling what does not exist is fine',
    async run({ open }) {
      const store = await open()
      await wake(store, 'a', 0)
      await wake(store, 'b', 0)
      await accepted(store, {
        cancel: [
          { kind: 'turn', key: 'a' },
          { kind: 'turn', key: 'none' },
          { kind: 'deliver', key: 'b' },
        ],
      })
      assert.deepEqual(await claimKeys(store), ['b'])
    },
  },
  {
    id: 'work:move',
    behaviour: 'cancel and wake of one key in one unit moves it, also to later, and forgets the old payload',
    async run({ open, now }) {
      const store = await open()
      const at = now() + 5000
      await wake(store, 'a', at, 'old')
      await accepted(store, { cancel: [{ kind: 'turn', key: 'a' }], wake: [{ kind: 'turn', key: 'a', at: at + 1000 }] })
      assert.equal(await store.nextDue('turn'), at + 1000)
      await wake(store, 'a', 0)
      assert.equal((await claimOne(store)).payload, null)
    },
  },
  {
    id: 'work:next-due',
    behaviour: 'nextDue is exact: the earliest due time or end of a lease of that kind, null if there is none',
    async run({ open, now }) {
      const store = await open()
      assert.equal(await store.nextDue('turn'), null)
      await accepted(store, { wake: [{ kind: 'deliver', key: 'a', at: 0 }] })
      assert.equal(await store.nextDue('turn'), null)
      await wake(store, 'a', 0)
      assert.equal(await store.nextDue('turn'), 0)
      const lease = await claimOne(store, 5000)
      assert.equal(await store.nextDue('turn'), lease.until)
      await wake(store, 'late', now() + longLeaseMs)
      assert.equal(await store.nextDue('turn'), lease.until)
      await accepted(store, { lease, settle: 'done' })
      assert.ok(((await store.nextDue('turn')) ?? 0) > lease.until)
    },
  },
  {
    id: 'work:dead-owner',
    behaviour: 'work of a process that died is free at once, long before its lease ends, and counts the attempt',
    async run(subject) {
      const [doomed, other] = [await subject.open(), await subject.open()]
      await wake(doomed, 'a', 0)
      const lost = await claimOne(doomed, 1000 * longLeaseMs)
      await subject.kill(doomed)
      let epoch = 0
      await eventually(subject, 'the work of the dead one was claimable', async () => {
        const [lease] = await other.claim('turn', 1, longLeaseMs)
        epoch = lease?.epoch ?? 0
        return lease?.attempts === 2
      })
      assert.ok(epoch > lost.epoch)
    },
  },
  {
    id: 'work:living-owner',
    behaviour: 'work of a living process stays its own, however many others look',
    async run(subject) {
      const holder = await subject.open()
      await wake(holder, 'a', 0)
      const lease = await claimOne(holder, 1000 * longLeaseMs)
      const other = await subject.open()
      for (let round = 0; round < 4; round++) {
        assert.deepEqual(await claimKeys(other), [])
        await subject.advance(400)
      }
      await accepted(holder, { lease, settle: 'done' })
    },
  },
  {
    id: 'work:clock-set-back',
    behaviour: 'work that was due stays due after the clock was set back, for each connection and for one opened later',
    async run({ open, kill, now, stepBack }) {
      const [one, two] = [await open(), await open()]
      for (const key of ['a', 'b', 'c']) await wake(one, key, now())
      stepBack(hourMs)
      assert.deepEqual(await claimKeys(two, 1), ['a'])
      assert.deepEqual(await claimKeys(one, 1), ['b'])
      await kill(one)
      await kill(two)
      stepBack(hourMs)
      assert.deepEqual((await claimKeys(await open())).toSorted(), ['a', 'b', 'c'])
    },
  },
  {
    id: 'work:clock-set-back-once',
    behaviour: 'a step back moves later work by that step and no further, however many connections notice it',
    async run({ open, now, advance, stepBack }) {
      const [one, two] = [await open(), await open()]
      await wake(one, 'later', now() + hourMs)
      stepBack(5 * hourMs)
      for (const store of [one, two, await open()]) {
        assert.equal(await store.nextDue('turn'), now() + hourMs)
        assert.deepEqual(await claimKeys(store), [])
      }
      await wake(two, 'sooner', now() + 1_000)
      await advance(1_000)
      const sooner = await claimOne(one)
      assert.equal(sooner.key, 'sooner')
      await accepted(one, { lease: sooner, settle: 'done' })
      await advance(hourMs)
      assert.deepEqual(await claimKeys(two), ['later'])
    },
  },
  {
    id: 'work:clock-set-back-lease',
    behaviour: 'a lease ends after the time it was taken for, also when the clock was set back meanwhile',
    async run({ open, advance, stepBack }) {
      const [holder, other] = [await open(), await open()]
      await wake(holder, 'a', 0)
      const lease = await claimOne(holder, shortLeaseMs)
      await wake(other, 'a', lease.until - shortLeaseMs)
      stepBack(hourMs)
      assert.deepEqual(await claimKeys(other), [])
      await advance(shortLeaseMs + 5)
      assert.deepEqual(await claimKeys(other), ['a'])
      assert.deepEqual(await holder.extend([lease], shortLeaseMs), [lease])
    },
  },
  {
    id: 'work:clock-set-back-commit',
    behaviour: 'a unit decided before the clock was set back and committed after it wakes its work at once',
    async run({ open, now, stepBack }) {
      const store = await open()
      const at = now()
      stepBack(hourMs)
      await accepted(store, {
        append: [{ stream: 's', expect: 0, events: [{ type: 'word.said', at, data: {} }] }],
        wake: [{ kind: 'turn', key: 'a', at }],
      })
      assert.deepEqual(await claimKeys(store), ['a'])
    },
  },
  {
    id: 'work:unfinished-since',
    behaviour: 'work counts as unfinished since it was woken, through claims and retries, until it is done',
    async run({ open, now, advance }) {
      const store = await open()
      assert.equal(await store.unfinishedSince([]), null)
      const first = now()
      await wake(store, 'a', 0)
      await advance(10)
      await accepted(store, { wake: [{ kind: 'timer', key: 't', at: now() + longLeaseMs }] })
      await wake(store, 'a', 0)
      const lease = await claimOne(store)
      assert.equal(await store.unfinishedSince([]), first)
      await accepted(store, { lease, settle: { retryAt: now() } })
      assert.equal(await store.unfinishedSince(['timer']), first)
      assert.equal(await store.unfinishedSince(['turn']), first + 10)
      assert.equal(await store.unfinishedSince(['turn', 'timer']), null)
      const again = await claimOne(store)
      await advance(10)
      await wake(store, 'a', now())
      await accepted(store, { lease: again, settle: 'done' })
      assert.equal(await store.unfinishedSince(['timer']), now(), 'it was done, and woken for something new')
    },
  },
]
