import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedQuery } from './shared-query.ts'

function recorded(most: number): { ask: (value: number) => Promise<number>; queries: number[][] } {
  const queries: number[][] = []
  const ask = sharedQuery<number, number>(most, async (values) => {
    queries.push([...values])
    if (values.includes(-1)) throw new Error('refused')
    return values.map((value) => value * 10)
  })
  return { ask, queries }
}

test('sharedQuery: what is asked in one turn of the event loop is one query, and each gets its own answer', async () => {
  const { ask, queries } = recorded(10)
  assert.deepEqual(await Promise.all([3, 1, 3].map(ask)), [30, 10, 30])
  assert.equal(await ask(7), 70)
  assert.deepEqual(queries, [[3, 1, 3], [7]])
})

test('sharedQuery: a query has at most so many', async () => {
  const { ask, queries } = recorded(2)
  assert.deepEqual(await Promise.all([1, 2, 3].map(ask)), [10, 20, 30])
  assert.deepEqual(queries, [[1, 2], [3]])
})

test('sharedQuery: an ask that is refused fails alone', async () => {
  const { ask, queries } = recorded(10)
  const outcomes = await Promise.allSettled([1, -1, 2].map(ask))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused')),
    [10, 'refused', 20],
  )
  assert.deepEqual(queries, [[1, -1, 2], [1], [-1], [2]])
})
