import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'
import { localFiles } from '../../src/chats/local-files.ts'
import { systemClock } from '../../src/ports/clock.ts'
import type { Channel } from '../../src/ports/channel.ts'
import type { DeliveryView } from '../../src/shapes/messaging.ts'
import { type TelegramEmulator, telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { badRequest } from '../../src/testing/telegram-emulator/telegram-fault.ts'
import { openOutbox, type OutboxUnderTest } from '../../src/chats/outbox/test/outbox-under-test.ts'
import { telegramUnderTest } from './telegram-under-test.ts'
import { eventually } from '../fixtures/eventually.ts'

let telegram: TelegramEmulator
let channel: Channel
let box: OutboxUnderTest
let dir: string
let chat: number

beforeEach(async () => {
  telegram = await telegramEmulator()
  dir = mkdtempSync(join(tmpdir(), 'parley-media-'))
  mkdirSync(join(dir, '.parley'))
  const files = localFiles({ projectDir: dir, dataDir: join(dir, '.parley') })
  channel = (await telegramUnderTest({ ...telegram, readFile: files.read })).channel
  // The emulator has no rates of its own, and a test need not wait for them.
  channel = { ...channel, capabilities: { ...channel.capabilities, delivery: { ...channel.capabilities.delivery, rates: [] } } }
  box = openOutbox({ channel, clock: systemClock })
  chat = telegram.privateChat(telegram.person())
})
afterEach(async () => {
  await box.deliverer.stop(1_000)
  await telegram.close()
  rmSync(dir, { recursive: true, force: true })
  assert.deepEqual(telegram.failures, [], 'every request keeps the platform’s rules')
})

const settled = (delivery: string): Promise<DeliveryView> =>
  eventually(async () => {
    const view = await box.get(delivery)
    return view.state !== 'waiting' && view
  }, `the end of ${delivery}`)
const send = async (message: ReplyPayload): Promise<DeliveryView> =>
  settled((await box.plan({ channel: 'telegram', address: String(chat), message })).delivery)
const local = (name: string, bytes: string): string => {
  writeFileSync(join(dir, name), bytes)
  return pathToFileURL(join(dir, name)).href
}
const methods = (): string[] => telegram.requests.map(({ method }) => method)

test('words, a picture by its address and a file of the project arrive in their order; buttons are below the last', async () => {
  const view = await send({
    text: 'Two things.',
    media: [
      { url: 'https://example.org/cat.png', caption: 'A *cat*' },
      { url: local('numbers.csv', 'a,b\n1,2\n'), name: 'Numbers.csv' },
    ],
    presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'Thanks', value: 't' }] }] },
  })
  assert.deepEqual([view.state, view.parts.sent], ['sent', 3])
  assert.deepEqual(methods(), ['sendMessage', 'sendPhoto', 'sendDocument'])
  const [, photo, file] = telegram.messages(chat)
  assert.equal(photo?.text, 'A cat')
  const id = (file?.raw['document'] as { file_id: string; file_name: string }) ?? {}
  assert.equal(id.file_name, 'Numbers.csv')
  assert.deepEqual(
    file?.keyboard.flat().map(({ text }) => text),
    ['Thanks'],
  )
  const got = await channel.download(id.file_id, AbortSignal.timeout(60_000))
  assert.equal('file' in got && (await new Response(got.file.body).text()), 'a,b\n1,2\n')
})

test('a file that is gone by the time it is sent is a failure in words, and a person can try again', async () => {
  const url = local('gone.pdf', 'x')
  rmSync(join(dir, 'gone.pdf'))
  const failed = await send({ media: [{ url }] })
  assert.equal(failed.state, 'failed')
  assert.match(failed.error?.message ?? '', /the file gone\.pdf is not there/)
  assert.deepEqual(methods(), [])
  local('gone.pdf', 'x')
  await box.retry(failed.id, 'owner')
  assert.equal((await settled(failed.id)).state, 'sent')
})

test('other words below the same picture change the words alone; another picture is sent again', async () => {
  const first = await send({ text: 'one', media: [{ url: 'https://example.org/a.png' }] })
  await box.edit(first.id, { text: 'two', media: [{ url: 'https://example.org/a.png' }] })
  await settled(first.id)
  await box.edit(first.id, { text: 'two', media: [{ url: local('b.png', 'not really a picture') }] })
  await settled(first.id)
  await box.edit(first.id, { media: [{ url: local('c.csv', 'x') }] })
  await settled(first.id)
  assert.deepEqual(methods(), ['sendPhoto', 'editMessageCaption', 'editMessageMedia', 'editMessageMedia'])
  const [only] = telegram.messages(chat)
  assert.equal(telegram.messages(chat).length, 1)
  const { file_name: documentName } = (only?.raw['document'] ?? {}) as { file_name?: string }
  assert.deepEqual([only?.text, only?.raw['photo'], documentName], ['', undefined, 'c.csv'])
})

test('a text can become a picture', async () => {
  const first = await send({ text: 'drawing …' })
  await box.edit(first.id, { text: 'done', media: [{ url: 'https://example.org/a.png' }] })
  await settled(first.id)
  const [only] = telegram.messages(chat)
  assert.equal(only?.text, 'done')
  assert.notEqual(only?.raw['photo'], undefined)
})

test('formatting that Telegram cannot read costs the formatting and nothing else', async () => {
  telegram.fault({ method: 'sendMessage', does: 'answer', fault: badRequest("can't parse entities: unexpected end tag at byte offset 5") })
  const view = await send({ text: '**Hello** <you>' })
  assert.equal(view.state, 'sent')
  assert.deepEqual(
    view.losses.map(({ what, to }) => [what, to]),
    [['formatting', 'plain text']],
  )
  assert.equal(telegram.messages(chat).at(-1)?.text, '**Hello** <you>')
})
