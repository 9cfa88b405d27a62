import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePool } from './pool.mjs'

/** Works that end when they are told to, and the order in which they began. */
function works(pool, names) {
  const begun = []
  const ends = new Map()
  const results = names.map((name) =>
    pool.run(() => {
      begun.push(name)
      const { promise, resolve, reject } = Promise.withResolvers()
      ends.set(name, { resolve: () => resolve(name), reject })
      return promise
    }),
  )
  return { begun, ends, results }
}

const busy = () => ({ idle: 0, all: process.uptime() })
const idle = () => ({ idle: process.uptime(), all: process.uptime() })

test('pool: on busy processors the least run, in order, and the next begins when one ends', async () => {
  const { begun, ends, results } = works(makePool({ least: 2, most: 9, lookEveryMs: 1, times: busy }), ['a', 'b', 'c'])
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(begun, ['a', 'b'])
  ends.get('b').resolve()
  assert.equal(await results[1], 'b')
  assert.deepEqual(begun, ['a', 'b', 'c'])
  ends.get('a').resolve()
  ends.get('c').resolve()
  assert.deepEqual(await Promise.all(results), ['a', 'b', 'c'])
})

test('pool: on idle processors more begin, up to the most', async () => {
  const { begun, ends, results } = works(makePool({ least: 1, most: 3, lookEveryMs: 1, times: idle }), ['a', 'b', 'c', 'd'])
  while (begun.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(begun, ['a', 'b', 'c'])
  for (const name of ['a', 'b', 'c']) ends.get(name).resolve()
  await Promise.all(results.slice(0, 3))
  ends.get('d').resolve()
  await results[3]
})

test('pool: work that fails makes room', async () => {
  const { begun, ends, results } = works(makePool({ least: 1, most: 1, times: busy }), ['a', 'b'])
  ends.get('a').reject(new Error('no'))
  await assert.rejects(results[0], /no/)
  assert.deepEqual(begun, ['a', 'b'])
  ends.get('b').resolve()
  await results[1]
})

test('pool: it rests when all of its work has ended', async () => {
  const pool = makePool({ least: 1, most: 1, times: busy })
  await pool.rest()
  const { begun, ends } = works(pool, ['a', 'b'])
  let isResting = false
  const rest = pool.rest().then(() => (isResting = true))
  ends.get('a').resolve()
  while (!begun.includes('b')) await new Promise((resolve) => setTimeout(resolve, 1))
  assert.equal(isResting, false)
  ends.get('b').resolve()
  await rest
})
