import assert from 'node:assert/strict'
import type { Lease, Store } from '../ports/store.ts'
import {
  accepted,
  claimKeys,
  claimOne,
  commit,
  longLeaseMs,
  row,
  say,
  shortLeaseMs,
  wake,
  type StoreCase,
  type StoreSubject,
} from './store-contract-units.ts'

const fenced = { ok: false, why: 'fenced' }

/** One claims and falls silent until its lease ends; another takes over. */
async function takeOver({ open, advance }: StoreSubject): Promise<{ silent: Store; old: Lease; other: Store; taken: Lease }> {
  const [silent, other] = [await open(), await open()]
  await wake(silent, 'a', 0)
  const old = await claimOne(silent, shortLeaseMs)
  await advance(shortLeaseMs + 5)
  const otherLease = await claimOne(other)
  return { silent, old, other, taken: otherLease }
}

export const fencingCases: readonly StoreCase[] = [
  {
    id: 'fencing:take-over',
    behaviour: 'a lease that ended can be taken over, with a new epoch and one more attempt',
    async run(subject) {
      const { old, taken } = await takeOver(subject)
      assert.equal(taken.key, 'a')
      assert.equal(taken.attempts, 2)
      assert.notEqual(taken.epoch, old.epoch)
    },
  },
  {
    id: 'fencing:whole-unit',
    behaviour: 'a holder that was taken over commits nothing: no event, row, once key, wake, cancel or snapshot',
    async run(subject) {
      const { silent, old, other, taken } = await takeOver(subject)
      await wake(other, 'keep', 9e15)
      const unit = {
        ...say('s', 0, 'zombie'),
        lease: old,
        settle: 'done' as const,
        cancel: [{ kind: 'turn', key: 'keep' }],
        wake: [{ kind: 'deliver', key: 'z', at: 0 }],
        once: [{ key: 'z', value: 1 }],
        rows: [row('z')],
        snapshots: [{ stream: 's', seq: 1, version: 1, state: 1 }],
      }
      assert.deepEqual(await commit(silent, unit), fenced)
      assert.equal(await other.head('s'), 0)
      assert.equal(await other.nextDue('deliver'), null)
      assert.equal(await other.remembered('z'), null)
      assert.equal(await other.row('list', 'z'), null)
      assert.equal(await other.snapshot('s'), null)
      await accepted(other, { lease: taken, settle: 'done' })
      assert.equal(await other.nextDue('turn'), 9e15)
    },
  },
  {
    id: 'fencing:in-a-batch',
    behaviour: 'a fenced unit does not harm the others of its commit',
    async run(subject) {
      const { silent, old } = await takeOver(subject)
      const results = await silent.commit([say('s', 0, 'a'), { ...say('s', 1, 'zombie'), lease: old, settle: 'done' }, say('s', 1, 'b')])
      assert.deepEqual(
        results.map(({ ok }) => ok),
        [true, false, true],
      )
    },
  },
  {
    id: 'fencing:expiry-alone',
    behaviour: 'a late holder that was not replaced may still finish',
    async run({ open, advance }) {
      const store = await open()
      await wake(store, 'a', 0)
      const lease = await claimOne(store, shortLeaseMs)
      await advance(shortLeaseMs + 5)
      await accepted(store, { ...say('s', 0, 'late but first'), lease, settle: 'done' })
      assert.equal(await store.nextDue('turn'), null)
    },
  },
  {
    id: 'fencing:proof',
    behaviour: 'a unit under a lease without settling it keeps the claim',
    async run({ open }) {
      const [holder, other] = [await open(), await open()]
      await wake(holder, 'a', 0)
      const lease = await claimOne(holder)
      await accepted(holder, { ...say('s', 0, 'one'), lease })
      await accepted(holder, { ...say('s', 1, 'two'), lease })
      assert.deepEqual(await claimKeys(other), [])
      await accepted(holder, { lease, settle: 'done' })
      assert.deepEqual(await commit(holder, { ...say('s', 2, 'three'), lease }), fenced)
    },
  },
  {
    id: 'fencing:settled-in-batch',
    behaviour: 'a claim settled by one unit is gone for the next unit of the same commit',
    async run({ open }) {
      const store = await open()
      await wake(store, 'a', 0)
      const lease = await claimOne(store)
      const results = await store.commit([
        { lease, settle: 'done' },
        { ...say('s', 0, 'twice'), lease, settle: 'done' },
      ])
      assert.deepEqual(results, [{ ok: true, events: [] }, fenced])
      assert.equal(await store.head('s'), 0)
    },
  },
  {
    id: 'fencing:cancelled',
    behaviour: 'cancelling claimed work fences its holder',
    async run({ open }) {
      const [holder, other] = [await open(), await open()]
      await wake(holder, 'a', 0)
      const lease = await claimOne(holder)
      await accepted(other, { cancel: [{ kind: 'turn', key: 'a' }] })
      assert.deepEqual(await commit(holder, { ...say('s', 0, 'no'), lease, settle: 'done' }), fenced)
      await wake(other, 'a', 0)
      assert.deepEqual(await commit(holder, { ...say('s', 0, 'no'), lease, settle: 'done' }), fenced)
      assert.equal(await holder.head('s'), 0)
    },
  },
  {
    id: 'fencing:epochs',
    behaviour: 'an epoch is never given twice, also after its work is gone and the store was closed',
    async run({ open }) {
      const seenKeys = new Set<number>()
      let store = await open()
      for (let round = 0; round < 6; round++) {
        await store.commit([
          {
            wake: [
              { kind: 'turn', key: 'a', at: 0 },
              { kind: 'turn', key: `b${round}`, at: 0 },
            ],
          },
        ])
        const leases = await store.claim('turn', 5, longLeaseMs)
        assert.equal(leases.length, 2)
        for (const lease of leases) {
          assert.ok(!seenKeys.has(lease.epoch))
          seenKeys.add(lease.epoch)
          await accepted(store, { lease, settle: 'done' })
        }
        if (round % 2 === 0) continue
        await store.close()
        store = await open()
      }
    },
  },
  {
    id: 'fencing:other-owner',
    behaviour: 'a lease is worth nothing in the hands of another connection',
    async run({ open }) {
      const [holder, other] = [await open(), await open()]
      await wake(holder, 'a', 0)
      const lease = await claimOne(holder)
      assert.notEqual(holder.owner, other.owner)
      assert.deepEqual(await commit(other, { ...say('s', 0, 'no'), lease, settle: 'done' }), fenced)
      assert.deepEqual(await other.extend([lease], 1000), [lease])
    },
  },
  {
    id: 'fencing:extend',
    behaviour: 'a heartbeat keeps the claim past its first end',
    async run({ open, advance }) {
      const [holder, other] = [await open(), await open()]
      await wake(holder, 'a', 0)
      const lease = await claimOne(holder, shortLeaseMs)
      assert.deepEqual(await holder.extend([lease], longLeaseMs), [])
      await advance(shortLeaseMs + 5)
      assert.deepEqual(await claimKeys(other), [])
      assert.ok(((await other.nextDue('turn')) ?? 0) > lease.until)
      await accepted(holder, { lease, settle: 'done' })
    },
  },
  {
    id: 'fencing:extend-lost',
    behaviour: 'a heartbeat tells which claims were lost, and only those',
    async run(subject) {
      const { silent, old } = await takeOver(subject)
      await wake(silent, 'b', 0)
      const ownLease = await claimOne(silent)
      assert.equal(ownLease.key, 'b')
      assert.deepEqual(await silent.extend([old, ownLease], longLeaseMs), [old])
      assert.deepEqual(await silent.extend([], longLeaseMs), [])
    },
  },
  {
    id: 'fencing:take-over-keeps-wakes',
    behaviour: 'a wake for later, made while a lost claim was held, is not lost with it',
    async run({ open, now, advance }) {
      const [silent, other] = [await open(), await open()]
      await wake(silent, 'a', 0)
      await claimOne(silent, shortLeaseMs)
      const at = now() + 5000
      await wake(other, 'a', at)
      await advance(shortLeaseMs + 5)
      await accepted(other, { lease: await claimOne(other), settle: 'done' })
      assert.equal(await other.nextDue('turn'), at)
    },
  },
]
