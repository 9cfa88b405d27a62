import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { AbandonedError, type AbandonOptions, orAbandon, untilAbandoned } from './abandon.ts'

async function collect<Value>(source: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = []
  for await (const value of source) values.push(value)
  return values
}

function scene() {
  const clock = simulatedClock()
  const controller = new AbortController()
  const texts: string[] = []
  const options: AbandonOptions = {
    signal: controller.signal,
    clock,
    afterMs: () => 1_000,
    onAbandoned: () => texts.push('abandoned'),
    onLate: () => texts.push('late'),
  }
  return { clock, controller, seen: texts, options }
}

test('orAbandon: passes on a result or an error and leaves neither timer nor listener', async () => {
  const { clock, controller, seen, options } = scene()
  assert.equal(await orAbandon(Promise.resolve(7), options), 7)
  await assert.rejects(orAbandon(Promise.reject(new Error('broken')), options), /broken/)
  const slow = Promise.withResolvers<number>()
  const waiting = orAbandon(slow.promise, options)
  controller.abort()
  assert.equal(clock.next(), clock.now() + 1_000)
  slow.resolve(8)
  assert.equal(await waiting, 8)
  assert.equal(clock.next(), null)
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
  assert.deepEqual(seen, [])
})

test('orAbandon: work that ignores its abort is given up after the grace period, and a late result is reported once', async () => {
  for (const end of ['resolve', 'reject'] as const) {
    const { clock, controller, seen, options } = scene()
    const deaf = Promise.withResolvers<number>()
    const outcome = orAbandon(deaf.promise, options).catch((error: unknown) => error)
    await clock.advance(5_000)
    assert.deepEqual(seen, [], 'nothing aborts it yet')
    controller.abort()
    await clock.advance(999)
    assert.deepEqual(seen, [])
    await clock.advance(1)
    assert.ok((await outcome) instanceof AbandonedError)
    assert.deepEqual(seen, ['abandoned'])
    if (end === 'resolve') deaf.resolve(1)
    else deaf.reject(new Error('too late'))
    await clock.advance(0)
    assert.deepEqual(seen, ['abandoned', 'late'])
  }
})

test('orAbandon: a signal that was aborted before starts the grace period at once', async () => {
  const { clock, controller, options } = scene()
  controller.abort()
  const outcome = orAbandon(new Promise(() => {}), options).catch((error: unknown) => error)
  await clock.advance(1_000)
  assert.ok((await outcome) instanceof AbandonedError)
})

test('untilAbandoned: gives every value of a source that ends, and cleans it up once', async () => {
  const { clock, options } = scene()
  let cleanUps = 0
  async function* source() {
    try {
      yield 1
      yield 2
    } finally {
      cleanUps += 1
    }
  }
  assert.deepEqual([await collect(untilAbandoned(source(), options)), cleanUps, clock.next()], [[1, 2], 1, null])
})

test('untilAbandoned: a source that has ended is not asked to return', async () => {
  const { options } = scene()
  let returns = 0
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true, value: undefined }),
      return: async () => ((returns += 1), { done: true, value: undefined }),
    }),
  }
  assert.deepEqual([await collect(untilAbandoned(source, options)), returns], [[], 0])
})

test('untilAbandoned: passes on the error of a source and does not ask it to return', async () => {
  const { options } = scene()
  let returns = 0
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('broken')),
      return: async () => ((returns += 1), { done: true, value: undefined }),
    }),
  }
  await assert.rejects(collect(untilAbandoned(source, options)), /broken/)
  assert.equal(returns, 0)
})

test('untilAbandoned: a source that ignores its abort is given up', async () => {
  const { clock, controller, seen, options } = scene()
  let returns = 0
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<IteratorResult<number>>(() => {}),
      return: () => ((returns += 1), Promise.reject(new Error('unheard'))),
    }),
  }
  const outcome = collect(untilAbandoned(source, options)).catch((error: unknown) => error)
  controller.abort()
  await clock.advance(1_000)
  assert.ok((await outcome) instanceof AbandonedError)
  assert.deepEqual([seen, returns], [['abandoned'], 1])
})

test('untilAbandoned: a consumer that leaves waits for the clean-up, but no longer than the grace period', async () => {
  const { clock, seen, options } = scene()
  const cleanUp = Promise.withResolvers<IteratorResult<number>>()
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 1 }), return: () => cleanUp.promise }),
  }
  const leave = async (): Promise<void> => {
    for await (const _ of untilAbandoned(source, options)) break
    seen.push('left')
  }
  const first = leave()
  await clock.advance(500)
  assert.deepEqual(seen, [])
  await clock.advance(500)
  await first
  assert.deepEqual(seen, ['abandoned', 'left'])
  cleanUp.resolve({ done: true, value: undefined })
  await leave()
  assert.equal(seen.at(-1), 'left')
  assert.equal(clock.next(), null)
})

test('untilAbandoned: an error of the clean-up reaches a consumer that leaves', async () => {
  const { options } = scene()
  async function* source() {
    try {
      yield 1
    } finally {
      // oxlint-disable-next-line no-unsafe-finally
      throw new Error('not clean')
    }
  }
  await assert.rejects(async () => {
    for await (const _ of untilAbandoned(source(), options)) break
  }, /not clean/)
})

test('untilAbandoned: a source whose value and clean-up both come late is reported once', async () => {
  const { clock, controller, seen, options } = scene()
  const [value, cleanUp] = [Promise.withResolvers<IteratorResult<number>>(), Promise.withResolvers<IteratorResult<number>>()]
  const source = { [Symbol.asyncIterator]: () => ({ next: () => value.promise, return: () => cleanUp.promise }) }
  const outcome = collect(untilAbandoned(source, options)).catch((error: unknown) => error)
  controller.abort()
  await clock.advance(1_000)
  assert.ok((await outcome) instanceof AbandonedError)
  value.resolve({ done: false, value: 1 })
  cleanUp.resolve({ done: true, value: undefined })
  await clock.advance(0)
  assert.deepEqual(seen, ['abandoned', 'late'])
})

test('untilAbandoned: a consumer that leaves and a clean-up that hangs are reported late once, and the error has its name', async () => {
  const { clock, seen, options } = scene()
  const cleanUp = Promise.withResolvers<IteratorResult<number>>()
  const source = {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 1 }) as const, return: () => cleanUp.promise }),
  }
  const left = (async () => {
    for await (const _ of untilAbandoned(source, options)) break
  })()
  await clock.advance(1_000)
  await left
  cleanUp.resolve({ done: true, value: undefined })
  await clock.advance(0)
  assert.deepEqual(seen, ['abandoned', 'late'])
  assert.equal(new AbandonedError().name, 'AbandonedError')
})
