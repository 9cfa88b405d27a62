import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeChoice, newControlId, readChoice } from './callback-data.ts'

const place = { key: 'a key', account: '8012345678', chat: '-1001234567890' }

test('10,000 random ids: 34 bytes each, all different, read back', () => {
  const seenKeys = new Set<string>()
  for (let count = 0; count < 10_000; count += 1) {
    const id = newControlId()
    const choice = count % 2 === 0 ? 'continue' : 'stop'
    const data = encodeChoice(place, id, choice)
    assert.equal(Buffer.byteLength(data), 34)
    assert.match(data, /^pe1:[cs]:[\w-]{16}:[\w-]{11}$/)
    assert.deepEqual(readChoice(place, data), { kind: 'choice', id, choice })
    seenKeys.add(data)
  }
  assert.equal(seenKeys.size, 10_000)
})

test('any change of the data, the chat, the account or the key is found', () => {
  const id = newControlId()
  const data = encodeChoice(place, id, 'stop')
  fc.assert(
    fc.property(fc.nat(33), fc.constantFrom(...'abcXYZ019_-:'.split('')), (at, letter) => {
      const changed = data.slice(0, at) + letter + data.slice(at + 1)
      assert.equal(readChoice(place, changed).kind === 'choice', changed === data)
    }),
  )
  for (const other of [
    { ...place, chat: '7' },
    { ...place, account: '1' },
    { ...place, key: 'other' },
  ])
    assert.deepEqual(readChoice(other, data), { kind: 'unusable', why: 'forged' })
  assert.deepEqual(readChoice(place, data.replace(':s:', ':c:')), { kind: 'unusable', why: 'forged' })
})

test('what is not ours is passed on; another version of ours is not', () => {
  for (const data of ['', 'yes', 'person:1', 'pex1:c:x:y', 'q:abc']) assert.deepEqual(readChoice(place, data), { kind: 'other' })
  assert.deepEqual(readChoice(place, 'pe2:c:whatever'), { kind: 'unusable', why: 'version' })
  assert.deepEqual(readChoice(place, 'pe1:x'), { kind: 'unusable', why: 'shape' })
})
