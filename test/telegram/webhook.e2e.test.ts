import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endLabels, endToasts } from '../../packages/reply-end/src/labels.ts'
import { TelegramServer } from '../fixtures/telegram-server.ts'

const secret = 'a-secret-of-the-webhook'
let server: TelegramServer

before(async () => {
  server = await TelegramServer.open({
    channel: (port) => [
      'allow: { people: ["*"] }',
      `webhook: { url: "http://127.0.0.1:${port}/v1/channels/telegram/webhook", secret: ${secret} }`,
    ],
  })
})
after(() => server.close())

const post = (update: object, headers: Record<string, string>, account = 'telegram'): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}/v1/channels/${account}/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(update),
  })
const own = { 'x-telegram-bot-api-secret-token': secret }

test('Telegram is told where to call, with the secret, and for what', async () => {
  const { params } = await server.telegram.until(() => server.telegram.requests.find(({ method }) => method === 'setWebhook'), 'setWebhook')
  assert.equal(params.secret_token, secret)
  assert.match(String(params.url), /\/v1\/channels\/telegram\/webhook$/)
  assert.deepEqual(params.allowed_updates, ['message', 'edited_message', 'callback_query', 'my_chat_member'])
  assert.equal(server.telegram.isPolled(), false)
})

test('messages and taps come in by it and are answered', async () => {
  const { mia, chat } = server.friend()
  server.telegram.say(chat, mia, 'by webhook')
  const reply = await server.reply(chat, ({ keyboard }) => keyboard.length > 0, 'a reply with controls')
  assert.equal(await server.toast(server.telegram.tap(chat, mia, reply.id, endLabels.en.stop)), endToasts.en.stop)
  await server.telegram.until(() => server.seen(chat, reply.id).keyboard.length === 0, 'no buttons')
})

test('without the right secret nothing is heard, whatever it says', async () => {
  const { mia, chat } = server.friend()
  const update = {
    update_id: 9_000_001,
    message: { message_id: 77, date: 1, chat: { id: chat, type: 'private' }, from: mia, text: 'let me in' },
  }
  for (const headers of [
    {},
    { 'x-telegram-bot-api-secret-token': 'wrong-secret-of-the-webhook' },
    { 'x-telegram-bot-api-secret-token': '' },
  ]) {
    const refused = await post(update, headers)
    assert.ok(refused.status >= 400 && refused.status < 500, String(refused.status))
    assert.ok(!(await refused.text()).includes(secret))
  }
  assert.equal((await post(update, own, 'nobody')).ok, false)
  server.telegram.say(chat, mia, 'the real one')
  await server.reply(chat, /Heard: the real one/)
  assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['the real one'])
})

test('the same update twice is one message; what comes while the server is down comes later', async () => {
  const { mia, chat } = server.friend()
  server.telegram.say(chat, mia, 'one')
  await server.reply(chat, /Heard: one/)
  server.telegram.redeliver()
  await server.end('SIGKILL')
  server.telegram.say(chat, mia, 'two')
  await server.start()
  await server.reply(chat, /Heard: two/)
  assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['one', 'two'])
})

test('genuine, and not readable: refused without harm', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/channels/telegram/webhook`, {
    method: 'POST',
    headers: own,
    body: '{"update',
  })
  assert.ok(response.status < 500, String(response.status))
  const odd = await post({ update_id: 'x', message: 7 }, own)
  assert.ok(odd.status < 500, String(odd.status))
})
