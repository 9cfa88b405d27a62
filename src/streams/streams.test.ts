import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Refusal, refuse } from '../errors.ts'
import { systemClock } from '../ports/clock.ts'
import type { NewEvent, Store, StoredEvent } from '../ports/store.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { countingStore } from '../testing/counting-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { committerLimits, groupCommitter } from './committer.ts'
import type { StreamKind } from './decider.ts'
import { feed } from './feed.ts'
import { StateCache, stateCacheLimits } from './state-cache.ts'
import { streamHandler, streamLimits } from './stream-handler.ts'

type Added = { type: 'number.added'; at: number; data: { by: number } }

/** The smallest stream with rules: a sum that may not fall below zero. */
const sums: StreamKind<number, number, Added> = {
  initial: 0,
  decide: (sum, by): { events: Added[] } | { refused: Refusal } =>
    sum + by < 0 ? refuse('busy') : { events: [{ type: 'number.added', at: 1, data: { by } }] },
  evolve: (sum, event) => sum + event.data.by,
  consequences: () => ({}),
  sample: 1,
  weigh: () => 1,
}

const event = (number: number): NewEvent => ({ type: 'number.added', at: 1, data: { by: number } })

test('units that arrive together share a commit, and each gets its own result', async () => {
  const store = countingStore(memoryStore())
  const committer = groupCommitter(store)
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      committer.commit({ append: [{ stream: index === 7 ? 's0' : `s${index}`, expect: 0, events: [event(1)] }] }),
    ),
  )
  assert.equal(store.counts.commits, 1)
  assert.equal(results.filter(({ ok }) => ok).length, 49)
  await committer.drain()
})

test('a failing disk is told to every waiting caller, and the next commit works again', async () => {
  const inside = memoryStore()
  let isBroken = true
  const store: Store = {
    ...inside,
    hints: inside.hints,
    commit: (units) => (isBroken ? Promise.reject(new Error('disk full')) : inside.commit(units)),
  }
  const committer = groupCommitter(store)
  const both = await Promise.allSettled([committer.commit({}), committer.commit({})])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isBroken = false
  assert.equal((await committer.commit({})).ok, true)
})

test('many commands at once on one stream are all applied, none twice', async () => {
  const store = memoryStore()
  const handler = streamHandler(sums, store, groupCommitter(store))
  await Promise.all(Array.from({ length: 100 }, () => handler.handle('s', [1])))
  assert.equal(await handler.load('s'), 100)
  assert.equal(await store.head('s'), 100)
})

test('two processes on one stream decide again instead of overwriting each other', async () => {
  const backing = memoryBacking()
  const handlers = [0, 1].map(() => {
    const store = memoryStore({ backing })
    return streamHandler(sums, store, groupCommitter(store))
  })
  await Promise.all(handlers.flatMap((handler) => Array.from({ length: 20 }, () => handler.handle('s', [1]))))
  for (const handler of handlers) assert.equal(await handler.load('s'), 40)
})

test('several streams change together or not at all, and what was only looked at must still be so', async () => {
  const backing = memoryBacking()
  const store = memoryStore({ backing })
  const handler = streamHandler(sums, store, groupCommitter(store))
  const other = memoryStore({ backing })
  let looks = 0
  const handled = await handler.handleAll(async (load) => {
    const otherSum = await load('looked-at')
    looks += 1
    // Another writer is faster, once.
    if (looks === 1) await other.commit([{ append: [{ stream: 'looked-at', expect: 0, events: [event(5)] }] }])
    return {
      orders: [
        { stream: 'a', commands: [otherSum + 1] },
        { stream: 'b', commands: [2] },
      ],
    }
  })
  assert.equal(handled.ok, true)
  assert.equal(looks, 2)
  assert.deepEqual([await handler.load('a'), await handler.load('b')], [6, 2])
  const refused = await handler.handleAll(async () => ({
    orders: [
      { stream: 'a', commands: [1] },
      { stream: 'b', commands: [-9] },
    ],
  }))
  assert.equal(refused.ok === false && refused.why, 'refused')
  assert.deepEqual([await handler.load('a'), await handler.load('b')], [6, 2])
})

