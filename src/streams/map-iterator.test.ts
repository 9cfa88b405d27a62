import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapIterator } from './map-iterator.ts'

function scene() {
  const texts: string[] = []
  async function* numbers(): AsyncGenerator<number> {
    try {
      yield 1
      yield 2
    } finally {
      texts.push('closed')
    }
  }
  return { seen: texts, doubled: mapIterator(numbers(), (value) => value * 2) }
}

test('mapIterator: maps every value, and ends with its source', async () => {
  const { seen, doubled } = scene()
  const values: number[] = []
  for await (const value of doubled) values.push(value)
  assert.deepEqual(values, [2, 4])
  assert.deepEqual(seen, ['closed'])
})

test('mapIterator: return, throw and disposal close the source', async () => {
  const returned = scene()
  for await (const _ of returned.doubled) break
  assert.deepEqual(returned.seen, ['closed'])
  const thrown = scene()
  await thrown.doubled.next()
  await assert.rejects(thrown.doubled.throw(new Error('broken')), /broken/)
  assert.deepEqual(thrown.seen, ['closed'])
  const disposed = scene()
  await disposed.doubled.next()
  await disposed.doubled[Symbol.asyncDispose]()
  assert.deepEqual(disposed.seen, ['closed'])
})
