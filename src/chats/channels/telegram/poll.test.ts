import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { silentLog } from '../../../ports/log.ts'
import { type TelegramEmulator, telegramEmulator } from '../../../testing/telegram-emulator/telegram-emulator.ts'
import { telegramFaults } from '../../../testing/telegram-emulator/telegram-fault.ts'
import { type TelegramClient, telegramClient } from './client.ts'
import { type Poll, type PollState, pollUpdates } from './poll.ts'

let telegram: TelegramEmulator
let client: TelegramClient
let polls: Poll[]
let keptIds: number[]
let states: PollState[]
let listeners: (() => void)[]

/** Time passes at once: what is waited for is that it was waited, not how long. */
const clock = {
  now: () => 0,
  after: (_delayMs: number, fire: () => void) => {
    const timer = setImmediate(fire)
    return () => clearImmediate(timer)
  },
}
const ids = (updates: unknown[]): number[] => updates.map((update) => (update as { update_id: number }).update_id)

beforeEach(async () => {
  telegram = await telegramEmulator()
  client = await telegramClient({ token: telegram.token, apiRoot: telegram.url })
  polls = []
  keptIds = []
  states = []
  listeners = []
})
afterEach(async () => {
  await Promise.all(polls.map((poll) => poll.stop()))
  await telegram.close()
})

const start = (store: (updates: unknown[]) => Promise<void>): Poll => {
  const poll = pollUpdates({
    client,
    store,
    clock,
    log: silentLog,
    onState: (state) => (states.push(state), listeners.forEach((tell) => tell())),
  })
  polls.push(poll)
  return poll
}
const until = (look: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const tell = (): void => {
      if (look()) resolve()
    }
    listeners.push(tell)
    tell()
  })

test('an update is confirmed only after it was kept', async () => {
  const mia = telegram.person()
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  telegram.say(telegram.privateChat(mia), mia, 'one')
  start(async (updates) => {
    reached.resolve()
    await gate.promise
    keptIds.push(...ids(updates))
  })
  await reached.promise
  assert.equal(telegram.pending().length, 1)
  gate.resolve()
  await telegram.until(() => telegram.pending().length === 0 || (void client.call({ operation: 'getMe', body: {} }), false))
  assert.equal(keptIds.length, 1)
})

test('what could not be kept comes again', async () => {
  const mia = telegram.person()
  telegram.say(telegram.privateChat(mia), mia, 'one')
  let tries = 0
  const stored = Promise.withResolvers<void>()
  start(async (updates) => {
    tries += 1
    if (tries < 3) throw new Error('disk full')
    keptIds.push(...ids(updates))
    stored.resolve()
  })
  await stored.promise
  assert.deepEqual([tries, keptIds.length], [3, 1])
})

test('it waits and goes on after refusals, in words', async () => {
  const mia = telegram.person()
  telegram.fault({ method: 'getUpdates', does: 'answer', fault: telegramFaults.tooManyRequests(1) })
  telegram.fault({ method: 'getUpdates', does: 'answer', fault: telegramFaults.badGateway() })
  telegram.fault({ method: 'getUpdates', does: 'drop-before' })
  telegram.say(telegram.privateChat(mia), mia, 'one')
  start(async (updates) => void keptIds.push(...ids(updates)))
  await until(() => states.some(({ state }) => state === 'reading'))
  assert.equal(keptIds.length, 1)
  assert.equal(states.filter(({ state }) => state === 'waiting').length, 3)
})

test('another reader and a webhook are told apart', async () => {
  await client.call({ operation: 'setWebhook', body: { url: 'http://127.0.0.1:9/none', secret_token: 'x' } })
  start(async () => {})
  await until(() => states.some((state) => state.state === 'waiting' && /a webhook is set/.test(state.why)))
  await client.call({ operation: 'deleteWebhook', body: {} })
  await until(
    () =>
      states.at(-1)?.state === 'reading' || telegram.isPolled() || (void setImmediate(() => listeners.forEach((tell) => tell())), false),
  )
  start(async () => {})
  await until(() => states.some((state) => state.state === 'waiting' && /another program reads/.test(state.why)))
})

test('it stops in the middle of a long poll', async () => {
  const poll = start(async () => {})
  while (!telegram.isPolled()) await client.call({ operation: 'getMe', body: {} })
  await poll.stop()
  assert.deepEqual(states, [])
})
