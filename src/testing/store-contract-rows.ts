import assert from 'node:assert/strict'
import type { RowQuery, Store, Sum } from '../ports/store.ts'
import { accepted, commit, row, say, type StoreCase } from './store-contract-units.ts'

const keys = async (store: Store, query: Partial<RowQuery> = {}): Promise<string[]> =>
  (await store.rows({ view: 'list', limit: 100, ...query })).map(({ key }) => key)

const count = (key: string, add: Sum['add'], bounds?: Sum['bounds']): Sum => ({
  view: 'sums',
  key,
  group: 'g',
  sort: 1,
  add,
  ...(bounds ? { bounds } : {}),
})

export const rowCases: readonly StoreCase[] = [
  {
    id: 'rows:sums',
    behaviour: 'sums of several connections add up, and a unit that would pass a bound changes nothing',
    async run({ open }) {
      const [one, other] = [await open(), await open()]
      const isWithin = [{ fields: ['used', 'held'], most: 10 }]
      await accepted(one, { sums: [count('a', { used: 3 }), count('a', { held: 4 }, isWithin)] })
      await accepted(other, { sums: [count('a', { used: 3 }, isWithin)] })
      const refused = await commit(one, { sums: [count('b', { used: 1 }), count('a', { held: 1 }, isWithin)], rows: [row('c')] })
      assert.deepEqual(refused, { ok: false, why: 'over', view: 'sums', key: 'a' })
      assert.equal(await other.row('list', 'c'), null)
      assert.equal(await other.row('sums', 'b'), null)
      await accepted(one, { sums: [count('a', { held: -4 })] })
      await accepted(other, { sums: [count('a', { used: 4 }, isWithin)] })
      assert.deepEqual((await one.row('sums', 'a'))?.body, { used: 10, held: 0 })
      await accepted(one, { sums: [count('a', { used: 5 })] })
      assert.deepEqual((await one.row('sums', 'a'))?.body, { used: 15, held: 0 }, 'without a bound nothing is refused')
      const inOneCommit = await one.commit([
        { sums: [count('d', { used: 6 }, isWithin)] },
        { sums: [count('d', { used: 6 }, isWithin)] },
        { sums: [count('d', { used: 4 }, isWithin)] },
        { sums: [count('e', { used: 1 })] },
        { rows: [{ ...row('e'), view: 'sums', body: { used: 7 } }] },
        { sums: [count('e', { used: 1 })] },
      ])
      assert.deepEqual(
        inOneCommit.map(({ ok }) => ok),
        [true, false, true, true, true, true],
      )
      assert.deepEqual((await other.row('sums', 'd'))?.body, { used: 10 }, 'a unit sees the sums of the units before it')
      assert.deepEqual((await other.row('sums', 'e'))?.body, { used: 8 }, 'a row replaces the sum of an earlier unit')
    },
  },
  {
    id: 'rows:put',
    behaviour: 'a row is kept, replaced as a whole, and removed by a null body',
    async run({ open }) {
      const store = await open()
      assert.equal(await store.row('list', 'a'), null)
      await accepted(store, { rows: [row('a', { body: { n: 1, extra: true } })] })
      const second = row('a', { group: 'h', sort: 2.5, text: 'new', body: { n: 2 } })
      await accepted(store, { rows: [second] })
      assert.deepEqual(await store.row('list', 'a'), second)
      assert.deepEqual(await store.rows({ view: 'list', limit: 9 }), [second])
      await accepted(store, {
        rows: [
          { view: 'list', key: 'a', body: null },
          { view: 'list', key: 'none', body: null },
        ],
      })
      assert.equal(await store.row('list', 'a'), null)
      assert.deepEqual(await keys(store), [])
    },
  },
  {
    id: 'rows:in-order-of-unit',
    behaviour: 'several changes of one row in one unit and one commit apply in order',
    async run({ open }) {
      const store = await open()
      await store.commit([
        { rows: [row('a'), { view: 'list', key: 'a', body: null }, row('a', { sort: 7 })] },
        { rows: [row('a', { sort: 8 })] },
      ])
      assert.equal((await store.row('list', 'a'))?.sort, 8)
      assert.equal(await store.countRows('list'), 1)
    },
  },
  {
    id: 'rows:with-events',
    behaviour: 'rows are written with their events or not at all',
    async run({ open }) {
      const store = await open()
      const results = await store.commit([
        { ...say('s', 3, 'no'), rows: [row('no')] },
        { ...say('s', 0, 'yes'), rows: [row('yes')] },
      ])
      assert.deepEqual(
        results.map(({ ok }) => ok),
        [false, true],
      )
      assert.deepEqual(await keys(store), ['yes'])
    },
  },
  {
    id: 'rows:group',
    behaviour: 'a list is narrowed by view and group, and counted so',
    async run({ open }) {
      const store = await open()
      await accepted(store, {
        rows: [row('a'), row('b', { group: 'h' }), row('c', { group: 'h' }), row('d', { view: 'other', group: 'h' })],
      })
      assert.deepEqual(await keys(store, { group: 'h' }), ['c', 'b'])
      assert.deepEqual(await keys(store, { group: 'none' }), [])
      assert.equal(await store.countRows('list'), 3)
      assert.equal(await store.countRows('list', 'h'), 2)
      assert.equal(await store.countRows('list', 'none'), 0)
      assert.equal(await store.countRows('none'), 0)
      await accepted(store, { rows: [row('b', { group: 'g' })] })
      assert.equal(await store.countRows('list', 'h'), 1)
    },
  },
  {
    id: 'rows:order',
    behaviour: 'the highest sort comes first; equal ones are ordered by key, last first, by its UTF-8 bytes',
    async run({ open }) {
      const store = await open()
      await accepted(store, {
        rows: [
          row('b', { sort: 5 }),
          row('a', { sort: 5 }),
          row('new', { sort: 9 }),
          row('old', { sort: -1 }),
          row('\uffee', { sort: 3 }),
          row('😀', { sort: 3 }),
        ],
      })
      assert.deepEqual(await keys(store), ['new', 'b', 'a', '😀', '\uffee', 'old'])
      assert.deepEqual(await keys(store, { limit: 2 }), ['new', 'b'])
    },
  },
  {
    id: 'rows:paging',
    behaviour: 'pages follow each other without gap or repeat, also where sorts are equal, with group and text',
    async run({ open }) {
      const store = await open()
      const all = Array.from({ length: 25 }, (_, i) =>
        row(`k${i}`, { sort: i % 3, group: i % 2 ? 'odd' : 'even', text: i % 5 ? 'Common' : 'rare' }),
      )
      await accepted(store, { rows: all })
      for (const query of [{}, { group: 'odd' }, { text: 'common' }, { group: 'even', text: 'COMMON' }]) {
        const whole = await keys(store, query)
        assert.equal(new Set(whole).size, whole.length)
        const paged: string[] = []
        let before: RowQuery['before']
        for (let guard = 0; guard < 20; guard++) {
          const page = await store.rows({ view: 'list', limit: 4, ...query, ...(before ? { before } : {}) })
          paged.push(...page.map(({ key }) => key))
          const last = page.at(-1)
          if (!last) break
          before = { sort: last.sort, key: last.key }
        }
        assert.deepEqual(paged, whole)
      }
      assert.equal((await keys(store, { group: 'odd' })).length, 12)
    },
  },
  {
    id: 'rows:search',
    behaviour: 'a search finds any part of the text, whatever its case, and takes every character literally',
    async run({ open }) {
      const store = await open()
      const texts = {
        mixed: 'Plan the GARDEN Party',
        german: 'ÄRGER in Zürich',
        chinese: '请帮我订一张去上海的机票',
        percent: 'give 100% now',
        under: 'snake_case',
        plain: 'snakeXcase 100 now',
        star: 'a*b[c]\\d',
        empty: '',
      }
      await accepted(store, { rows: Object.entries(texts).map(([key, text]) => row(key, { text })) })
      const findKeys = async (text: string): Promise<string[]> => (await keys(store, { text })).toSorted()
      assert.deepEqual(await findKeys('garden p'), ['mixed'])
      assert.deepEqual(await findKeys('ärger IN zÜ'), ['german'])
      assert.deepEqual(await findKeys('上海'), ['chinese'])
      assert.deepEqual(await findKeys('%'), ['percent'])
      assert.deepEqual(await findKeys('e_c'), ['under'])
      assert.deepEqual(await findKeys('SNAKE'), ['plain', 'under'])
      assert.deepEqual(await findKeys('*B['), ['star'])
      assert.deepEqual(await findKeys('\\'), ['star'])
      assert.deepEqual(await findKeys('no such'), [])
      assert.equal((await findKeys('')).length, Object.keys(texts).length)
      assert.equal((await store.row('list', 'german'))?.text, texts.german)
    },
  },
  {
    id: 'snapshots:latest',
    behaviour: 'the snapshot written last is the one found; a stream without one gives null',
    async run({ open }) {
      const store = await open()
      assert.equal(await store.snapshot('s'), null)
      for (const seq of [1, 5]) await accepted(store, { snapshots: [{ stream: 's', seq, version: 1, state: { seq } }] })
      await accepted(store, { snapshots: [{ stream: 's', seq: 5, version: 2, state: [null, 'v2'] }] })
      assert.deepEqual(await store.snapshot('s'), { stream: 's', seq: 5, version: 2, state: [null, 'v2'] })
      assert.equal(await store.snapshot('other'), null)
      assert.equal(await store.head('s'), 0)
    },
  },
  {
    id: 'snapshots:with-unit',
    behaviour: 'the snapshot of a failed unit is not kept',
    async run({ open }) {
      const store = await open()
      await store.commit([{ ...say('s', 3, 'no'), snapshots: [{ stream: 's', seq: 4, version: 1, state: 1 }] }])
      assert.equal(await store.snapshot('s'), null)
    },
  },
]
