import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Bot, type Context, InputFile } from 'grammy'
import { type TelegramEmulator, telegramEmulator } from '../../../src/testing/telegram-emulator/telegram-emulator.ts'
import { telegramFaults } from '../../../src/testing/telegram-emulator/telegram-fault.ts'
import { type EndControlsFlavor, type ReplyEndOptions, replyEndControls } from './grammy.ts'
import { endLabels, endToasts, shortEndLabels } from './labels.ts'
import { memoryEndStorage } from './storage.ts'

type Ctx = Context & EndControlsFlavor

let telegram: TelegramEmulator
let chat: number
let mia: ReturnType<TelegramEmulator['person']>

beforeEach(async () => {
  telegram = await telegramEmulator()
  mia = telegram.person()
  chat = telegram.privateChat(mia)
})
afterEach(async () => {
  assert.deepEqual(telegram.failures, [])
  await telegram.close()
})

/** A bot that takes what is pending when told to, so that nothing here depends on time. */
async function botWith(answer: (ctx: Ctx) => Promise<unknown>, options: Partial<ReplyEndOptions<Ctx>> = {}) {
  const bot = new Bot<Ctx>(telegram.token, { client: { apiRoot: telegram.url } })
  await bot.init()
  const ends = replyEndControls<Ctx>({ bot, key: 'k', storage: memoryEndStorage(), ...options })
  bot.use(ends)
  bot.on('message', async (ctx) => void (await answer(ctx)))
  return {
    ...ends,
    async take(): Promise<void> {
      const updates = await bot.api.getUpdates()
      await bot.api.getUpdates({ offset: (updates.at(-1)?.update_id ?? 0) + 1 })
      for (const update of updates) await bot.handleUpdate(update)
      await ends.controls.idle()
    },
  }
}
const readChat = (where = chat) =>
  telegram
    .messages(where)
    .filter(({ isMine }) => isMine)
    .map(({ keyboard }) => keyboard.map((row) => row.map(({ text }) => text)))
const full = [[endLabels.en.continue], [endLabels.en.stop]]
const conversation = () => `telegram:${telegram.me.id}:${chat}`

test('the last message that can carry a keyboard gets the controls, below its own buttons', async () => {
  const own = { reply_markup: { inline_keyboard: [[{ text: 'Open', url: 'https://example.org' }]] } }
  const bot = await botWith(async (ctx) => {
    await ctx.reply('one')
    await ctx.reply('two', own)
    await ctx.replyWithMediaGroup(
      [1, 2].map((count) => ({ type: 'photo' as const, media: new InputFile(Buffer.from('x'), `${count}.png`) })),
    )
    const draft = await ctx.reply('thinking…')
    await ctx.api.deleteMessage(chat, draft.message_id)
  })
  telegram.say(chat, mia, 'hello')
  await bot.take()
  assert.deepEqual(readChat(), [[], [['Open'], ...full], [], []])
  const two = telegram.messages(chat).find(({ text }) => text === 'two')
  telegram.tap(chat, mia, two?.id ?? 0, endLabels.en.stop)
  await bot.take()
  assert.deepEqual(readChat(), [[], [['Open']], [], []])
  assert.equal((await bot.controls.closure(conversation())).state, 'closed')
})

test('a streamed reply gets them with its last edit, a photo as well as a text', async () => {
  const bot = await botWith(async (ctx) => {
    const draft = await ctx.reply('…')
    await ctx.api.editMessageText(chat, draft.message_id, 'almost')
    assert.deepEqual(readChat(), [[]])
    await ctx.api.editMessageText(chat, draft.message_id, 'done')
  })
  telegram.say(chat, mia, 'hello')
  await bot.take()
  assert.deepEqual(readChat(), [full])
  const photo = await botWith((ctx) => ctx.replyWithPhoto(new InputFile(Buffer.from('x'), 'x.png'), { caption: 'look' }))
  telegram.say(chat, mia, 'a picture')
  await photo.take()
  assert.deepEqual(readChat().at(-1), full)
})

test('in one request with reply(); short labels in one row; a marker when wanted', async () => {
  const bot = await botWith((ctx) => ctx.endControls.reply('all at once'), { labels: 'short', marker: true, locale: 'zh-Hant' })
  telegram.say(chat, mia, '你好')
  await bot.take()
  const labels = Object.values(shortEndLabels['zh-Hant'])
  assert.deepEqual(readChat(), [[labels]])
  assert.equal(telegram.requests.filter(({ method }) => method === 'editMessageReplyMarkup').length, 0)
  telegram.tap(chat, mia, telegram.messages(chat).at(-1)?.id ?? 0, '就這樣吧')
  await bot.take()
  assert.deepEqual(telegram.messages(chat).at(-1)?.keyboard, [[{ text: '✓ 就這樣吧', disabled: {} }]])
  assert.deepEqual(
    telegram.toasts.map(({ text }) => text),
    [endToasts['zh-Hant'].stop],
  )
})

