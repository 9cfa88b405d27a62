import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '../store/memory/memory-store.ts'
import { groupCommitter } from './committer.ts'
import type { StreamKind } from './decider.ts'
import { type StreamHandler, streamHandler } from './stream-handler.ts'

type Switched = { type: 'switch.turned'; at: number; data: { on: boolean } }

/** A switch: turning it where it already stands leads to no event. */
const kind: StreamKind<boolean, boolean, Switched> = {
  initial: false,
  decide: (isOn, on) => ({ events: isOn === on ? [] : [{ type: 'switch.turned', at: 1, data: { on } }] }),
  evolve: (_, event) => event.data.on,
  consequences: () => ({}),
  sample: true,
  weigh: () => 1,
}

/** Two processes on one store, each with its own cache. `behind` has not read what `ahead` wrote last. */
async function twoProcesses(): Promise<{
  ahead: StreamHandler<boolean, boolean>
  behind: StreamHandler<boolean, boolean>
  store: ReturnType<typeof memoryStore>
}> {
  const store = memoryStore()
  const [ahead, behind] = [1, 2].map(() => streamHandler(kind, store, groupCommitter(store))) as [
    StreamHandler<boolean, boolean>,
    StreamHandler<boolean, boolean>,
  ]
  await ahead.handle('s', [true])
  await ahead.handle('s', [false])
  await behind.load('s')
  await ahead.handle('s', [true])
  return { ahead, behind, store }
}

test('handle: a command that seems to change nothing is decided again on the latest state', async () => {
  const { behind, store } = await twoProcesses()
  const handled = await behind.handle('s', [false])
  assert.ok(handled.ok)
  assert.equal(handled.events.length, 1)
  assert.equal(await store.head('s'), 4)
  assert.equal((await behind.handle('s', [false])).ok, true)
  assert.equal(await store.head('s'), 4)
})

test('handleAll: a plan that only reads one stream is asked again when that stream has changed', async () => {
  const { behind } = await twoProcesses()
  const seen: boolean[] = []
  await behind.handleAll(async (load) => {
    seen.push(await load('s'))
    return { orders: [] }
  })
  assert.deepEqual(seen, [false, true])
})

test('handleAll: a stream that is called new is not read, and is read again when it exists after all', async () => {
  const { ahead, behind, store } = await twoProcesses()
  let reads = 0
  const { read } = store
  store.read = (...given) => {
    reads += 1
    return read.apply(store, given)
  }
  const turn = (stream: string, on: boolean): ReturnType<typeof behind.handleAll> =>
    behind.handleAll(async () => ({ orders: [{ stream, commands: [on], isNew: true }] }))
  assert.equal((await turn('fresh', true)).ok, true)
  assert.equal(reads, 0)
  assert.equal(await behind.known('fresh'), true)
  // It has been on since its third event: on the initial state the command would lead to another one.
  assert.equal((await turn('s', true)).ok, true)
  assert.equal(await store.head('s'), 3)
  await ahead.handle('s', [false])
  assert.equal((await turn('s', true)).ok, true)
  assert.equal(await store.head('s'), 5)
})
