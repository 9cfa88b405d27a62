import assert from 'node:assert/strict'
import type { StoredEvent } from '../ports/store.ts'
import { accepted, commit, eventually, insist, say, seqs, words, type StoreCase } from './store-contract-units.ts'

/** Texts that have broken stores before. */
const hostileTexts = ['', 'a\u0000b', '\ud800', 'x\udc00y', '👩‍👩‍👧‍👦', '‮abc', "'; DROP TABLE event; --", '\r\n\t\u2028', '中文字', '\ufeff', '\uffff']

export const logCases: readonly StoreCase[] = [
  {
    id: 'log:append',
    behaviour: 'an append that names the head is kept and comes back as it was given',
    async run({ open }) {
      const store = await open()
      const given = { type: 'word.said', at: 1234, data: { word: 'one', deep: { list: [1, null, true] } } }
      const [event] = await accepted(store, { append: [{ stream: 's', expect: 0, events: [given] }] })
      assert.ok(event)
      assert.deepEqual(event, { ...given, stream: 's', seq: 1, position: event.position })
      assert.deepEqual(await store.read('s', 0, 10), [event])
      assert.deepEqual(await (await open()).read('s', 0, 10), [event])
    },
  },
  {
    id: 'log:conflict',
    behaviour: 'an append that names another head fails, is told the real one, and leaves nothing',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('s', 0, 'one'))
      for (const expect of [0, 2]) {
        const unit = { ...say('s', expect, 'no'), wake: [{ kind: 'turn', key: 's', at: 0 }], rows: [{ view: 'v', key: 'k', group: '', sort: 1, text: '', body: {} }] }
        assert.deepEqual(await commit(store, unit), { ok: false, why: 'conflict', stream: 's', head: 1 })
      }
      assert.deepEqual(words(await store.read('s', 0, 10)), ['one'])
      assert.equal(await store.nextDue('turn'), null)
      assert.equal(await store.row('v', 'k'), null)
      assert.equal((await store.readAll(0, 10)).length, 1)
    },
  },
  {
    id: 'log:many-streams',
    behaviour: 'appends to several streams in one unit happen all or not at all',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('b', 0, 'first'))
      const both = (expect: number) => ({ append: [...say('a', 0, 'x').append!, ...say('b', expect, 'y').append!] })
      assert.deepEqual(await commit(store, both(0)), { ok: false, why: 'conflict', stream: 'b', head: 1 })
      assert.equal(await store.head('a'), 0)
      const events = await accepted(store, both(1))
      assert.deepEqual(
        events.map(({ stream, seq }) => [stream, seq]),
        [
          ['a', 1],
          ['b', 2],
        ],
      )
    },
  },
  {
    id: 'log:same-stream-twice',
    behaviour: 'two appends to one stream in one unit follow each other',
    async run({ open }) {
      const store = await open()
      await accepted(store, { append: [...say('s', 0, 'a', 'b').append!, ...say('s', 2, 'c').append!] })
      assert.deepEqual(words(await store.read('s', 0, 10)), ['a', 'b', 'c'])
      const clash = { append: [...say('s', 3, 'd').append!, ...say('s', 3, 'e').append!] }
      assert.deepEqual(await commit(store, clash), { ok: false, why: 'conflict', stream: 's', head: 4 })
      assert.equal(await store.head('s'), 3)
    },
  },
  {
    id: 'log:expect-only',
    behaviour: 'an append without events only checks the head',
    async run({ open }) {
      const store = await open()
      assert.deepEqual(await accepted(store, say('s', 0)), [])
      assert.deepEqual(await commit(store, say('s', 1)), { ok: false, why: 'conflict', stream: 's', head: 0 })
      assert.equal(await store.head('s'), 0)
    },
  },
  {
    id: 'log:batch-independence',
    behaviour: 'a failed unit between good ones fails alone, and units see what those before them did',
    async run({ open }) {
      const store = await open()
      const results = await store.commit([say('s', 0, 'one'), say('s', 0, 'no'), say('s', 1, 'two'), say('t', 5, 'no'), say('t', 0, 'three')])
      assert.deepEqual(
        results.map(({ ok }) => ok),
        [true, false, true, false, true],
      )
      assert.deepEqual(words(await store.read('s', 0, 10)), ['one', 'two'])
      assert.deepEqual(words(await store.read('t', 0, 10)), ['three'])
    },
  },
  {
    id: 'log:unwritable-data',
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
    id: 'log:paging',
    behaviour: 'a stream is read in pages by after and limit, without gap or repeat, numbered from 1',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('s', 0, ...Array.from({ length: 10 }, (_, i) => `w${i}`)))
      await accepted(store, say('other', 0, 'not mine'))
      const seen: StoredEvent[] = []
      for (let page = await store.read('s', 0, 3); page.length > 0; page = await store.read('s', seen.length, 3)) {
        assert.ok(page.length <= 3)
        seen.push(...page)
        assert.ok(seen.length <= 10)
      }
      assert.deepEqual(seqs(seen), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      assert.deepEqual(await store.read('s', 10, 5), [])
      assert.deepEqual(await store.read('s', 99, 5), [])
      assert.deepEqual(await store.read('nothing', 0, 5), [])
    },
  },
  {
    id: 'log:head',
    behaviour: 'head is the number of the last event, 0 for a stream that does not exist',
    async run({ open }) {
      const store = await open()
      assert.equal(await store.head('s'), 0)
      await accepted(store, say('s', 0, 'a', 'b'))
      assert.equal(await store.head('s'), 2)
      assert.equal(await (await open()).head('s'), 2)
    },
  },
  {
    id: 'log:read-all',
    behaviour: 'readAll gives every event once, ordered by a position that grows',
    async run({ open }) {
      const store = await open()
      assert.equal(await store.position(), 0)
      await store.commit([say('a', 0, '1', '2'), say('b', 0, '3'), say('a', 2, '4')])
      const all: StoredEvent[] = []
      for (let page = await store.readAll(0, 3); page.length > 0; page = await store.readAll(all.at(-1)!.position, 3)) {
        all.push(...page)
        assert.ok(all.length <= 4)
      }
      assert.deepEqual(words(all), ['1', '2', '3', '4'])
      for (const [i, event] of all.entries()) assert.ok(i === 0 || event.position > all[i - 1]!.position)
      assert.equal(await store.position(), all.at(-1)!.position)
    },
  },
  {
    id: 'log:read-all-never-skips',
    behaviour: 'a reader of everything misses no event while several connections write',
    async run(subject) {
      const { open } = subject
      const writers = await Promise.all([open(), open(), open()])
      const reader = await open()
      const total = 90
      const writing = Promise.all(
        writers.map(async (store, w) => {
          for (let i = 0; i < total / 3; i++) {
            await accepted(store, say(`s${w}`, i, `${w}.${i}`))
            if (i % 5 === w) await subject.advance(1)
          }
        }),
      )
      const seen: StoredEvent[] = []
      await eventually(subject, 'every event was read', async () => {
        const page = await reader.readAll(seen.at(-1)?.position ?? 0, 7)
        seen.push(...page)
        return seen.length >= total
      })
      await writing
      assert.equal(new Set(words(seen)).size, total)
      assert.equal(seen.length, total)
    },
  },
  {
    id: 'log:concurrent-writers',
    behaviour: 'connections that insist on one stream lose nothing and leave no gap',
    async run({ open }) {
      const stores = await Promise.all([open(), open()])
      const write = async (index: number): Promise<void> => {
        for (let i = 0; i < 25; i++) await insist(stores[index]!, 's', `${index}.${i}`)
      }
      await Promise.all([write(0), write(1)])
      const events = await stores[0]!.read('s', 0, 100)
      assert.deepEqual(
        seqs(events),
        Array.from({ length: 50 }, (_, i) => i + 1),
      )
      assert.equal(new Set(words(events)).size, 50)
    },
  },
  {
    id: 'log:independent-data',
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
        const found = [
          (await store.read('s', 0, 1))[0]?.data,
          (await store.readAll(0, 1))[0]?.data,
          (await store.row('v', 'k'))?.body,
          (await store.rows({ view: 'v', limit: 1 }))[0]?.body,
          (await store.snapshot('s'))?.state,
          (await store.remembered('o'))?.value,
        ] as { list: string[] }[]
        const before = found.map(({ list }) => [...list])
        for (const { list } of found) list.push('changed')
        return before
      }
      await spoil()
      assert.deepEqual(await spoil(), Array.from({ length: 6 }, () => ['a']))
      assert.deepEqual((await store.claim('turn', 1, 1000))[0]?.payload, { list: ['a'] })
    },
  },
  {
    id: 'log:any-text',
    behaviour: 'any JavaScript string survives as data, also lone surrogates and U+0000',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('s', 0, ...hostileTexts))
      assert.deepEqual(words(await store.read('s', 0, 100)), hostileTexts)
      await accepted(store, { snapshots: [{ stream: 's', seq: 1, version: 1, state: hostileTexts }], once: [{ key: 'o', value: hostileTexts }] })
      assert.deepEqual((await store.snapshot('s'))?.state, hostileTexts)
      assert.deepEqual(await store.remembered('o'), { value: hostileTexts })
      for (const [i, stream] of ['Zürich/中文', "o'clock", '👩‍👩‍👧'].entries()) {
        await accepted(store, say(stream, 0, `${i}`))
        assert.deepEqual(words(await store.read(stream, 0, 10)), [`${i}`])
      }
    },
  },
  {
    id: 'log:big-event',
    behaviour: 'an event of 1 MB survives',
    async run({ open }) {
      const store = await open()
      const word = 'ü'.repeat(500_000)
      await accepted(store, say('s', 0, word))
      assert.equal(words(await store.read('s', 0, 1))[0], word)
    },
  },
  {
    id: 'log:empty-commit',
    behaviour: 'a commit without units, and a unit that asks for nothing, succeed',
    async run({ open }) {
      const store = await open()
      assert.deepEqual(await store.commit([]), [])
      assert.deepEqual(await store.commit([{}, { append: [], wake: [], once: [] }]), [
        { ok: true, events: [] },
        { ok: true, events: [] },
      ])
    },
  },
  {
    id: 'log:many-units',
    behaviour: 'a commit of 500 units answers each in order',
    async run({ open }) {
      const store = await open()
      const results = await store.commit(Array.from({ length: 500 }, (_, i) => say(`s${i % 10}`, Math.floor(i / 10), `${i}`)))
      assert.deepEqual(
        results.map((result) => (result.ok ? words(result.events)[0] : result)),
        Array.from({ length: 500 }, (_, i) => `${i}`),
      )
      assert.equal((await store.readAll(0, 1000)).length, 500)
    },
  },
  {
    id: 'log:reopen',
    behaviour: 'what was committed is there after every connection was closed',
    async run({ open, now }) {
      const store = await open()
      const at = now() + 5000
      await accepted(store, { ...say('s', 0, 'one'), wake: [{ kind: 'turn', key: 's', at, payload: { a: 1 } }], once: [{ key: 'o', value: 1 }] })
      await accepted(store, { rows: [{ view: 'v', key: 'k', group: 'g', sort: 2, text: 't', body: { b: 1 } }], snapshots: [{ stream: 's', seq: 1, version: 3, state: { c: 1 } }] })
      const position = await store.position()
      await store.close()
      const again = await open()
      assert.deepEqual(words(await again.read('s', 0, 10)), ['one'])
      assert.equal(await again.position(), position)
      assert.equal(await again.nextDue('turn'), at)
      assert.deepEqual(await again.remembered('o'), { value: 1 })
      assert.deepEqual(await again.row('v', 'k'), { view: 'v', key: 'k', group: 'g', sort: 2, text: 't', body: { b: 1 } })
      assert.deepEqual(await again.snapshot('s'), { stream: 's', seq: 1, version: 3, state: { c: 1 } })
    },
  },
  {
    id: 'log:closed',
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
