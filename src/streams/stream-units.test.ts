import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store, Unit } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { groupCommitter } from './committer.ts'
import type { StreamKind } from './decider.ts'
import { streamHandler, streamLimits } from './stream-handler.ts'

type Added = { type: 'number.added'; at: number; data: { by: number } }
type Consequences = ReturnType<StreamKind<number, number[], Added>['consequences']>

/** A sum; one command adds several numbers. Every unit that is committed is recorded. */
function scene(consequences: (stream: string) => Consequences = () => ({})) {
  const inside = memoryStore()
  const units: Unit[] = []
  const store: Store = { ...inside, commit: (list) => (units.push(...list), inside.commit(list)) }
  const kind: StreamKind<number, number[], Added> = {
    initial: 0,
    decide: (_sum, numbers) => ({ events: numbers.map((by) => ({ type: 'number.added', at: 1, data: { by } })) }),
    evolve: (sum, event) => sum + event.data.by,
    consequences,
    sample: 1,
    weigh: () => 1,
  }
  return { store, units, handler: streamHandler(kind, store, groupCommitter(store)) }
}

const ones = (count: number) => Array.from({ length: count }, () => 1)
const { eventsPerSnapshot } = streamLimits

test('streamHandler: a snapshot is written by the unit that reaches its number of events, and by no other', async () => {
  const { units, handler } = scene()
  const snapshots: (number | undefined)[] = []
  for (const count of [eventsPerSnapshot - 1, 1, 1, eventsPerSnapshot - 2, 3 * eventsPerSnapshot]) {
    await handler.handle('s', [ones(count)])
    snapshots.push(units.at(-1)?.snapshots?.[0]?.seq)
  }
  assert.deepEqual(snapshots, [undefined, eventsPerSnapshot, undefined, undefined, 5 * eventsPerSnapshot - 1])
  assert.equal(units.at(-1)?.snapshots?.[0]?.state, 5 * eventsPerSnapshot - 1)
})

test('streamHandler: a plan writes a snapshot for each stream that is due', async () => {
  const { units, handler } = scene()
  const orders = ['a', 'b', 'c'].map((stream) => ({ stream, commands: [ones(stream === 'b' ? 1 : eventsPerSnapshot)] }))
  await handler.handleAll(async () => ({ orders }))
  assert.deepEqual(
    units[0]?.snapshots?.map(({ stream, seq }) => [stream, seq]),
    [
      ['a', eventsPerSnapshot],
      ['c', eventsPerSnapshot],
    ],
  )
})

test('streamHandler: the consequences of all streams of a plan are in one unit, beside what the caller adds', async () => {
  const { units, handler } = scene((stream) => ({
    wake: [{ kind: 'turn', key: stream, at: 1 }],
    cancel: [{ kind: 'timer', key: stream }],
    rows: [{ view: 'lines', key: stream, body: null }],
    sums: [{ view: 'totals', key: stream, group: '', sort: 0, add: { count: 1 } }],
  }))
  await handler.handleAll(
    async () => ({
      orders: [
        { stream: 'a', commands: [[1]] },
        { stream: 'b', commands: [[2]] },
      ],
      settle: 'done',
    }),
    {
      rows: [{ view: 'lines', key: 'mine', body: null }],
      sums: [{ view: 'totals', key: 'mine', group: '', sort: 0, add: { count: 1 } }],
      repeatable: true,
    },
  )
  const [unit] = units
  assert.deepEqual(
    [
      unit?.wake?.map(({ key }) => key),
      unit?.cancel?.map(({ key }) => key),
      unit?.rows?.map(({ key }) => key),
      unit?.sums?.map(({ key }) => key),
      unit?.append?.map(({ stream, expect }) => [stream, expect]),
      unit?.settle,
      unit?.repeatable,
    ],
    [
      ['a', 'b'],
      ['a', 'b'],
      ['mine', 'a', 'b'],
      ['mine', 'a', 'b'],
      [
        ['a', 0],
        ['b', 0],
      ],
      'done',
      true,
    ],
  )
})

