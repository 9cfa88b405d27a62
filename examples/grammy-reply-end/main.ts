/**
 * The bot of bot.ts, as a program of its own on real grammY, against Telegram on the loopback. It is tapped, typed at, lied
 * to and killed; each point is asserted. Run it: node_modules/.bin/node examples/grammy-reply-end/main.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endLabels, endToasts, encodeChoice, fileEndStorage, newControlId } from '../../packages/reply-end/src/index.ts'
import { telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { telegramFaults } from '../../src/testing/telegram-emulator/telegram-fault.ts'
import { botProcess } from './bot-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'reply-end-'))
const telegram = await telegramEmulator()
const file = join(folder, 'ends.jsonl')
const key = 'the key of this example'
const bot = botProcess({ TELEGRAM_TOKEN: telegram.token, TELEGRAM_API: telegram.url, END_KEY: key, END_FILE: file })
const mia = telegram.person({ first_name: 'Mia' })
const chat = telegram.privateChat(mia)
const en = endLabels.en
const point = (words: string): void => console.log(`ok  ${words}`)

type Seen = ReturnType<typeof telegram.messages>[number]
const listLabels = (message: Seen | undefined): string[] => message?.keyboard.flat().map(({ text }) => text) ?? []
const withControls = (where: number): Seen[] => telegram.messages(where).filter((message) => message.keyboard.length > 0)
const toasts = (): string[] => telegram.toasts.map(({ text }) => text)

/** Writes, and waits until the reply to it is there and the only one with buttons. */
async function ask(text: string, where = chat): Promise<Seen> {
  const spokenMessage = telegram.say(where, mia, text)
  return telegram.until(() => {
    const [only, ...more] = withControls(where)
    return more.length === 0 && only && only.id > spokenMessage.message_id ? only : null
  }, `controls under the reply to "${text}"`)
}
const toasted = (count: number): Promise<boolean> => telegram.until(() => telegram.toasts.length >= count, `toast number ${count}`)
const stripped = (message: Seen): Promise<boolean> =>
  telegram.until(() => listLabels(telegram.messages(chat).find(({ id }) => id === message.id)).length === 0, 'an empty keyboard')

