import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TelegramEmulator, telegramEmulator } from '../../../testing/telegram-emulator/telegram-emulator.ts'
import { checkTelegramToken, sendTelegramTest } from './check.ts'

let telegram: TelegramEmulator
before(async () => {
  telegram = await telegramEmulator()
})
after(() => telegram.close())

test('a good token says whose it is', async () => {
  const checked = await checkTelegramToken({ token: telegram.token, apiRoot: telegram.url })
  assert.deepEqual(checked, { account: `@${telegram.me.username}` })
})

test('a wrong token, a missing token and an unreachable address are reported without the token', async () => {
  const wrong = `${telegram.token.split(':')[0]}:${'x'.repeat(35)}`
  const unreachable = await checkTelegramToken({ token: wrong, apiRoot: 'http://127.0.0.1:1' })
  const refused = await checkTelegramToken({ token: wrong, apiRoot: telegram.url })
  const form = await checkTelegramToken({ token: 'hello', apiRoot: telegram.url })
  assert.match('problem' in unreachable ? unreachable.problem : '', /cannot be reached/)
  assert.match('problem' in refused ? refused.problem : '', /Unauthorized|Not Found/)
  assert.match('problem' in form ? form.problem : '', /form of a token/)
  for (const outcome of [unreachable, refused, form]) assert.equal(JSON.stringify(outcome).includes(wrong), false)
})

test('a test message arrives, or it is said why not', async () => {
  const chat = telegram.privateChat(telegram.person())
  const account = { token: telegram.token, apiRoot: telegram.url }
  assert.deepEqual(await sendTelegramTest(account, String(chat), 'It works.'), { messageId: String(telegram.messages(chat).at(-1)?.id) })
  assert.match(JSON.stringify(await sendTelegramTest(account, '999999', 'It works.')), /chat not found/)
})