test('streamHandler: a unit has no sums where none are due', async () => {
  const { units, handler } = scene()
  await handler.handle('s', [[1]])
  assert.equal(units[0]?.sums, undefined)
})

test('streamHandler: the value of a once-only key gets the number of the first event', async () => {
  const { store, handler } = scene()
  await handler.handle('s', [[1, 1]])
  await handler.handle('s', [[1]], { once: { key: 'k', value: (firstSeq) => ({ firstSeq }) } })
  assert.deepEqual(await store.remembered('k'), { value: { firstSeq: 3 } })
})

test('streamHandler: several commands are decided one after the other and committed together', async () => {
  const { units, handler } = scene()
  const handled = await handler.handle('s', (sum) => [[sum + 1], [sum + 2, sum + 3]])
  assert.deepEqual(handled.ok && [handled.before, handled.state, handled.events.map(({ seq }) => seq)], [0, 6, [1, 2, 3]])
  assert.equal(units.length, 1)
})

test('streamHandler: a known state is not read again, and an empty stream is read each time', async () => {
  const { store, handler } = scene()
  await handler.handle('s', [[4]])
  let reads = 0
  const watched: Store = { ...store, read: (...args) => ((reads += 1), store.read(...args)) }
  const reader = streamHandler<number, number[], Added>(
    {
      initial: 0,
      decide: () => ({ events: [] }),
      evolve: (sum, { data }) => sum + data.by,
      consequences: () => ({}),
      sample: 1,
      weigh: () => 1,
    },
    watched,
    groupCommitter(watched),
  )
  assert.deepEqual([await reader.known('s'), await reader.known('s'), reads], [4, 4, 1])
  assert.deepEqual([await reader.known('empty'), await reader.known('empty'), reads], [0, 0, 3])
})

test('streamHandler: a command without events appends nothing, also not an empty list', async () => {
  const { units, handler } = scene()
  await handler.handle('s', [[]], { settle: 'done' })
  assert.deepEqual(units, [{ settle: 'done' }])
})

test('streamHandler: a plan without orders still uses its once-only key', async () => {
  const { store, handler } = scene()
  await handler.handleAll(async () => ({ orders: [] }), { once: { key: 'k', value: (firstSeq) => firstSeq } })
  assert.deepEqual(await store.remembered('k'), { value: 1 })
})

test('streamHandler: a plan that another writer overtook on a known stream reads it again and succeeds', async () => {
  const { store, handler } = scene()
  await handler.handle('s', [[1]])
  let looks = 0
  const handled = await handler.handleAll(async (load) => {
    looks += 1
    const sum = await load('s')
    if (looks === 1)
      await store.commit([{ append: [{ stream: 's', expect: 1, events: [{ type: 'number.added', at: 1, data: { by: 5 } }] }] }])
    return { orders: [{ stream: 's', commands: [[sum]] }] }
  })
  assert.deepEqual([handled.ok, looks, await handler.load('s')], [true, 2, 12])
})

test('streamHandler: an empty stream that a plan looked at is not taken for known', async () => {
  const { store, handler } = scene()
  await handler.handleAll(async (load) => (await load('empty'), { orders: [{ stream: 's', commands: [[1]] }] }))
  await store.commit([{ append: [{ stream: 'empty', expect: 0, events: [{ type: 'number.added', at: 1, data: { by: 5 } }] }] }])
  assert.equal(await handler.known('empty'), 5)
})

test('streamHandler: a plan decides on the state that an order before it left', async () => {
  const { handler } = scene()
  const handled = await handler.handleAll(async () => ({
    orders: [
      { stream: 's', commands: [[1]] },
      { stream: 'r', commands: [[2], [3]] },
    ],
  }))
  assert.deepEqual(handled.ok && [...handled.states], [
    ['s', 1],
    ['r', 5],
  ])
  assert.deepEqual([await handler.known('s'), await handler.known('r')], [1, 5])
})
