import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Refusal } from '../../../errors.ts'
import { foldLookAlikes, isLookAlike } from './look-alike.ts'
import { codeAlphabet, codeFromBytes, isPublicCode, readPublicCode } from './public-code.ts'
import { checkDisplayName, formatIdentity, parseIdentity } from './public-identity.ts'

const getRefusal = (name: string): Refusal['code'] | null => {
  const checked = checkDisplayName(name)
  return 'refused' in checked ? checked.refused.code : null
}

test('checkDisplayName: each fault has its own code', () => {
  const faults: [name: string, code: Refusal['code']][] = [
    ['', 'display_name_required'],
    ['   ', 'display_name_required'],
    ['x'.repeat(41), 'display_name_too_long'],
    ['a#b', 'display_name_reserved_character'],
    ['a＃b', 'display_name_reserved_character'],
    ['a\nb', 'display_name_invalid_whitespace'],
    ['a\tb', 'display_name_invalid_whitespace'],
    ['a\u00a0b', 'display_name_invalid_whitespace'],
    ['a\u0085b', 'display_name_invalid_whitespace'],
    ['a\u0000b', 'display_name_invalid_character'],
    ['a\u202eb', 'display_name_invalid_character'],
    ['a\u200bb', 'display_name_invalid_character'],
    ['a\ud800', 'display_name_invalid_character'],
  ]
  for (const [name, code] of faults) assert.equal(getRefusal(name), code, JSON.stringify(name))
  for (const name of ['Mira', ' Mira ', 'x'.repeat(40), '😀'.repeat(40), '读书会的小明', "Zoë O'Neil-2"])
    assert.equal(getRefusal(name), null, name)
})

test('parseIdentity: splits at the last # and folds the code', () => {
  assert.deepEqual(parseIdentity('Mira#8k4tqz'), { displayName: 'Mira', agentCode: '8K4TQZ' })
  assert.deepEqual(parseIdentity('a#b #8K4TQZ '), { displayName: 'a#b', agentCode: '8K4TQZ' })
  assert.deepEqual(parseIdentity('#8K4TQZ'), { displayName: '', agentCode: '8K4TQZ' })
  for (const text of ['Mira', 'Mira#', 'Mira#8K4TQ', 'Mira#8K4TQZZ', 'Mira#8K4TQ0', 'Mira#8K4TQI', ''])
    assert.ok('refused' in parseIdentity(text), text)
})

test('codes: the alphabet has 32 characters, and every byte gives one of them', () => {
  assert.equal(new Set(codeAlphabet).size, 32)
  assert.ok(!/[01IO]/.test(codeAlphabet))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), (bytes) => {
      const code = codeFromBytes(bytes)
      assert.ok(isPublicCode(code))
      assert.equal(readPublicCode(` ${code.toLowerCase()} `), code)
      assert.deepEqual(parseIdentity(formatIdentity({ displayName: 'a b', agentCode: code })), { displayName: 'a b', agentCode: code })
    }),
  )
})

test('isLookAlike: finds names that a person would mix up, and no others', () => {
  for (const other of ['Мira', 'MIRA', 'm i r a', 'Mіra', 'M1ra', 'Ｍira', 'Mirá', 'rnira', 'Mira.'])
    assert.ok(isLookAlike('Mira', other), `${other} ${foldLookAlikes(other)}`)
  for (const other of ['Mara', 'Mirna', 'Miranda', 'Ada', '米拉']) assert.ok(!isLookAlike('Mira', other), other)
})
