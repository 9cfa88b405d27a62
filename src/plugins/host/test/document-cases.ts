import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Store } from '../../../ports/store.ts'
import { groupCommitter } from '../../../streams/committer.ts'
import { streamHandler, streamLimits } from '../../../streams/stream-handler.ts'
import { simulatedClock } from '../../../testing/simulated-clock.ts'
import { documentKind, documentStream } from '../document-kind.ts'
import type { PluginStorage } from '../plugin.ts'
import { pluginLimits } from '../plugin-limits.ts'
import { pluginStorage } from '../plugin-storage.ts'

/** As another process, or the same after a restart, sees it: nothing is remembered but what the store holds. */
const fresh = (store: Store, plugin = 'weather'): PluginStorage =>
  pluginStorage(plugin, { store, clock: simulatedClock(), documents: streamHandler(documentKind, store, groupCommitter(store)) })

/** Cases for every store. `open` returns an empty one. */
export const documentCases: { name: string; run(open: () => Promise<Store>): Promise<void> }[] = [
  {
    name: 'who wrote last is right only if they had read what was there',
    async run(open) {
      const store = await open()
      const [one, other] = [fresh(store), fresh(store)]
      assert.equal(await one.get('a'), null)
      assert.equal(await one.put('a', { n: 1 }, 0), true)
      assert.equal(await other.put('a', { n: 2 }, 0), false)
      assert.deepEqual(await other.get('a'), { value: { n: 1 }, rev: 1 })
      const tried = await Promise.all([one.put('a', { n: 3 }, 1), other.put('a', { n: 4 }, 1)])
      assert.equal(tried.filter(Boolean).length, 1)
      assert.equal((await fresh(store).get('a'))?.rev, 2)
    },
  },
  {
    name: 'keys are those of the documents there are, of this plugin alone',
    async run(open) {
      const store = await open()
      const mine = fresh(store)
      for (const key of ['b', 'a/1', 'c']) await mine.put(key, [key], 0)
      await fresh(store, 'other').put('hidden', 1, 0)
      assert.equal(await mine.put('b', null, 1), true)
      assert.deepEqual((await fresh(store).keys()).toSorted(), ['a/1', 'c'])
      assert.deepEqual(await mine.get('b'), { value: null, rev: 2 })
      assert.equal(await mine.put('b', 'back', 2), true)
      assert.deepEqual((await fresh(store).keys()).toSorted(), ['a/1', 'b', 'c'])
      assert.equal(await mine.get('hidden'), null)
    },
  },
  {
    name: 'any JSON comes back as it was written, also from a snapshot',
    async run(open) {
      const store = await open()
      let rev = 0
      const values = fc.sample(fc.jsonValue({ maxDepth: 3 }), { numRuns: streamLimits.eventsPerSnapshot + 20, seed: 7 })
      for (const value of values) {
        assert.equal(await fresh(store).put('doc', value, rev), true)
        rev += 1
        if (rev % 10 === 0) assert.deepEqual(await fresh(store).get('doc'), { value: JSON.parse(JSON.stringify(value)) as unknown, rev })
      }
      assert.ok((await store.snapshot(documentStream('weather', 'doc'))) !== null)
    },
  },
  {
    name: 'what was handed in or out can be changed without changing what is kept',
    async run(open) {
      const mine = fresh(await open())
      const value = { list: [1] }
      await mine.put('doc', value, 0)
      value.list.push(2)
      const got = (await mine.get('doc'))?.value as { list: number[] }
      got.list.push(3)
      assert.deepEqual(await mine.get('doc'), { value: { list: [1] }, rev: 1 })
    },
  },
  {
    name: 'what is too big, nameless or no JSON is refused and leaves no trace',
    async run(open) {
      const mine = fresh(await open())
      await assert.rejects(mine.put('doc', 'x'.repeat(pluginLimits.documentBytes), 0), RangeError)
      await assert.rejects(mine.put('', 1, 0), TypeError)
      await assert.rejects(mine.put('x'.repeat(pluginLimits.keyChars + 1), 1, 0), TypeError)
      await assert.rejects(mine.put('doc', undefined, 0), TypeError)
      const cycle: { self?: unknown } = {}
      cycle.self = cycle
      await assert.rejects(mine.put('doc', cycle, 0), TypeError)
      assert.deepEqual(await mine.keys(), [])
    },
  },
]
