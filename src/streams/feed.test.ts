import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewEvent, Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { feed, feedLimits } from './feed.ts'

const event = (text = ''): NewEvent => ({ type: 'note.added', at: 1, data: { text } })

/** A feed of one stream whose reads are counted. Without hints it sees only what it reads. */
function scene(stream: string | undefined, hasHints = true) {
  const inside = memoryStore()
  const clock = simulatedClock()
  let reads = 0
  const store: Store = {
    ...inside,
    hints: hasHints ? inside.hints : { ...inside.hints, onStream: () => () => {} },
    read: (...args) => ((reads += 1), inside.read(...args)),
    readAll: (...args) => ((reads += 1), inside.readAll(...args)),
  }
  const stop = new AbortController()
  const batches: string[][] = []
  const ended = (async () => {
    for await (const batch of feed(store, clock, { stream, after: 0 }, stop.signal))
      batches.push(batch.map((one) => `${one.stream}${one.seq}`))
  })()
  const append = async (to: string, events: NewEvent[]) => {
    const [result] = await inside.commit([{ append: [{ stream: to, expect: await inside.head(to), events }] }])
    assert.equal(result?.ok, true)
    await clock.advance(0)
  }
  const close = () => (stop.abort(), ended)
  return { clock, batches, append, close, countReads: () => reads }
}

test('feed: events of another stream neither appear nor cost a read', async () => {
  const { clock, batches, append, close, countReads } = scene('a')
  await clock.advance(0)
  const reads = countReads()
  await append('b', [event()])
  assert.deepEqual([batches, countReads()], [[], reads])
  await append('a', [event(), event()])
  await append('a', [event()])
  assert.deepEqual([batches, countReads()], [[['a1', 'a2'], ['a3']], reads], 'hints bring the events')
  await close()
})

test('feed: without hints events come with the backstop', async () => {
  const { clock, batches, append, close } = scene('a', false)
  await clock.advance(0)
  await append('a', [event()])
  await clock.advance(feedLimits.backstopMs - 1)
  assert.deepEqual(batches, [])
  await clock.advance(1)
  assert.deepEqual(batches, [['a1']])
  await close()
})

test('feed: hints beyond a page of events or bytes are read from the store in pages', async () => {
  const { clock, batches, append, close } = scene('a')
  await clock.advance(0)
  await append(
    'a',
    Array.from({ length: feedLimits.page + 1 }, () => event()),
  )
  assert.deepEqual(
    batches.map(({ length }) => length),
    [feedLimits.page, 1],
  )
  const half = 'x'.repeat(feedLimits.pageBytes / 2)
  await append('a', [event(half), event(half), event(half)])
  assert.equal(Math.max(...batches.slice(2).map(({ length }) => length)), 1)
  await append('a', [event(half + half)])
  assert.deepEqual(batches.at(-1), [`a${feedLimits.page + 5}`])
  await close()
})

test('feed: an abort ends a feed that waits, and its timer', async () => {
  const { clock, close } = scene('a')
  await clock.advance(0)
  assert.notEqual(clock.next(), null)
  await close()
  assert.equal(clock.next(), null)
})

test('feed: events that come while the reader is busy are read from the store', async () => {
  const inside = memoryStore()
  const clock = simulatedClock()
  let reads = 0
  const store: Store = { ...inside, hints: inside.hints, read: (...args) => ((reads += 1), inside.read(...args)) }
  const stop = new AbortController()
  const reader = feed(store, clock, { stream: 'a', after: 0 }, stop.signal)
  const append = (expect: number) => inside.commit([{ append: [{ stream: 'a', expect, events: [event()] }] }])
  const first = reader.next()
  await clock.advance(0)
  await append(0)
  assert.equal((await first).value?.length, 1)
  const before = reads
  await append(1)
  assert.equal((await reader.next()).value?.[0]?.seq, 2)
  assert.ok(reads > before)
  stop.abort()
  assert.equal((await reader.next()).done, true)
})
