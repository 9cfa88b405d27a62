import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import type { OpenAccount } from '../../../ports/channel-kind.ts'
import { systemClock } from '../../../ports/clock.ts'
import { silentLog } from '../../../ports/log.ts'
import { type TelegramEmulator, telegramEmulator } from '../../../testing/telegram-emulator/telegram-emulator.ts'
import { telegramConfig } from './config.ts'
import { openTelegram } from './open.ts'

let telegram: TelegramEmulator
before(async () => {
  telegram = await telegramEmulator()
})
after(() => telegram.close())

/** An account that only answers `check`. */
function open(token: string, apiRoot: string = telegram.url): OpenAccount {
  const parts = {
    take: async () => {},
    readFile: async () => ({ problem: 'none' }),
    clock: systemClock,
    log: silentLog,
    publicUrl: null,
    cursor: { read: async () => null, write: async () => {} },
    reading: { isOn: false, until: async () => {} },
  }
  return openTelegram({ name: 'telegram', config: telegramConfig(z).parse({ token, apiRoot }) }, { ...parts, signal: AbortSignal.abort() })
}

test('check: a good token gives the name of the account, and nothing is read', async () => {
  const account = open(telegram.token)
  assert.deepEqual(await account.check(), { account: `@${telegram.me.username}` })
  await account.close()
  assert.equal(telegram.isPolled(), false)
})

test('check: a wrong token, a malformed one and an unreachable server are reported without the token', async () => {
  const wrong = `${telegram.token.split(':')[0]}:${'x'.repeat(35)}`
  const unreachable = await open(wrong, 'http://127.0.0.1:1').check()
  const refused = await open(wrong).check()
  const malformed = await open('hello').check()
  assert.match('problem' in unreachable && unreachable.isPassing ? unreachable.problem : '', /cannot be reached/)
  assert.match('problem' in refused && !refused.isPassing ? refused.problem : '', /Unauthorized|Not Found/)
  assert.match('problem' in malformed && !malformed.isPassing ? malformed.problem : '', /form of a token/)
  for (const outcome of [unreachable, refused, malformed]) assert.equal(JSON.stringify(outcome).includes(wrong), false)
})
