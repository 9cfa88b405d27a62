import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { parseUpdates } from '../../src/chats/channels/telegram/parse.ts'
import { type Poll, pollUpdates } from '../../src/chats/channels/telegram/poll.ts'
import type { DeliveryView } from '../../src/shapes/messaging.ts'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { randomIds } from '../../src/ports/ids.ts'
import { silentLog } from '../../src/ports/log.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { type TelegramEmulator, telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { telegramFaults } from '../../src/testing/telegram-emulator/telegram-fault.ts'
import { newWorld, openSide, type SideUnderTest, type World } from '../../src/chats/inbound/test/inbound-under-test.ts'
import { telegramUnderTest } from './telegram-under-test.ts'
import { eventually } from '../fixtures/eventually.ts'

let telegram: TelegramEmulator
let world: World
let side: SideUnderTest
let poll: Poll

const question = (text = 'Ship it?'): ReplyPayload => ({
  text,
  presentation: {
    blocks: [
      {
        type: 'buttons',
        buttons: [
          { label: 'Yes', style: 'success', action: { type: 'question', questionId: 'q_1', optionValue: 'yes' } },
          { label: 'No', action: { type: 'question', questionId: 'q_1', optionValue: 'no' } },
        ],
      },
    ],
  },
})

/** Parley's outer half with the real client. */
beforeEach(async () => {
  telegram = await telegramEmulator()
  world = newWorld()
  const { channel, client } = await telegramUnderTest(telegram)
  side = openSide({ channel, clock: systemClock, world, ids: randomIds, list: { people: ['*'] }, store: memoryStore() })
  poll = pollUpdates({
    client,
    store: (updates) => side.receive.inbounds(channel.name, parseUpdates(updates)),
    clock: systemClock,
    log: silentLog,
  })
})
afterEach(async () => {
  await Promise.all([poll.stop(), side.stop(2_000), side.box.deliverer.stop(2_000)])
  await side.box.store.close()
  await telegram.close()
  assert.deepEqual(telegram.failures, [], 'every request keeps the platform’s rules')
})

const delivered = (delivery: string, ...states: DeliveryView['state'][]): Promise<DeliveryView> =>
  eventually(async () => {
    const view = await side.box.get(delivery)
    return states.includes(view.state) && view
  }, states.join(' or '))

async function asked(): Promise<{ mia: ReturnType<TelegramEmulator['person']>; chat: number; message: number; delivery: string }> {
  const mia = telegram.person({ first_name: 'Mia' })
  const chat = telegram.privateChat(mia)
  const { delivery } = await side.box.plan({ channel: 'telegram', address: String(chat), message: question(), mayTap: [String(mia.id)] })
  const [receipt] = (await delivered(delivery, 'sent')).receipts
  return { mia, chat, message: Number(receipt?.messageId), delivery }
}
const findMessage = (chat: number, message: number) => telegram.messages(chat).find(({ id }) => id === message)
const toasted = (query: string): Promise<string> =>
  eventually(() => telegram.toasts.find((toast) => toast.query === query)?.text, `a toast for ${query}`)

test('a question with a keyboard: tap, double tap, and the keyboard goes', async () => {
  const { mia, chat, message } = await asked()
  assert.deepEqual(
    findMessage(chat, message)
      ?.keyboard.flat()
      .map(({ text }) => text),
    ['Yes', 'No'],
  )
  const first = telegram.tap(chat, mia, message, 'Yes')
  const second = telegram.tap(chat, mia, message, 'No')
  const words = [await toasted(first), await toasted(second)].toSorted()
  assert.equal(words.filter((word) => word.startsWith('✓')).length, 1)
  assert.match(words.join('|'), /already used by Mia/)
  await eventually(() => findMessage(chat, message)?.keyboard.length === 0, 'the keyboard to go')
  assert.equal(world.answers.length, 1)
  assert.equal(findMessage(chat, message)?.text, 'Ship it?')
})

