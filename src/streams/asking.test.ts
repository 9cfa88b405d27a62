import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError, refuse } from '../errors.ts'
import type { Caller } from '../shapes/parley.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { asking, askingAll } from './asking.ts'
import { groupCommitter } from './committer.ts'
import type { StreamKind } from './decider.ts'
import { streamHandler } from './stream-handler.ts'

type Sum = { seq: number; sum: number }
type Added = { type: 'number.added'; at: number; data: { by: number } }

const sums: StreamKind<Sum, number, Added> = {
  initial: { seq: 0, sum: 0 },
  decide: ({ sum }, by) =>
    sum + by < 0 ? refuse('nothing_to_stop') : { events: by === 0 ? [] : [{ type: 'number.added', at: 1, data: { by } }] },
  evolve: ({ seq, sum }, event) => ({ seq: seq + 1, sum: sum + event.data.by }),
  consequences: () => ({}),
  sample: { seq: 1, sum: 1 },
  weigh: () => 1,
}

const caller = (name: string, once?: Caller['once']): Caller => ({
  by: { kind: 'human', name },
  via: 'test',
  ...(once === undefined ? {} : { once }),
})

function scene() {
  const store = memoryStore()
  const handler = streamHandler(sums, store, groupCommitter(store))
  return { store, handler, ask: asking(store, handler, 'dialog'), askAll: askingAll(store, handler, 'dialog') }
}

const isError =
  (code: string, details: object = {}) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ParleyError)
    assert.equal(error.code, code)
    assert.deepEqual({ ...error.details, ...details }, error.details)
    return true
  }

test('asking: gives the number of the first event, or of the last one when nothing happened', async () => {
  const { ask } = scene()
  const add = (...by: number[]): Promise<number> =>
    ask(
      's',
      () => by,
      caller('mia'),
      (seq) => seq,
    )
  assert.equal(await add(1, 2), 1)
  assert.equal(await add(3), 3)
  assert.equal(await add(0), 3)
})

test('asking: a refusal is thrown and names the stream', async () => {
  const { ask, askAll } = scene()
  await assert.rejects(
    ask(
      's',
      () => [-1],
      caller('mia'),
      (seq) => seq,
    ),
    isError('nothing_to_stop', { dialog: 's' }),
  )
  const plan = async () => ({ orders: [{ stream: 's', commands: [-1] }] })
  await assert.rejects(
    askAll('s', plan, caller('mia'), () => 1),
    isError('nothing_to_stop', { dialog: 's' }),
  )
})

test('asking: a repeated key gives the first value and changes nothing', async () => {
  const { ask, askAll, handler } = scene()
  const once = { key: 'k', request: 'add' }
  const add = (from: Caller): Promise<number> =>
    ask(
      's',
      () => [1],
      from,
      (seq) => seq * 10,
    )
  assert.equal(await add(caller('mia', once)), 10)
  assert.equal(await add(caller('mia', once)), 10)
  assert.equal((await handler.load('s')).sum, 1)
  assert.equal(await add(caller('bob', once)), 20, 'keys belong to their caller')
  const plan = async () => ({ orders: [{ stream: 's', commands: [1] }] })
  assert.equal(await askAll('s', plan, caller('cy', once), () => 'first'), 'first')
  assert.equal(await askAll('s', plan, caller('cy', once), () => 'second'), 'first')
  assert.equal((await handler.load('s')).sum, 3)
})

test('asking: two requests with one key at the same time are done once', async () => {
  const { ask, handler } = scene()
  const from = caller('mia', { key: 'k', request: 'add' })
  const both = await Promise.all(
    [1, 2].map(() =>
      ask(
        's',
        () => [1],
        from,
        (seq) => seq,
      ),
    ),
  )
  assert.deepEqual(both, [1, 1])
  assert.equal((await handler.load('s')).sum, 1)
})

test('asking: a key of another request is refused', async () => {
  const { ask } = scene()
  const add = (request: string): Promise<number> =>
    ask(
      's',
      () => [1],
      caller('mia', { key: 'k', request }),
      (seq) => seq,
    )
  await add('add')
  await assert.rejects(add('remove'), isError('key_reused'))
})
