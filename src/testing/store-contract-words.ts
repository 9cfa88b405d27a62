import assert from 'node:assert/strict'
import type { Store, StoredEvent, WordEntry, WordQuery } from '../ports/store.ts'
import { accepted, appendTo, commit, say, words as listWords, type StoreCase } from './store-contract-units.ts'

const entry = ({ position, stream }: StoredEvent, ...words: string[]): WordEntry => ({ position, group: stream, words })

async function find(store: Store, words: readonly string[], more: Partial<WordQuery> = {}): Promise<unknown[]> {
  const wanted = words.map((word) => (word.endsWith('*') ? { word: word.slice(0, -1), isStart: true } : { word }))
  return listWords(await store.findWords({ words: wanted, limit: 10, ...more }))
}

export const wordCases: readonly StoreCase[] = [
  {
    id: 'words:find',
    behaviour: 'events are found by all of their words or their beginnings, the latest first, from every connection',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      const [one, two, three] = await accepted(store, say('s', 0, 'one', 'two', 'three'))
      assert.ok(one && two && three)
      assert.deepEqual(await find(store, ['blue']), [])
      const entries = [entry(one, 'blue', 'sky', '天气'), entry(two, 'blueberry', 'pie', '气'), entry(three, 'blue', 'pie', 'øre')]
      await accepted(store, { index: { entries, upTo: three.position }, repeatable: true })
      for (const each of [other, await open()]) {
        assert.deepEqual(await find(each, ['blue']), ['three', 'one'])
        assert.deepEqual(await find(each, ['blue*']), ['three', 'two', 'one'])
        assert.deepEqual(await find(each, ['blue*', 'pie']), ['three', 'two'])
        assert.deepEqual(await find(each, ['天气']), ['one'])
        assert.deepEqual(await find(each, ['气*']), ['two'])
        assert.deepEqual(await find(each, ['øre', 'pie']), ['three'])
        assert.deepEqual(await find(each, ['sky', 'pie']), [])
        assert.deepEqual(await find(each, ['blue*'], { limit: 2 }), ['three', 'two'])
        assert.deepEqual(await find(each, ['blue*'], { before: two.position }), ['one'])
        assert.deepEqual(await find(each, []), [])
        assert.equal(await each.indexedTo(), three.position)
      }
      assert.deepEqual((await store.findWords({ words: [{ word: 'sky' }], limit: 1 }))[0], one)
    },
  },
  {
    id: 'words:groups',
    behaviour: 'a search within groups finds nothing of others, and no word is taken for a group',
    async run({ open }) {
      const store = await open()
      const events = await accepted(store, {
        append: ['dlg_a', 'dlg_A', 'dlg_a.b', 'dlg'].map((stream) => appendTo(stream, 0, stream)),
      })
      const entries = events.map((event) => entry(event, 'blue', 'dlg'))
      await accepted(store, { index: { entries, upTo: events.at(-1)?.position ?? 0 } })
      for (const { stream } of events) assert.deepEqual(await find(store, ['blue'], { groups: [stream] }), [stream])
      assert.deepEqual(await find(store, ['dl*'], { groups: ['dlg_a', 'none', 'dlg'] }), ['dlg', 'dlg_a'])
      assert.deepEqual(await find(store, ['blue'], { groups: [] }), [])
      assert.deepEqual(await find(store, ['blue'], { groups: ['none'] }), [])
      const many = Array.from({ length: 1_000 }, (_, index) => `dlg_${index}`)
      assert.deepEqual(await find(store, ['blue'], { groups: [...many, 'dlg_A'] }), ['dlg_A'])
    },
  },
  {
    id: 'words:progress',
    behaviour: 'what was indexed is skipped when it comes again, and events that do not exist are skipped',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      const [one, two] = await accepted(store, say('s', 0, 'one', 'two'))
      assert.ok(one && two)
      assert.equal(await store.indexedTo(), 0)
      await accepted(store, { index: { entries: [entry(one, 'blue')], upTo: one.position } })
      const again = [entry(one, 'red'), entry(two, 'blue'), { position: two.position + 1_000, group: 's', words: ['blue'] }]
      await accepted(other, { index: { entries: again, upTo: two.position } })
      assert.deepEqual(await find(store, ['blue']), ['two', 'one'])
      assert.deepEqual(await find(store, ['red']), [])
      await accepted(store, { index: { entries: [], upTo: one.position } })
      assert.equal(await other.indexedTo(), two.position, 'it never moves back')
      const refused = await commit(store, { ...say('s', 0, 'no'), index: { entries: [], upTo: two.position + 1 } })
      assert.equal(refused.ok, false)
      assert.equal(await store.indexedTo(), two.position)
    },
  },
  {
    id: 'words:trim',
    behaviour: 'words leave with their events in the same unit, and come back with events that were put back',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      const [one, two] = await accepted(store, say('s', 0, 'one', 'two'))
      const [stays] = await accepted(store, say('other', 0, 'stays'))
      assert.ok(one && two && stays)
      const entries = [entry(one, 'blue'), entry(two, 'blue'), entry(stays, 'blue')]
      await accepted(other, { index: { entries, upTo: stays.position } })
      const refused = await commit(store, { ...say('other', 0, 'no'), trim: [{ stream: 's', before: 3 }] })
      assert.equal(refused.ok, false)
      assert.deepEqual(await find(other, ['blue']), ['stays', 'two', 'one'])
      await accepted(store, { ...say('s', 2, 'end'), trim: [{ stream: 's', before: 3 }] })
      assert.deepEqual(await find(other, ['blue']), ['stays'])
      await accepted(other, { index: { entries, upTo: stays.position + 10 } })
      assert.deepEqual(await find(store, ['blue']), ['stays'], 'a reader that is late adds nothing of events that are gone')
      await accepted(other, { index: { entries: [entry(stays, 'green')] } })
      assert.deepEqual(await find(store, ['green']), ['stays'])
      assert.deepEqual(await find(store, ['blue']), [])
    },
  },
  {
    id: 'words:types',
    behaviour: 'the log can be read for events of some types alone',
    async run({ open }) {
      const store = await open()
      const event = (type: string, word: string): { type: string; at: number; data: { word: string } } => ({ type, at: 1, data: { word } })
      const events = [event('a', 'one'), event('b', 'two'), event('c', 'three'), event('a', 'four')]
      const [one] = await accepted(store, { append: [{ stream: 's', expect: 0, events }] })
      assert.deepEqual(listWords(await store.readAll(0, 10, undefined, ['a', 'c'])), ['one', 'three', 'four'])
      assert.deepEqual(listWords(await store.readAll(one?.position ?? 0, 1, 1_000, ['a', 'b'])), ['two'])
      assert.deepEqual(await store.readAll(0, 10, undefined, []), [])
    },
  },
]
