import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Store, Unit } from '../../ports/store.ts'
import { memoryBacking } from '../memory/memory-backing.ts'
import { memoryStore } from '../memory/memory-store.ts'

/**
 * The contract says what must hold; this finds further differences. Any sequence of calls, made by two connections
 * in turn, must give the same answers from every store as from memory.
 */
const start = 1_000_000

const key = fc.constantFrom('a', 'b', 'Ü', '😀')
const kind = fc.constantFrom('turn', 'timer')
const time = fc.integer({ min: start - 50, max: start + 300 })
const json = fc.jsonValue({ maxDepth: 1, stringUnit: 'binary' })

const unit = fc.record(
  {
    append: fc.array(
      fc.record({
        stream: key,
        expect: fc.nat(4),
        events: fc.array(fc.record({ type: fc.constant('t'), at: time, data: fc.record({ v: json }) }), { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
    settle: fc.oneof(fc.constant('done' as const), fc.record({ retryAt: time, forgive: fc.boolean() })),
    /** Which of the leases given so far, if any. */
    under: fc.nat(6),
    cancel: fc.array(fc.record({ kind, key }), { maxLength: 1 }),
    wake: fc.array(fc.record({ kind, key, at: time, payload: json }, { requiredKeys: ['kind', 'key', 'at'] }), { maxLength: 2 }),
    once: fc.array(fc.record({ key, value: json }), { maxLength: 2 }),
    forget: fc.array(fc.record({ key, usedBefore: time }), { maxLength: 1 }),
    rows: fc.array(
      fc.oneof(
        fc.record({
          view: fc.constant('v'),
          key,
          group: fc.constantFrom('g', 'h'),
          sort: fc.nat(2),
          text: fc.constantFrom('Aa', 'aÄ', '中%'),
          body: fc.record({ v: json }),
        }),
        fc.record({ view: fc.constant('v'), key, body: fc.constant(null) }),
      ),
      { maxLength: 2 },
    ),
    snapshots: fc.array(fc.record({ stream: key, seq: fc.nat(5), version: fc.nat(2), state: json }), { maxLength: 1 }),
    index: fc.record(
      {
        entries: fc.array(
          fc.record({
            position: fc.integer({ min: 1, max: 12 }),
            group: fc.constantFrom('g', 'h'),
            words: fc.subarray(['red', 'redder', '天气'], { minLength: 1 }),
          }),
          { maxLength: 3 },
        ),
        upTo: fc.nat(12),
      },
      { requiredKeys: ['entries'] },
    ),
    trim: fc.array(fc.record({ stream: key, before: fc.nat(5) }), { maxLength: 1 }),
  },
  { requiredKeys: [] },
)

const step = fc.record({
  who: fc.nat(1),
  call: fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('commit' as const), units: fc.array(unit, { maxLength: 4 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('claim' as const),
        kind,
        most: fc.integer({ min: 1, max: 3 }),
        leaseMs: fc.constantFrom(20, 1000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('extend' as const), leaseMs: fc.constantFrom(20, 1000) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(5, 40, 200) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  ),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Everything that can be asked, as one value. */
async function everything(store: Store): Promise<unknown> {
  const streams = ['a', 'b', 'Ü', '😀']
  return {
    log: await store.readAll(0, 1000),
    position: await store.position(),
    heads: await Promise.all(streams.map((stream) => store.head(stream))),
    pages: await Promise.all(streams.map((stream) => store.read(stream, 1, 2))),
    snapshots: await Promise.all(streams.map((stream) => store.snapshot(stream))),
    once: await Promise.all(streams.map((name) => store.remembered(name))),
    names: await store.onceNames('a', 3),
    since: [await store.unfinishedSince([]), await store.unfinishedSince(['turn'])],
    rows: await store.rows({ view: 'v', limit: 10 }),
    found: await store.rows({ view: 'v', text: 'AÄ', limit: 2, before: { sort: 2, key: 'b' } }),
    counts: [await store.countRows('v'), await store.countRows('v', 'g')],
    words: [
      await store.findWords({ words: [{ word: 'red', isStart: true }], limit: 10 }),
      await store.findWords({ words: [{ word: '天气' }, { word: 'red' }], groups: ['h'], before: 9, limit: 2 }),
      await store.indexedTo(),
    ],
    due: [await store.nextDue('turn'), await store.nextDue('timer')],
  }
}

type Open = (owner: string, clock: Clock) => Store | Promise<Store>

async function play(steps: readonly Step[], open: Open): Promise<unknown[]> {
  let now = start
  const clock: Clock = { now: () => now, after: () => () => {} }
  const names = ['one', 'two'] as const
  const stores = [await open(names[0], clock), await open(names[1], clock)]
  const leases: Lease[] = []
  const answers: unknown[] = []
  for (const { who, call } of steps) {
    const store = stores[who]
    assert.ok(store)
    if (call.do === 'advance') now += call.ms
    else if (call.do === 'reopen') {
      await store.close()
      stores[who] = await open(names[who as 0 | 1], clock)
    } else if (call.do === 'claim') {
      const claimed = await store.claim(call.kind, call.most, call.leaseMs)
      leases.push(...claimed)
      answers.push(claimed)
    } else if (call.do === 'extend') answers.push(await store.extend(leases, call.leaseMs))
    else {
      const units = call.units.map(({ under, ...rest }): Unit => {
        const lease = under === undefined ? undefined : leases.at(-1 - under)
        return { ...rest, ...(lease ? { lease } : {}) }
      })
      answers.push(await store.commit(units))
    }
    answers.push(await everything(stores[1 - who] ?? store))
  }
  await Promise.all(stores.map((store) => store.close()))
  return answers
}

/** `open` makes a connection to fresh data, named by the number of the round. */
export async function assertSameAsMemory(runs: number, open: (round: number) => Open): Promise<void> {
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const backing = memoryBacking()
      const expected = await play(steps, (owner, clock) => memoryStore({ backing, owner, clock }))
      const actual = await play(steps, open(++round))
      // As JSON: a commit may hand back the very objects it was given, with what JSON would drop.
      assert.deepEqual(JSON.parse(JSON.stringify(actual)), JSON.parse(JSON.stringify(expected)))
    }),
    { numRuns: runs },
  )
}