test('nothing is attached to a skipped turn, to silence, to an error, in a group, or where it is off', async () => {
  const bot = await botWith(async (ctx) => {
    if (ctx.message?.text === 'silent') return
    await ctx.reply('here')
    if (ctx.message?.text === 'fails') throw new Error('broken')
    ctx.endControls.skip()
  })
  telegram.say(chat, mia, 'skipped')
  telegram.say(chat, mia, 'silent')
  await bot.take()
  telegram.say(chat, mia, 'fails')
  await assert.rejects(bot.take(), /broken/)
  const group = telegram.group({ people: [mia] })
  const plain = await botWith((ctx) => ctx.endControls.reply('here'))
  telegram.say(group, mia, 'hello')
  await plain.take()
  const off = await botWith((ctx) => ctx.reply('here'), { isOn: () => false })
  telegram.say(chat, mia, 'off')
  await off.take()
  assert.deepEqual(readChat(), [[], [], []])
  assert.deepEqual(readChat(group), [[]])
})

test('each topic has its own live control', async () => {
  const group = telegram.group({ people: [mia], forum: true })
  const [plans, bugs] = [telegram.topic(group, 'Plans'), telegram.topic(group, 'Bugs')]
  const bot = await botWith((ctx) => ctx.reply('here'), { groups: 'asker' })
  for (const topic of [plans, bugs, plans]) {
    telegram.say(group, mia, 'hello', { topic })
    await bot.take()
  }
  assert.deepEqual(readChat(group), [[], full, full])
  assert.deepEqual(
    telegram
      .messages(group)
      .filter(({ isMine }) => isMine)
      .map(({ topic }) => topic),
    [plans, bugs, plans],
  )
})

test('a keyboard that cannot be attached leaves the reply; no answer counts as attached', async () => {
  const bot = await botWith((ctx) => ctx.reply('here'))
  telegram.fault({ method: 'editMessageReplyMarkup', does: 'answer', fault: telegramFaults.cannotEdit() })
  telegram.say(chat, mia, 'one')
  await bot.take()
  assert.deepEqual(
    (await bot.controls.read(conversation())).records.map(({ state }) => state),
    ['unattached'],
  )
  telegram.fault({ method: 'editMessageReplyMarkup', does: 'drop-after' })
  telegram.say(chat, mia, 'two')
  await bot.take()
  telegram.tap(chat, mia, telegram.messages(chat).at(-1)?.id ?? 0, endLabels.en.continue)
  await bot.take()
  assert.deepEqual(
    (await bot.controls.read(conversation())).records.map(({ state }) => state),
    ['unattached', 'continued'],
  )
})

test('an old query and an edit that fails for now: the choice holds, the buttons go later', async () => {
  const notices: string[] = []
  const bot = await botWith((ctx) => ctx.reply('here'), { onEndChoice: ({ choice }) => (notices.push(choice), { note: 'Keep it short.' }) })
  telegram.say(chat, mia, 'one')
  await bot.take()
  telegram.tap(chat, mia, telegram.messages(chat).at(-1)?.id ?? 0, endLabels.en.stop)
  telegram.expireQueries()
  telegram.fault({ method: 'editMessageReplyMarkup', does: 'answer', fault: telegramFaults.badGateway() })
  await bot.take()
  assert.deepEqual([notices, readChat()], [['stop'], [full]])
  await bot.controls.sweep()
  assert.deepEqual([notices, readChat()], [['stop'], [[]]])
  assert.equal((await bot.controls.policy(conversation())).proactive, 'suppressed')
  telegram.say(chat, mia, 'two')
  await bot.take()
  const { closure } = await bot.controls.read(conversation())
  assert.equal(closure.state, 'open')
  assert.match((await bot.controls.beginTurn(conversation(), '500003')).promptLine ?? '', /answer only what is asked\. Keep it short\.$/)
})

test('what has expired loses its buttons by a sweep', async () => {
  let time = 0
  const bot = await botWith((ctx) => ctx.reply('here'), { now: () => time, expireAfterMs: 100 })
  telegram.say(chat, mia, 'one')
  await bot.take()
  time = 100
  await bot.controls.sweep()
  assert.deepEqual(readChat(), [[]])
  assert.deepEqual(
    (await bot.controls.read(conversation())).records.map(({ state }) => state),
    ['expired'],
  )
})
