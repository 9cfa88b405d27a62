import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type TelegramEmulator, telegramEmulator } from '../../../testing/telegram-emulator/telegram-emulator.ts'
import { telegramFaults } from '../../../testing/telegram-emulator/telegram-fault.ts'
import { toFailure, type TelegramClient, telegramClient } from './client.ts'

let telegram: TelegramEmulator
let client: TelegramClient
let chat: number

before(async () => {
  telegram = await telegramEmulator()
  client = await telegramClient({ token: telegram.token, apiRoot: `${telegram.url}/` })
  chat = telegram.privateChat(telegram.person())
})
beforeEach(() => telegram.clearFaults())
after(() => telegram.close())

const send = (text = 'hello') => client.call({ operation: 'sendMessage', body: { chat_id: chat, text } })
const failed = async (outcome: ReturnType<TelegramClient['call']>) => {
  const got = await outcome
  assert.ok('failure' in got, JSON.stringify(got))
  return got.failure
}

test('a call gives the platform’s own result', async () => {
  assert.deepEqual(((await client.call({ operation: 'getMe', body: {} })) as { result: { id: number } }).result.id, telegram.me.id)
  const response = (await send()) as { result: { message_id: number } }
  assert.equal(response.result.message_id, telegram.messages(chat).at(-1)?.id)
  assert.deepEqual(telegram.failures, [])
})

test('what the platform answers is certain', async () => {
  telegram.fault({ does: 'answer', fault: telegramFaults.tooManyRequests(7) })
  assert.deepEqual(await failed(send()), {
    code: 'rate_limited',
    why: 'Too Many Requests: retry after 7',
    retryable: true,
    retryAfterMs: 7_000,
    maybeSent: false,
  })
  const answers = [
    [telegramFaults.blocked(), 'forbidden', false],
    [telegramFaults.chatNotFound(), 'gone', false],
    [telegramFaults.notModified(), 'not_modified', false],
    [telegramFaults.movedTo(-100_5), 'gone', false],
    [telegramFaults.badGateway(), 'unreachable', true],
  ] as const
  for (const [fault, code, retryable] of answers) {
    telegram.fault({ does: 'answer', fault })
    const failure = await failed(send())
    assert.deepEqual([failure.code, failure.retryable, failure.maybeSent], [code, retryable, false], failure.why)
  }
})

test('a connection that is lost after sending leaves it open whether it happened', async () => {
  for (const does of ['drop-before', 'drop-after'] as const) {
    telegram.fault({ does })
    const { code, maybeSent } = await failed(send(does))
    assert.deepEqual([code, maybeSent], ['unreachable', true])
  }
  telegram.fault({ does: 'garbage', status: 502 })
  assert.equal((await failed(send())).maybeSent, true)
  // The second of them is there, and only the second.
  assert.deepEqual(
    telegram
      .messages(chat)
      .map(({ text }) => text)
      .filter((text) => text.startsWith('drop')),
    ['drop-after'],
  )
})

test('what may be repeated without harm is never in doubt', async () => {
  const { result } = (await send()) as { result: { message_id: number } }
  telegram.fault({ method: 'editMessageText', does: 'drop-after' })
  const { maybeSent, retryable } = await failed(
    client.call({ operation: 'editMessageText', body: { chat_id: chat, message_id: result.message_id, text: 'new' } }),
  )
  assert.deepEqual([maybeSent, retryable], [false, true])
})

test('an unreachable server: nothing was sent', async () => {
  const gone = await telegramEmulator()
  const other = await telegramClient({ token: gone.token, apiRoot: gone.url })
  await gone.close()
  const failure = await failed(other.call({ operation: 'sendMessage', body: { chat_id: 1, text: 'x' } }))
  assert.deepEqual([failure.code, failure.retryable, failure.maybeSent], ['unreachable', true, false])
})

test('the token is in no words of a failure', () => {
  const { why } = toFailure({ error: new Error('request to http://x/bot1:secret/sendMessage failed') }, 'sendMessage', '1:secret')
  assert.doesNotMatch(why, /secret/)
})

test('a file comes down, and one that is not there says so', async () => {
  const mia = telegram.person()
  const message = telegram.media(telegram.privateChat(mia), mia, { kind: 'document', bytes: Buffer.from('contents'), name: 'a.txt' })
  const got = await client.download((message['document'] as { file_id: string }).file_id)
  assert.ok('file' in got)
  assert.equal(await new Response(got.file.body).text(), 'contents')
  assert.equal(got.file.sizeBytes, 8)
  assert.equal((await failed(client.download('nowhere') as never)).code, 'refused')
})
