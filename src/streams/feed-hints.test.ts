import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import type { NewEvent, Store, StoredEvent } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { feed, feedLimits } from './feed.ts'

const empty = Buffer.byteLength(JSON.stringify({ text: '' }))
/** An event whose data has so many bytes. */
const ofBytes = (bytes = empty): NewEvent => ({ type: 'note.added', at: 1, data: { text: 'x'.repeat(bytes - empty) } })
const makeList = (count: number, bytes?: number) => Array.from({ length: count }, () => ofBytes(bytes))

type Listen = Parameters<Store['hints']['onStream']>[0]

/** A feed of stream `a`, whose hints a test sends itself. */
async function scene(before: readonly (readonly [string, NewEvent[]])[] = []) {
  const inside = memoryStore()
  const clock = simulatedClock()
  const listeners = new Set<Listen>()
  let reads = 0
  const store: Store = {
    ...inside,
    hints: { ...inside.hints, onStream: (listen) => (listeners.add(listen), () => void listeners.delete(listen)) },
    read: (...args) => ((reads += 1), inside.read(...args)),
  }
  const append = async (stream: string, events: NewEvent[]): Promise<StoredEvent[]> => {
    const [result] = await inside.commit([{ append: [{ stream, expect: await inside.head(stream), events }] }])
    assert.ok(result?.ok)
    return result.events
  }
  for (const [stream, events] of before) await append(stream, events)
  const stop = new AbortController()
  const batches: number[][] = []
  const ended = (async () => {
    for await (const batch of feed(store, clock, { stream: 'a', after: 0 }, stop.signal)) batches.push(batch.map(({ seq }) => seq))
  })()
  await clock.advance(0)
  const hint = (events: StoredEvent[] | undefined) => {
    for (const listen of listeners) listen('a', events?.at(-1)?.seq ?? 0, events)
  }
  /** Appends, and hints in the same turn of the loop as the hints before. */
  const hintAll = async (...lists: NewEvent[][]) => {
    const stored: StoredEvent[][] = []
    for (const events of lists) stored.push(await append('a', events))
    const readsBefore = reads
    for (const events of stored) hint(events)
    await clock.advance(0)
    return reads - readsBefore
  }
  const close = async () => {
    stop.abort()
    await ended
    return { listeners: listeners.size + getEventListeners(stop.signal, 'abort').length }
  }
  return { batches, append, hint, hintAll, clock, close, countReads: () => reads }
}

test('feed: events from before it began come at once, in pages, also where other streams have events between', async () => {
  const { page } = feedLimits
  const { batches, close } = await scene([
    ['b', makeList(3)],
    ['a', makeList(page)],
    ['b', makeList(5)],
    ['a', makeList(2)],
  ])
  assert.deepEqual(
    batches.map(({ length }) => length),
    [page, 2],
  )
  assert.deepEqual(
    batches.flat(),
    Array.from({ length: page + 2 }, (_, index) => index + 1),
  )
  await close()
})

test('feed: hints of exactly a page of events or bytes cost no read, one more does', async () => {
  const { page, pageBytes } = feedLimits
  const cost = async (...lists: NewEvent[][]) => {
    const { hintAll, batches, close } = await scene()
    const reads = await hintAll(...lists)
    assert.equal(batches.flat().length, lists.flat().length)
    await close()
    return reads > 0
  }
  assert.equal(await cost(makeList(page)), false)
  assert.equal(await cost(makeList(page + 1)), true)
  assert.equal(await cost(makeList(page - 1), makeList(1)), false)
  assert.equal(await cost(makeList(page), makeList(1)), true)
  assert.equal(await cost(makeList(2, pageBytes / 2)), false)
  assert.equal(await cost(makeList(1, pageBytes / 2), makeList(1, pageBytes / 2 + 1)), true)
  assert.equal(await cost(makeList(1, pageBytes + 1)), false, 'one event may be larger')
  assert.equal(await cost(makeList(2, pageBytes / 2 + 1)), true)
})

test('feed: each batch of hints is measured by itself', async () => {
  const { pageBytes } = feedLimits
  const { hintAll, batches, close } = await scene()
  for (let round = 0; round < 4; round += 1) assert.equal(await hintAll(makeList(2, pageBytes / 2)), 0)
  assert.ok((await hintAll(makeList(2, pageBytes))) > 0)
  assert.equal(await hintAll(makeList(2, pageBytes / 2)), 0, 'also after a read')
  assert.equal(batches.flat().length, 12)
  await close()
})

test('feed: a hint that comes twice costs no read and repeats no event', async () => {
  const { append, hint, batches, clock, close, countReads } = await scene()
  const events = await append('a', makeList(2))
  const reads = countReads()
  hint(events)
  await clock.advance(0)
  hint(events)
  await clock.advance(0)
  hint([...events, ...(await append('a', makeList(1)))])
  await clock.advance(0)
  assert.deepEqual([batches, countReads() - reads], [[[1, 2], [3]], 0])
  await close()
})

test('feed: a hint after a gap, and one without events, lead to a read', async () => {
  const { append, hint, batches, clock, close } = await scene()
  await append('a', makeList(1))
  hint(await append('a', makeList(1)))
  await clock.advance(0)
  assert.deepEqual(batches, [[1, 2]])
  await append('a', makeList(1))
  hint(undefined)
  await clock.advance(0)
  assert.deepEqual(batches, [[1, 2], [3]])
  await close()
})

test('feed: its end leaves no listener', async () => {
  const { close } = await scene()
  assert.deepEqual(await close(), { listeners: 0 })
})
