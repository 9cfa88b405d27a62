import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ChainedTurn, chainStart, findChainFault, turnBytes, turnHash } from './turn-chain.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function chain(texts: readonly string[]): { turns: (ChainedTurn & { hash: string })[]; head: string } {
  let previous = chainStart('i', sha256)
  const turns = texts.map((text, index) => {
    const turn: ChainedTurn = {
      from: index % 2 === 0 ? 'a' : 'b',
      to: index % 2 === 0 ? 'b' : 'a',
      intent: 'i',
      turn: index + 1,
      previous,
      text,
    }
    previous = turnHash(turn, sha256)
    return { ...turn, hash: previous }
  })
  return { turns, head: previous }
}

test('turnBytes: are the same whatever the order of the fields', () => {
  assert.equal(
    turnBytes({ text: 'x', previous: 'p', turn: 1, intent: 'i', to: 'b', from: 'a' }),
    '{"from":"a","intent":"i","previous":"p","text":"x","to":"b","turn":1}',
  )
})

test('findChainFault: accepts a whole chain and finds every edit, drop, repeat and exchange', () => {
  const texts = fc.array(fc.string({ maxLength: 10 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(4), (each, at, act) => {
      const { turns, head } = chain(each)
      assert.equal(findChainFault(turns, 'i', head, sha256), null)
      const index = at % turns.length
      const one = turns[index] as (typeof turns)[number]
      const changed = [
        turns.with(index, { ...one, text: `${one.text}!` }),
        turns.toSpliced(index, 1),
        turns.toSpliced(index, 0, one),
        turns.with(index, { ...one, from: one.to, to: one.from }),
        turns.toReversed(),
      ][act] as typeof turns
      assert.notEqual(findChainFault(changed, 'i', head, sha256), null)
    }),
    { numRuns: 500 },
  )
})

test('findChainFault: a turn of another intent does not fit, even with its own hash', () => {
  const { turns, head } = chain(['x', 'y'])
  assert.deepEqual(findChainFault(turns, 'j', head, sha256), { turn: 1, why: 'intent' })
  assert.deepEqual(findChainFault(turns.slice(0, 1), 'i', head, sha256), { turn: 1, why: 'head' })
})