try {
  await bot.start()

  const first = await ask('one')
  assert.deepEqual(listLabels(first), [en.continue, en.stop])
  assert.equal(first.keyboard.length, 2)
  assert.equal(telegram.messages(chat).at(-1)?.id, first.id)
  telegram.tap(chat, mia, first.id, en.continue)
  await toasted(1)
  await bot.line(/^choice telegram:\d+:\d+ continue/)
  await stripped(first)
  assert.equal(telegram.messages(chat).find(({ id }) => id === first.id)?.text, first.text)
  point('M1: a reply with two buttons under its last message; a tap is received, logged, and takes them away')

  const second = await ask('two')
  assert.match(second.text, /asked to continue\.\) Shall I also write it down\?$/)
  const third = await ask('typing needs no tap')
  assert.equal(third.text, 'Done. Shall I also write it down?')
  assert.deepEqual(
    withControls(chat).map(({ id }) => id),
    [third.id],
  )
  point('M2: the choice is kept for the next turn; typing works untouched and ends the controls before it')

  telegram.tap(chat, mia, third.id, en.stop)
  await toasted(2)
  await stripped(third)
  const fourth = await ask('four')
  assert.match(fourth.text, /answer only what is asked\.\)$/)
  assert.match((await ask('five')).text, /Shall I also write it down\?$/)
  assert.deepEqual(toasts(), [endToasts.en.continue, endToasts.en.stop])
  point('M3: a closed reply suppresses the follow-up, once; continue allows it')

  const sixth = await ask('six')
  await telegram.until(() => telegram.pending().length === 0, 'the next updates')
  await bot.kill()
  telegram.tap(chat, mia, sixth.id, en.stop)
  await bot.start()
  await toasted(3)
  await stripped(sixth)
  await bot.line(/^choice telegram:\d+:\d+ stop/, 2)
  point('killed between sending and the tap: the tap counts after the restart')

  const cut = Promise.withResolvers<void>()
  const before7 = telegram.messages(chat).at(-1)?.id ?? 0
  telegram.fault({
    method: 'editMessageReplyMarkup',
    does: 'hold-after',
    until: cut.promise,
    when: ({ reply_markup: markup }) => JSON.stringify(markup).includes('pe1:'),
  })
  telegram.say(chat, mia, 'a reply whose receipt is lost')
  const lost = await telegram.until(() => withControls(chat).find(({ id }) => id > before7), 'controls without a record')
  await bot.kill()
  cut.resolve()
  await bot.start()
  await telegram.until(() => withControls(chat).some(({ id }) => id > lost.id) && withControls(chat).length === 1, 'one live control')
  point('killed between the platform’s effect and our note of it: the update comes again, and one control is live')

  const seventh = await ask('seven')
  const never = Promise.withResolvers<void>()
  const atToast = telegram.requests.length
  telegram.fault({ method: 'answerCallbackQuery', does: 'drop-before' })
  telegram.fault({ method: 'editMessageReplyMarkup', does: 'hold-before', until: never.promise })
  telegram.tap(chat, mia, seventh.id, en.continue)
  await bot.line(/could not be done.*toast/)
  await bot.kill()
  never.resolve()
  telegram.clearFaults()
  assert.equal(telegram.requests.slice(atToast).filter(({ method }) => method === 'answerCallbackQuery').length, 0)
  await bot.start()
  await bot.line(/^choice telegram:\d+:\d+ continue/, 2)
  await stripped(seventh)
  point('killed in the middle of a tap: it is finished after the restart')

  const eighth = await ask('eight')
  const before = telegram.toasts.length
  const [tapped] = eighth.keyboard.flat()
  telegram.tap(chat, mia, eighth.id, en.continue)
  telegram.forge(chat, mia, eighth.id, tapped?.callback_data ?? '')
  await toasted(before + 2)
  telegram.redeliver()
  const ninth = await ask('nine')
  assert.deepEqual(toasts().slice(before, before + 2), [endToasts.en.continue, endToasts.en.repeat])
  assert.match(ninth.text, /asked to continue/)
  point('double tap: the first counts, the second is told so, a repeated update does nothing')

  const atStale = telegram.toasts.length
  telegram.forge(chat, mia, eighth.id, tapped?.callback_data?.replace(':c:', ':s:') ?? '')
  telegram.forge(chat, mia, first.id, first.keyboard.flat()[1]?.callback_data ?? '')
  telegram.forge(chat, mia, ninth.id, first.keyboard.flat()[1]?.callback_data ?? '')
  telegram.forge(chat, mia, ninth.id, `pe1:s:${newControlId()}:AAAAAAAAAAA`)
  telegram.forge(chat, mia, ninth.id, 'pe9:anything')
  telegram.forge(chat, mia, ninth.id, 'a button of another bot')
  await toasted(atStale + 6)
  assert.deepEqual(toasts().slice(atStale), [...Array.from({ length: 5 }, () => endToasts.en.stale), 'not one of the two'])
  assert.deepEqual(
    withControls(chat).map(({ id }) => id),
    [ninth.id],
  )
  point('stale, moved and forged data: a polite toast, and the live control stays as it was')

  const refused = telegramFaults.cannotEdit()
  telegram.fault({ method: 'editMessageReplyMarkup', does: 'answer', fault: refused })
  telegram.tap(chat, mia, ninth.id, en.stop)
  await bot.line(/^choice telegram:\d+:\d+ stop/, 3)
  telegram.remove(chat, ninth.id)
  assert.equal(toasts().at(-1), endToasts.en.stop)
  telegram.fault({ method: 'editMessageReplyMarkup', does: 'answer', fault: refused })
  telegram.say(chat, mia, 'ten')
  await telegram.until(
    () => telegram.messages(chat).some(({ id, text }) => id > ninth.id && text === fourth.text),
    'a reply without a follow-up',
  )
  await bot.line(/could not be attached/)
  const eleventh = await ask('十一')
  assert.deepEqual(listLabels(eleventh), Object.values(endLabels['zh-Hant']))
  point('a keyboard edit that fails with 400 loses neither the choice nor the reply; the language follows the person')

  const tom = telegram.person({ first_name: 'Tom' })
  const group = telegram.group({ people: [mia, tom] })
  const inGroup = await ask('in the group', group)
  const atForeign = telegram.toasts.length
  telegram.tap(group, tom, inGroup.id, en.stop)
  await toasted(atForeign + 1)
  assert.deepEqual(listLabels(withControls(group)[0]), [en.continue, en.stop])
  telegram.tap(group, mia, inGroup.id, en.stop)
  await toasted(atForeign + 2)
  assert.deepEqual(toasts().slice(atForeign), [endToasts.en.foreign, endToasts.en.stop])
  point('in a group only who asked may tap')

  for (let count = 0; count < 10_000; count += 1) {
    const data = encodeChoice(
      { key, account: String(telegram.me.id), chat: String(group) },
      newControlId(),
      count % 2 === 0 ? 'continue' : 'stop',
    )
    assert.equal(Buffer.byteLength(data), 34)
  }
  point('10,000 random ids: 34 bytes each, of 64')

  await bot.kill()
  const fileStorage = await fileEndStorage(file)
  for (const conversation of await fileStorage.conversations()) {
    const states = (await fileStorage.get(conversation))?.controls.records.map(({ state }) => state) ?? []
    assert.ok(states.filter((state) => state === 'offered').length <= 1)
    console.log(`    ${conversation}: ${states.join(', ')}`)
  }
  await fileStorage.close()
  assert.deepEqual(telegram.failures, [])
  console.log(`    ${telegram.requests.length} requests. ${telegram.checkedAgainst}`)
} catch (error) {
  console.error(bot.output())
  throw error
} finally {
  await bot.kill()
  await telegram.close()
  rmSync(folder, { recursive: true, force: true })
}
