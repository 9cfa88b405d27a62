import assert from 'node:assert/strict'
import { accepted, commit, row, say, wake, claimOne, type StoreCase } from './store-contract-units.ts'

export const onceCases: readonly StoreCase[] = [
  {
    id: 'once:second',
    behaviour: 'a second unit with the same once key is told the first value, and nothing else of it happens',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      await accepted(store, { ...say('s', 0, 'first'), once: [{ key: 'k', value: { message: 'm1' } }] })
      const second = {
        ...say('s', 1, 'second'),
        once: [{ key: 'k', value: 2 }],
        wake: [{ kind: 'turn', key: 's', at: 0 }],
        rows: [row('r')],
      }
      for (const connection of [store, other]) {
        assert.deepEqual(await commit(connection, second), { ok: false, why: 'seen', key: 'k', value: { message: 'm1' } })
      }
      assert.equal(await store.head('s'), 1)
      assert.equal(await store.nextDue('turn'), null)
      assert.equal(await store.row('list', 'r'), null)
    },
  },
  {
    id: 'once:before-conflict',
    behaviour: 'a repeated request is told so even if the stream has moved on meanwhile',
    async run({ open }) {
      const store = await open()
      const request = { ...say('s', 0, 'first'), once: [{ key: 'k', value: 1 }] }
      await accepted(store, request)
      assert.deepEqual(await commit(store, request), { ok: false, why: 'seen', key: 'k', value: 1 })
    },
  },
  {
    id: 'once:in-a-batch',
    behaviour: 'of two units with the same once key in one commit the first wins',
    async run({ open }) {
      const store = await open()
      const results = await store.commit([
        { ...say('s', 0, 'a'), once: [{ key: 'k', value: 'a' }] },
        { ...say('s', 1, 'b'), once: [{ key: 'k', value: 'b' }] },
      ])
      assert.equal(results[0]?.ok, true)
      assert.deepEqual(results[1], { ok: false, why: 'seen', key: 'k', value: 'a' })
      assert.equal(await store.head('s'), 1)
    },
  },
  {
    id: 'once:reopen',
    behaviour: 'a once key is remembered after the store was closed',
    async run({ open }) {
      const store = await open()
      await accepted(store, { once: [{ key: 'k', value: null }] })
      await store.close()
      const again = await open()
      assert.deepEqual(await commit(again, { once: [{ key: 'k', value: 1 }] }), { ok: false, why: 'seen', key: 'k', value: null })
      assert.deepEqual(await again.remembered('k'), { value: null })
      assert.equal(await again.remembered('other'), null)
    },
  },
  {
    id: 'once:failed-unit',
    behaviour: 'a unit that fails uses up none of its once keys',
    async run({ open }) {
      const store = await open()
      await accepted(store, { once: [{ key: 'taken', value: 1 }] })
      const both = [
        { key: 'free', value: 2 },
        { key: 'taken', value: 2 },
      ]
      assert.deepEqual(await commit(store, { once: both }), { ok: false, why: 'seen', key: 'taken', value: 1 })
      assert.equal((await commit(store, { ...say('s', 7, 'no'), once: [{ key: 'free', value: 3 }] })).ok, false)
      assert.equal(await store.remembered('free'), null)
      await accepted(store, { once: [{ key: 'free', value: 4 }] })
      assert.deepEqual(await store.remembered('free'), { value: 4 })
    },
  },
  {
    id: 'once:under-lease',
    behaviour: 'a unit refused as seen does not settle its work',
    async run({ open }) {
      const store = await open()
      await accepted(store, { once: [{ key: 'k', value: 1 }] })
      await wake(store, 'a', 0)
      const lease = await claimOne(store)
      assert.equal((await commit(store, { lease, settle: 'done', once: [{ key: 'k', value: 2 }] })).ok, false)
      await accepted(store, { lease, settle: 'done' })
    },
  },
  {
    id: 'once:forget',
    behaviour: 'a name that is forgotten can be used again; one that was used since then stays',
    async run({ open, now, advance }) {
      const store = await open()
      await accepted(store, { once: [{ key: 'k', value: 1 }] })
      await accepted(store, { forget: [{ key: 'k', usedBefore: now() }] })
      assert.deepEqual(await store.remembered('k'), { value: 1 }, 'it was not used before now')
      await advance(10)
      await accepted(store, {
        forget: [
          { key: 'k', usedBefore: now() },
          { key: 'never used', usedBefore: now() },
        ],
      })
      assert.equal(await store.remembered('k'), null)
      await accepted(store, { once: [{ key: 'k', value: 2 }] })
      await accepted(await open(), { forget: [{ key: 'k', usedBefore: now() }] })
      assert.deepEqual(await store.remembered('k'), { value: 2 })
    },
  },
  {
    id: 'once:names',
    behaviour: 'names are listed in the order of their bytes, page by page, with the time they were used',
    async run({ open, now, advance }) {
      const store = await open()
      const first = now()
      await accepted(store, { once: ['b', 'ä', 'B'].map((key) => ({ key, value: null })) })
      await advance(10)
      await accepted(store, { once: [{ key: '😀', value: null }] })
      const all = [
        { key: 'B', at: first },
        { key: 'b', at: first },
        { key: 'ä', at: first },
        { key: '😀', at: first + 10 },
      ]
      assert.deepEqual(await store.onceNames('', 10), all)
      assert.deepEqual(await store.onceNames('', 2), all.slice(0, 2))
      assert.deepEqual(await store.onceNames('b', 2), all.slice(2))
      assert.deepEqual(await store.onceNames('😀', 2), [])
    },
  },
]