test('a refusal is never given from an old state', async () => {
  const backing = memoryBacking()
  const [mine, theirs] = [memoryStore({ backing }), memoryStore({ backing })].map((store) =>
    streamHandler(sums, store, groupCommitter(store)),
  )
  await mine?.handle('s', [1])
  await theirs?.handle('s', [5])
  const handled = await mine?.handle('s', [-4])
  assert.equal(handled?.ok, true)
  const refused = await mine?.handle('s', [-4])
  assert.equal(refused?.ok === false && refused.why, 'refused')
})

test('a long stream is read from its last snapshot, and an unknown snapshot is left aside', async () => {
  const store = memoryStore()
  const first = streamHandler(sums, store, groupCommitter(store))
  for (let count = 0; count < streamLimits.eventsPerSnapshot + 20; count += 1) await first.handle('s', [1])
  let read = 0
  const watched: Store = {
    ...store,
    hints: store.hints,
    read: async (...args) => {
      const events = await store.read(...args)
      read += events.length
      return events
    },
  }
  assert.equal(await streamHandler(sums, watched, groupCommitter(store)).load('s'), streamLimits.eventsPerSnapshot + 20)
  assert.equal(read, 20)
  read = 0
  // A state of another shape: its snapshots are not read.
  const newer = { ...sums, sample: [1] as unknown as number }
  assert.equal(await streamHandler(newer, watched, groupCommitter(store)).load('s'), streamLimits.eventsPerSnapshot + 20)
  assert.equal(read, streamLimits.eventsPerSnapshot + 20)
})

test('the cache stays within its bounds and keeps what is in use', () => {
  const cache = new StateCache<number>(() => 1)
  cache.set('first', { state: 1, seq: 1 })
  for (let index = 0; index < stateCacheLimits.states + 100; index += 1) {
    cache.get('first')
    cache.set(`s${index}`, { state: index, seq: 1 })
  }
  assert.equal(cache.size, stateCacheLimits.states)
  assert.ok(cache.get('first'))
  const heavy = new StateCache<number>(() => stateCacheLimits.chars)
  heavy.set('a', { state: 1, seq: 1 })
  heavy.set('b', { state: 1, seq: 1 })
  assert.equal(heavy.size, 1)
  const halves = new StateCache<number>(() => stateCacheLimits.chars / 2)
  for (const stream of ['a', 'b', 'a']) halves.set(stream, { state: 1, seq: 1 })
  assert.equal(halves.size, 2, 'exactly the limit stays')
  halves.forget('a')
  halves.forget('a')
  halves.set('c', { state: 1, seq: 1 })
  assert.equal(halves.size, 2, 'what was forgotten no longer counts')
})

test('a feed gives every event once and in order, whatever hints are lost, late or doubled', async () => {
  const move = fc.constantFrom('append', 'append', 'foreign', 'lose', 'double', 'breathe')
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40 }), fc.integer({ min: 0, max: 5 }), async (moves, startAfter) => {
      const inside = memoryStore()
      let listeners: ((stream: string, head: number, events?: readonly StoredEvent[]) => void)[] = []
      const store: Store = {
        ...inside,
        hints: {
          ...inside.hints,
          onStream: (listen) => (listeners.push(listen), () => (listeners = listeners.filter((other) => other !== listen))),
        },
      }
      const clock = simulatedClock()
      const stop = new AbortController()
      const got: number[] = []
      const reader = (async () => {
        for await (const batch of feed(store, clock, { stream: 's', after: startAfter }, stop.signal))
          got.push(...batch.map(({ seq }) => seq))
      })()
      let head = 0
      for (const each of moves) {
        if (each === 'breathe') {
          await new Promise((resolve) => setImmediate(resolve))
          continue
        }
        const [result] = await inside.commit([{ append: [{ stream: 's', expect: head, events: [event(1)] }] }])
        head += 1
        const events = result?.ok ? result.events : []
        if (each === 'append' || each === 'double') for (const listen of listeners) listen('s', head, events)
        if (each === 'double') for (const listen of listeners) listen('s', head, events)
        if (each === 'foreign') for (const listen of listeners) listen('s', head)
      }
      await clock.advance(10_000)
      stop.abort()
      await reader
      assert.deepEqual(
        got,
        Array.from({ length: Math.max(head - startAfter, 0) }, (_, index) => startAfter + index + 1),
      )
      assert.equal(listeners.length, 0)
    }),
    { numRuns: 150 },
  )
})

