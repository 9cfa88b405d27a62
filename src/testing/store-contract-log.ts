import assert from 'node:assert/strict'
import type { Store, StoredEvent } from '../ports/store.ts'
import { accepted, appendTo, commit, eventually, insist, say, seqs, words, type StoreCase } from './store-contract-units.ts'

export const logCases: readonly StoreCase[] = [
  {
    id: 'log:append',
    behaviour: 'an append that names the head is kept and comes back as it was given',
    async run({ open }) {
      const store = await open()
      const newEvent = { type: 'word.said', at: 1234, data: { word: 'one', deep: { list: [1, null, true] } } }
      const [event] = await accepted(store, { append: [{ stream: 's', expect: 0, events: [newEvent] }] })
      assert.ok(event)
      assert.deepEqual(event, { ...newEvent, stream: 's', seq: 1, position: event.position })
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
        const unit = {
          ...say('s', expect, 'no'),
          wake: [{ kind: 'turn', key: 's', at: 0 }],
          rows: [{ view: 'v', key: 'k', group: '', sort: 1, text: '', body: {} }],
        }
        assert.deepEqual(await commit(store, unit), { ok: false, why: 'conflict', stream: 's', head: 1 })
      }
      assert.deepEqual(words(await store.read('s', 0, 10)), ['one'])
      assert.equal(await store.nextDue('turn'), null)
      assert.equal(await store.row('v', 'k'), null)
      assert.equal((await store.readAll(0, 10)).length, 1)
    },
  },
  {
    id: 'log:trim',
    behaviour: 'a trimmed stream keeps its head, its last event and its numbers, and another connection sees the same',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      const kept = await accepted(store, say('other', 0, 'stays'))
      await accepted(store, say('s', 0, 'one', 'two', 'three'))
      await accepted(other, { snapshots: [{ stream: 's', seq: 2, version: 1, state: {} }] })
      assert.equal((await other.read('s', 0, 10)).length, 3)
      const [end] = await accepted(store, { ...say('s', 3, 'end'), trim: [{ stream: 's', before: 4 }] })
      assert.ok(end)
      for (const one of [store, other, await open()]) {
        assert.deepEqual(await one.read('s', 0, 10), [end])
        assert.deepEqual(await one.read('s', 3, 10), [end])
        assert.deepEqual(await one.read('s', 4, 10), [])
        assert.equal(await one.head('s'), 4)
        assert.equal(await one.snapshot('s'), null)
        assert.deepEqual(await one.readAll(0, 10), [...kept, end])
        assert.deepEqual(await one.readAll(end.position - 1, 10), [end])
        assert.equal(await one.position(), end.position)
      }
      assert.deepEqual(await commit(store, say('s', 3, 'no')), { ok: false, why: 'conflict', stream: 's', head: 4 })
      const [next] = await accepted(other, say('s', 4, 'next'))
      assert.ok(next && next.position > end.position)
      assert.deepEqual(seqs(await store.read('s', 0, 10)), [4, 5])
      // The last event stays, or the stream would begin anew.
      await accepted(store, { trim: [{ stream: 's', before: 100 }] })
      assert.deepEqual(await other.read('s', 0, 10), [next])
      assert.deepEqual(await commit(store, { ...say('s', 4, 'no'), trim: [{ stream: 'other', before: 2 }] }), {
        ok: false,
        why: 'conflict',
        stream: 's',
        head: 5,
      })
      assert.deepEqual(await store.read('other', 0, 10), kept)
    },
  },
  {
    id: 'log:many-streams',
    behaviour: 'appends to several streams in one unit happen all or not at all',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('b', 0, 'first'))
      const both = (expect: number) => ({ append: [appendTo('a', 0, 'x'), appendTo('b', expect, 'y')] })
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
      await accepted(store, { append: [appendTo('s', 0, 'a', 'b'), appendTo('s', 2, 'c')] })
      assert.deepEqual(words(await store.read('s', 0, 10)), ['a', 'b', 'c'])
      const clash = { append: [appendTo('s', 3, 'd'), appendTo('s', 3, 'e')] }
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
      const results = await store.commit([
        say('s', 0, 'one'),
        say('s', 0, 'no'),
        say('s', 1, 'two'),
        say('t', 5, 'no'),
        say('t', 0, 'three'),
      ])
      assert.deepEqual(
        results.map(({ ok }) => ok),
        [true, false, true, false, true],
      )
      assert.deepEqual(words(await store.read('s', 0, 10)), ['one', 'two'])
      assert.deepEqual(words(await store.read('t', 0, 10)), ['three'])
    },
  },
  {
    id: 'log:paging',
    behaviour: 'a stream is read in pages by after and limit, without gap or repeat, numbered from 1',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('s', 0, ...Array.from({ length: 10 }, (_, i) => `w${i}`)))
      await accepted(store, say('other', 0, 'not mine'))
      const log: StoredEvent[] = []
      for (let page = await store.read('s', 0, 3); page.length > 0; page = await store.read('s', log.length, 3)) {
        assert.ok(page.length <= 3)
        log.push(...page)
        assert.ok(log.length <= 10)
      }
      assert.deepEqual(seqs(log), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      assert.deepEqual(await store.read('s', 10, 5), [])
      assert.deepEqual(await store.read('s', 99, 5), [])
      assert.deepEqual(await store.read('nothing', 0, 5), [])
    },
  },
  {
    id: 'log:byte-page',
    behaviour: 'a page ends before the event that exceeds the byte bound, holds at least one event, and reading on misses nothing',
    async run({ open }) {
      const store = await open()
      // As JSON {"word":"…"}: 11 bytes and the word; the last word has 3 bytes for each character.
      const texts = ['a'.repeat(89), 'b'.repeat(89), 'c'.repeat(89), 'd'.repeat(989), 'e', '语'.repeat(30)]
      await accepted(store, say('s', 0, ...texts))
      const sizes = async (read: (after: number) => Promise<StoredEvent[]>, place: (event: StoredEvent) => number): Promise<number[]> => {
        const matches: number[] = []
        const readEvents: StoredEvent[] = []
        for (let page = await read(0); page.length > 0; page = await read(place(readEvents.at(-1) as StoredEvent))) {
          readEvents.push(...page)
          matches.push(page.length)
          assert.ok(readEvents.length <= texts.length)
        }
        assert.deepEqual(words(readEvents), texts)
        return matches
      }
      const bySeq = ({ seq }: StoredEvent): number => seq
      const byPosition = ({ position }: StoredEvent): number => position
      for (const [limit, maxBytes, pages] of [
        [100, 200, [2, 1, 1, 2]],
        [100, 112, [1, 1, 1, 1, 1, 1]],
        [2, 1_000_000, [2, 2, 2]],
        [100, 1, [1, 1, 1, 1, 1, 1]],
        [100, 1_000_000, [6]],
      ] as const) {
        assert.deepEqual(await sizes((after) => store.read('s', after, limit, maxBytes), bySeq), pages)
        assert.deepEqual(await sizes((after) => store.readAll(after, limit, maxBytes), byPosition), pages)
      }
      // A page that was cut leaves nothing open that a write would have to wait for.
      await accepted(store, say('s', texts.length, 'more'))
      assert.equal((await store.read('s', texts.length, 10, 1)).length, 1)
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
      const last = (): number => all.at(-1)?.position ?? 0
      for (let page = await store.readAll(0, 3); page.length > 0; page = await store.readAll(last(), 3)) {
        all.push(...page)
        assert.ok(all.length <= 4)
      }
      assert.deepEqual(words(all), ['1', '2', '3', '4'])
      for (const [i, event] of all.entries()) assert.ok(event.position > (all[i - 1]?.position ?? 0))
      assert.equal(await store.position(), last())
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
      const readEvents: StoredEvent[] = []
      await eventually(subject, 'every event was read', async () => {
        for (const event of await reader.readAll(readEvents.at(-1)?.position ?? 0, 7)) {
          // A gap in a stream is a missed event: waiting for it would take as long as the wait is allowed to.
          assert.equal(event.seq, readEvents.filter(({ stream }) => stream === event.stream).length + 1)
          readEvents.push(event)
        }
        return readEvents.length >= total
      })
      await writing
      assert.equal(new Set(words(readEvents)).size, total)
      assert.equal(readEvents.length, total)
    },
  },
  {
    id: 'log:concurrent-writers',
    behaviour: 'connections that insist on one stream lose nothing and leave no gap',
    async run({ open }) {
      const [one, two] = [await open(), await open()]
      const write = async (store: Store, name: string): Promise<void> => {
        for (let i = 0; i < 25; i++) await insist(store, 's', `${name}.${i}`)
      }
      await Promise.all([write(one, 'one'), write(two, 'two')])
      const events = await one.read('s', 0, 100)
      assert.deepEqual(
        seqs(events),
        Array.from({ length: 50 }, (_, i) => i + 1),
      )
      assert.equal(new Set(words(events)).size, 50)
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
    id: 'log:check',
    behaviour: 'check succeeds while something can be stored, changes nothing that can be read, and fails once closed',
    async run({ open }) {
      const store = await open()
      await accepted(store, say('s', 0, 'one'))
      await store.check()
      await store.check()
      assert.deepEqual(words(await store.readAll(0, 10)), ['one'])
      assert.equal(await store.position(), 1)
      await store.close()
      await assert.rejects(store.check(), { code: 'store_closed' })
    },
  },
]
