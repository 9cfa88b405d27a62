import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telegramWebhook } from './webhook.ts'

const post = (secret: string | undefined, body = '{}') => ({
  method: 'POST',
  path: '/',
  query: {},
  headers: secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret },
  body: new TextEncoder().encode(body),
})

test('receive: only the secret we gave is genuine', async () => {
  for (const secret of ['wrong', '', 'right ', undefined])
    assert.deepEqual(await telegramWebhook('right').receive(post(secret)), { forged: true })
  assert.deepEqual(await telegramWebhook('').receive(post('')), { forged: true })
})

test('receive: a genuine body is an update or unreadable', async () => {
  const message = { message_id: 9, date: 1, chat: { id: 7, type: 'private' }, from: { id: 7, first_name: 'Mia' }, text: 'hello' }
  const received = await telegramWebhook('right').receive(post('right', JSON.stringify({ update_id: 1, message })))
  assert.deepEqual('inbounds' in received && received.inbounds.map(({ id }) => id), ['update:1'])
  assert.equal('inbounds' in received && received.answer().status, 200)
  assert.deepEqual(await telegramWebhook('right').receive(post('right', 'no json')), { unreadable: true })
})