test('foreign, forged and copied data is answered kindly and changes nothing', async () => {
  const { mia, chat, message } = await asked()
  const data = findMessage(chat, message)?.keyboard.flat()[0]?.callback_data ?? ''
  const eve = telegram.person({ first_name: 'Eve' })
  const group = telegram.group({ people: [mia, eve] })
  const { delivery } = await side.box.plan({ channel: 'telegram', address: String(group), message: question(), mayTap: [String(mia.id)] })
  const inGroup = Number((await delivered(delivery, 'sent')).receipts[0]?.messageId)
  assert.match(await toasted(telegram.tap(group, eve, inGroup, 'Yes')), /another person/)
  assert.match(await toasted(telegram.forge(chat, mia, message, 'p1:q:q_1:yes')), /not sent by me/)
  assert.match(await toasted(telegram.forge(chat, mia, message, 'p1:t:AAAAAAAAAAAAAAAA')), /not sent by me/)
  assert.match(await toasted(telegram.forge(group, mia, inGroup, data)), /not sent by me/)
  assert.deepEqual(world.answers, [])
  assert.equal(findMessage(chat, message)?.keyboard.flat().length, 2)
})

test('a tap that Telegram no longer lets us answer still counts', async () => {
  const { mia, chat, message } = await asked()
  telegram.fault({ does: 'answer', method: 'answerCallbackQuery', fault: telegramFaults.queryTooOld() })
  telegram.tap(chat, mia, message, 'Yes')
  await eventually(() => world.answers.length === 1, 'the answer')
})

test('the connection drops after sending: not confirmed, never sent again automatically, and a tap proves the delivery', async () => {
  const mia = telegram.person({ first_name: 'Mia' })
  const chat = telegram.privateChat(mia)
  telegram.fault({ does: 'drop-after', method: 'sendMessage' })
  const { delivery } = await side.box.plan({ channel: 'telegram', address: String(chat), message: question() })
  const view = await delivered(delivery, 'unknown', 'sent')
  assert.equal(view.state, 'unknown')
  assert.match(view.error?.message ?? '', /Not confirmed/)
  const [message] = telegram.messages(chat)
  assert.equal(telegram.messages(chat).length, 1)
  telegram.tap(chat, mia, message?.id ?? 0, 'Yes')
  await eventually(() => world.answers.length === 1, 'the answer')
  await delivered(delivery, 'sent')
  await eventually(() => telegram.messages(chat)[0]?.keyboard.length === 0, 'the keyboard to go')
  assert.equal(telegram.messages(chat).length, 1)
})

test('an edit of a deleted message is sent as a new one; a person who blocked the bot is not retried', async () => {
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  const { delivery } = await side.box.plan({ channel: 'telegram', address: String(chat), message: { text: 'draft' } })
  const draft = Number((await delivered(delivery, 'sent')).receipts[0]?.messageId)
  telegram.remove(chat, draft)
  await side.box.edit(delivery, { text: 'final' }, { orSend: true })
  await eventually(() => telegram.messages(chat).some(({ text }) => text === 'final'), 'the final words')
  telegram.block(chat)
  const refused = await side.box.plan({ channel: 'telegram', address: String(chat), message: { text: 'no' } })
  const view = await delivered(refused.delivery, 'failed')
  assert.match(view.error?.message ?? '', /blocked/)
})

test('a long message goes on in a second one and its first part is pinned', async () => {
  const mia = telegram.person()
  const group = telegram.group({ people: [mia] })
  const { delivery } = await side.box.plan({
    channel: 'telegram',
    address: String(group),
    message: { text: 'word '.repeat(1_000).trim(), delivery: { pin: { enabled: true, notify: true } } },
  })
  const view = await delivered(delivery, 'sent')
  assert.equal(view.receipts.length, 2)
  assert.deepEqual(telegram.pins(group), [{ message: Number(view.receipts[0]?.messageId), notify: true }])
  assert.ok(view.losses.some(({ to }) => to === '2 messages'))
})

test('no right to pin: a required pin makes it partly sent, with its receipt', async () => {
  const group = telegram.group({ people: [telegram.person()], canPin: false })
  const message: ReplyPayload = { text: 'read this', delivery: { pin: { enabled: true, required: true } } }
  const { delivery } = await side.box.plan({ channel: 'telegram', address: String(group), message })
  const view = await delivered(delivery, 'partly-sent', 'sent')
  assert.equal(view.state, 'partly-sent')
  assert.equal(view.receipts.length, 1)
  assert.equal(telegram.messages(group).length, 1)
})