test('a feed over everything goes by position', async () => {
  const store = memoryStore()
  const stop = new AbortController()
  const got: string[] = []
  await store.commit([{ append: [{ stream: 'a', expect: 0, events: [event(1)] }] }])
  for await (const batch of feed(store, systemClock, { after: 0 }, stop.signal)) {
    got.push(...batch.map(({ stream }) => stream))
    if (got.length === 1) await store.commit([{ append: [{ stream: 'b', expect: 0, events: [event(1), event(2)] }] }])
    if (got.length === 3) break
  }
  assert.deepEqual(got, ['a', 'b', 'b'])
})

test('feed: a batch is bounded by bytes, and hints that come while the reader is busy are not held', async () => {
  const store = memoryStore()
  const large = { ...event(1), data: { text: 'x'.repeat(30_000) } }
  const append = async (stream: string, expect: number, count: number): Promise<void> => {
    const [result] = await store.commit([{ append: [{ stream, expect, events: Array.from({ length: count }, () => large) }] }])
    assert.equal(result?.ok, true)
  }
  await append('s', 0, 7)
  for (const stream of ['s', undefined]) {
    const stop = new AbortController()
    const sizes: number[] = []
    let head = await store.head('s')
    let lastSeen = 0
    for await (const batch of feed(store, systemClock, { stream, after: 0 }, stop.signal)) {
      sizes.push(batch.length)
      lastSeen += batch.length
      if (sizes.length === 1) {
        // One commit of far more than a page while this batch is worked on.
        await append('s', head, 9)
        head += 9
      }
      if (lastSeen === head) {
        // And one while the feed waits for a hint.
        if (head % 2 === 1) break
        setImmediate(() => void append('s', head++, 1))
      }
    }
    assert.deepEqual(new Set(sizes.slice(0, 3)), new Set([2]))
    assert.equal(Math.max(...sizes), 2)
    assert.equal(lastSeen, head)
  }
})

test('streamHandler: a once-only key gives the first value again, for one stream and for several', async () => {
  const store = memoryStore()
  const handler = streamHandler(sums, store, groupCommitter(store))
  const once = { key: 'k', value: (seq: number) => `first at ${seq}` }
  await handler.handle('s', [1])
  assert.equal((await handler.handle('s', [2, 3], { once })).ok, true)
  assert.deepEqual(await handler.handle('s', [4], { once }), { ok: false, why: 'seen', value: 'first at 2' })
  assert.deepEqual(await handler.handleAll(async () => ({ orders: [{ stream: 's', commands: [4] }] }), { once }), {
    ok: false,
    why: 'seen',
    value: 'first at 2',
  })
  assert.equal(await handler.load('s'), 6)
})

test('streamHandler: commands under a lost lease are fenced and change nothing', async () => {
  const store = memoryStore()
  const handler = streamHandler(sums, store, groupCommitter(store))
  const lease = { kind: 'turn', key: 'none', epoch: 7 }
  assert.deepEqual(await handler.handle('s', [1], { lease }), { ok: false, why: 'fenced' })
  assert.deepEqual(await handler.handleAll(async () => ({ orders: [{ stream: 's', commands: [1] }] }), { lease }), {
    ok: false,
    why: 'fenced',
  })
  assert.equal(await store.head('s'), 0)
})

test('streamHandler: a command without events commits nothing to its stream', async () => {
  const store = memoryStore()
  const quiet = { ...sums, decide: () => ({ events: [] }) }
  const handler = streamHandler(quiet, store, groupCommitter(store))
  const handled = await handler.handle('s', [1])
  assert.deepEqual(handled, { ok: true, state: 0, before: 0, events: [] })
  assert.equal(await store.head('s'), 0)
})

