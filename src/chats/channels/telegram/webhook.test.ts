import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUpdate, verifySecret } from './webhook.ts'

const raw = (secret: string | undefined, body = '{}') => ({
  headers: secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret },
  body: new TextEncoder().encode(body),
})

test('only the secret we gave is genuine', () => {
  assert.equal(verifySecret(raw('right'), 'right'), 'genuine')
  for (const given of ['wrong', '', 'right ', undefined]) assert.equal(verifySecret(raw(given), 'right'), 'forged')
  assert.equal(verifySecret(raw(''), ''), 'forged')
})

test('the body is JSON or nothing', () => {
  assert.deepEqual(readUpdate(raw('x', '{"update_id":1}')), { update_id: 1 })
  assert.equal(readUpdate(raw('x', 'no json')), null)
})
