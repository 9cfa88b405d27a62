import assert from 'node:assert/strict'
import { accepted, say, words, type StoreCase } from './store-contract-units.ts'

/** Texts that have broken stores before. */
const hostileTexts = [
  '',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '👩‍👩‍👧‍👦',
  '‮abc',
  "'; DROP TABLE event; --",
  '\r\n\t\u2028',
  '中文字',
  '\ufeff',
  '\uffff',
]

export const dataCases: readonly StoreCase[] = [
  {
    id: 'data:unwritable',
    behaviour: 'data that cannot be written rejects the commit as a whole and nothing of it remains',
    async run({ open }) {
      const store = await open()
      const broken = { append: [{ stream: 't', expect: 0, events: [{ type: 'x', at: 1, data: { big: 1n } }] }] }
      await assert.rejects(store.commit([say('s', 0, 'one'), broken]), TypeError)
      assert.equal(await store.head('s'), 0)
      await accepted(store, say('s', 0, 'one'))
    },
  },
  {
    id: 'data:independent',
    behaviour: 'changing what was handed in or out changes nothing in the store',
    async run({ open }) {
      const store = await open()
      const data = { word: 'one', list: ['a'] }
      const body = { list: ['a'] }
      const payload = { list: ['a'] }
      await accepted(store, {
        append: [{ stream: 's', expect: 0, events: [{ type: 'x', at: 1, data }] }],
        rows: [{ view: 'v', key: 'k', group: '', sort: 1, text: '', body }],
        snapshots: [{ stream: 's', seq: 1, version: 1, state: payload }],
        wake: [{ kind: 'turn', key: 's', at: 0, payload }],
        once: [{ key: 'o', value: payload }],
      })
      for (const handed of [data, body, payload]) handed.list.push('changed')
      const spoil = async (): Promise<unknown[]> => {
        const matches = [
          (await store.read('s', 0, 1))[0]?.data,
          (await store.readAll(0, 1))[0]?.data,
          (await store.row('v', 'k'))?.body,
          (await store.rows({ view: 'v', limit: 1 }))[0]?.body,
          (await store.snapshot('s'))?.state,
          (await store.remembered('o'))?.value,
        ] as { list: string[] }[]
        const before = matches.map(({ list }) => [...list])
        for (const { list } of matches) list.push('changed')
        return before
      }
      await spoil()
      assert.deepEqual(
        await spoil(),
        Array.from({ length: 6 }, () => ['a']),
      )
      assert.deepEqual((await store.claim('turn', 1, 1000))[0]?.payload, { list: ['a'] })
    },
  },
  {
    id: 'data:any-text',
    behaviour: 'any JavaScript string survives as data, also lone surrogates and U+0000',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('s', 0, ...hostileTexts))
      assert.deepEqual(words(await store.read('s', 0, 100)), hostileTexts)
      await accepted(store, {
        snapshots: [{ stream: 's', seq: 1, version: 1, state: hostileTexts }],
        once: [{ key: 'o', value: hostileTexts }],
      })
      assert.deepEqual((await store.snapshot('s'))?.state, hostileTexts)
      assert.deepEqual(await store.remembered('o'), { value: hostileTexts })
      for (const [i, stream] of ['Zürich/中文', "o'clock", '👩‍👩‍👧'].entries()) {
        await accepted(store, say(stream, 0, `${i}`))
        assert.deepEqual(words(await store.read(stream, 0, 10)), [`${i}`])
      }
    },
  },
  {
    id: 'data:big-event',
    behaviour: 'an event of 1 MB survives',
    async run({ open }) {
      const store = await open()
      const word = 'ü'.repeat(500_000)
      await accepted(store, say('s', 0, word))
      assert.equal(words(await store.read('s', 0, 1))[0], word)
    },
  },
  {
    id: 'data:reopen',
    behaviour: 'what was committed is there after every connection was closed',
    async run({ open, now }) {
      const store = await open()
      const at = now() + 5000
      await accepted(store, {
        ...say('s', 0, 'one'),
        wake: [{ kind: 'turn', key: 's', at, payload: { a: 1 } }],
        once: [{ key: 'o', value: 1 }],
      })
      await accepted(store, {
        rows: [{ view: 'v', key: 'k', group: 'g', sort: 2, text: 't', body: { b: 1 } }],
        snapshots: [{ stream: 's', seq: 1, version: 4_294_967_295, state: { c: 1 } }],
      })
      const position = await store.position()
      await store.close()
      const again = await open()
      assert.deepEqual(words(await again.read('s', 0, 10)), ['one'])
      assert.equal(await again.position(), position)
      assert.equal(await again.nextDue('turn'), at)
      assert.deepEqual(await again.remembered('o'), { value: 1 })
      assert.deepEqual(await again.row('v', 'k'), { view: 'v', key: 'k', group: 'g', sort: 2, text: 't', body: { b: 1 } })
      assert.deepEqual(await again.snapshot('s'), { stream: 's', seq: 1, version: 4_294_967_295, state: { c: 1 } })
    },
  },
  {
    id: 'data:closed',
    behaviour: 'closing twice is fine; a closed store refuses everything with store_closed',
    async run({ open }) {
      const store = await open()
      await store.close()
      await store.close()
      const closed = { code: 'store_closed' }
      await assert.rejects(store.commit([]), closed)
      await assert.rejects(store.read('s', 0, 1), closed)
      await assert.rejects(store.head('s'), closed)
      await assert.rejects(store.readAll(0, 1), closed)
      await assert.rejects(store.rows({ view: 'v', limit: 1 }), closed)
      await assert.rejects(store.claim('turn', 1, 1000), closed)
      await assert.rejects(store.extend([], 1000), closed)
      await assert.rejects(store.nextDue('turn'), closed)
    },
  },
]