test('streamHandler: gives the state before and after, and the numbered events', async () => {
  const store = memoryStore()
  const handler = streamHandler(sums, store, groupCommitter(store))
  await handler.handle('s', [1])
  const handled = await handler.handle('s', (sum) => [sum, 5])
  assert.ok(handled.ok)
  assert.deepEqual([handled.before, handled.state, handled.events.map(({ seq }) => seq)], [1, 7, [2, 3]])
  assert.equal(await handler.known('s'), 7)
})

test('streamHandler: a stream that conflicts for ever is reported as busy, to be tried again', async () => {
  const inside = memoryStore()
  const store: Store = {
    ...inside,
    hints: inside.hints,
    commit: async (units) => {
      commits += 1
      return units.map(() => ({ ok: false as const, why: 'conflict' as const, stream: 's', head: 0 }))
    },
  }
  let commits = 0
  const handler = streamHandler(sums, store, groupCommitter(store))
  const busy = { code: 'busy', retryable: true }
  await assert.rejects(handler.handle('s', [1]), busy)
  assert.equal(commits, streamLimits.conflictRetries)
  await assert.rejects(
    handler.handleAll(async () => ({ orders: [{ stream: 's', commands: [1] }] })),
    busy,
  )
  assert.equal(commits, 2 * streamLimits.conflictRetries)
})

test('streamHandler: a stream that a plan has written is not read again', async () => {
  const store = memoryStore()
  let reads = 0
  const counted: Store = {
    ...store,
    hints: store.hints,
    read: (...from) => {
      reads += 1
      return store.read(...from)
    },
  }
  const handler = streamHandler(sums, counted, groupCommitter(counted))
  await handler.handleAll(async () => ({ orders: [{ stream: 's', commands: [1] }] }))
  const before = reads
  await handler.handle('s', [2])
  assert.deepEqual([await handler.known('s'), reads - before], [3, 0])
  await store.commit([{ append: [{ stream: 'other', expect: 0, events: [event(1)] }] }])
  assert.equal(await handler.load('other'), 1)
  const then = reads
  await handler.handle('other', [2])
  assert.equal(reads - then, 0, 'a stream of one event is remembered as well')
})

test('streamHandler: a stream longer than one page is folded whole', async () => {
  const store = memoryStore()
  const count = 2 * streamLimits.readPage + 1
  await store.commit([{ append: [{ stream: 's', expect: 0, events: Array.from({ length: count }, () => event(1)) }] }])
  assert.equal(await streamHandler(sums, store, groupCommitter(store)).load('s'), count)
})

test('committer: more units than one commit may hold are written in several, in order', async () => {
  const store = countingStore(memoryStore())
  const committer = groupCommitter(store)
  const count = committerLimits.unitsPerCommit + 1
  const results = await Promise.all(
    Array.from({ length: count }, (_, index) => committer.commit({ append: [{ stream: 's', expect: index, events: [event(1)] }] })),
  )
  assert.equal(results.filter(({ ok }) => ok).length, count)
  assert.equal(store.counts.commits, 2)
})

test('committer: too many waiting units are refused as busy, and draining waits for the others', async () => {
  const store = memoryStore()
  const committer = groupCommitter(store)
  const waiting = Array.from({ length: committerLimits.unitsWaiting }, () => committer.commit({}))
  await assert.rejects(committer.commit({}), { code: 'busy', retryable: true })
  let isDone = false
  void Promise.all(waiting).then(() => (isDone = true))
  await committer.drain()
  await Promise.all(waiting)
  assert.equal(isDone, true)
  assert.equal((await committer.commit({})).ok, true)
})

test('streamHandler: a plan is never refused from an old state', async () => {
  const backing = memoryBacking()
  const [mine, theirs] = [memoryStore({ backing }), memoryStore({ backing })].map((store) =>
    streamHandler(sums, store, groupCommitter(store)),
  )
  await mine?.handle('s', [1])
  await theirs?.handle('s', [5])
  const take = (by: number) => mine?.handleAll(async () => ({ orders: [{ stream: 's', commands: [by] }] }))
  assert.equal((await take(-4))?.ok, true)
  const refused = await take(-4)
  assert.deepEqual([refused?.ok, refused?.ok === false && refused.why], [false, 'refused'])
})
