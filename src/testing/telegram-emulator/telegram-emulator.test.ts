import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { Api, GrammyError, HttpError, InputFile } from 'grammy'
import { type TelegramEmulator, telegramEmulator } from './telegram-emulator.ts'
import { telegramFaults } from './telegram-fault.ts'

let telegram: TelegramEmulator
let api: Api
const opened: TelegramEmulator[] = []

beforeEach(async () => {
  telegram = await telegramEmulator({ webhookRetryMs: 1 })
  opened.push(telegram)
  api = new Api(telegram.token, { apiRoot: telegram.url })
})
after(() => Promise.all(opened.map((one) => one.close())))

const refused = (status: number, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof GrammyError, String(error))
  assert.equal(error.error_code, status)
  assert.match(error.description, words)
  return true
}

test('says which bot it is, and refuses a wrong token and an unknown method', async (t) => {
  t.diagnostic(telegram.checkedAgainst)
  assert.equal((await api.getMe()).id, telegram.me.id)
  await assert.rejects(new Api('1:wrong', { apiRoot: telegram.url }).getMe(), refused(401, /Unauthorized/))
  const response = await fetch(`${telegram.url}/bot${telegram.token}/noSuchMethod`)
  assert.equal(response.status, 404)
})

test('a message is kept as people see it: formatting, keyboard, reply', async () => {
  const mia = telegram.person({ first_name: 'Mia' })
  const chat = telegram.privateChat(mia)
  const spoken = telegram.say(chat, mia, 'hello')
  const keyboard = {
    inline_keyboard: [
      [
        { text: 'Yes', callback_data: 'y' },
        { text: 'Docs', url: 'https://example.org' },
      ],
    ],
  }
  const sentMessage = await api.sendMessage(chat, '<b>bold</b> &amp; <a href="https://example.org/?a=1&amp;b=2">link</a>', {
    parse_mode: 'HTML',
    reply_markup: keyboard,
    reply_parameters: { message_id: spoken.message_id },
  })
  assert.equal(sentMessage.text, 'bold & link')
  const [, seen] = telegram.messages(chat)
  assert.deepEqual(seen?.entities, [
    { type: 'bold', offset: 0, length: 4 },
    { type: 'text_link', offset: 7, length: 4, url: 'https://example.org/?a=1&b=2' },
  ])
  assert.deepEqual(seen?.keyboard, keyboard.inline_keyboard)
  assert.equal(seen?.raw.reply_to_message?.text, 'hello')
  assert.deepEqual(telegram.failures, [])
})

test('what the platform would refuse is refused and recorded', async () => {
  const chat = telegram.privateChat(telegram.person())
  const keyboard = (button: object) => ({ reply_markup: { inline_keyboard: [[button]] } }) as never
  const cases: [run: () => Promise<unknown>, answer: RegExp][] = [
    [() => api.sendMessage(chat, 'x'.repeat(4_097)), /message is too long/],
    [() => api.sendMessage(chat, `<b>${'x'.repeat(4_097)}</b>`, { parse_mode: 'HTML' }), /message is too long/],
    [() => api.sendMessage(chat, '<b> </b>', { parse_mode: 'HTML' }), /message text is empty/],
    [() => api.sendMessage(chat, 'hi', keyboard({ text: 'x', callback_data: '繁'.repeat(22) })), /BUTTON_DATA_INVALID/],
    [() => api.sendMessage(chat, 'hi', keyboard({ text: 'x' })), /Text buttons are unallowed/],
    [() => api.sendMessage(chat, 'hi', keyboard({ text: 'x', url: 'nowhere' })), /URL 'nowhere' is invalid/],
    [
      () =>
        api.sendMessage(chat, 'hi', {
          reply_markup: { inline_keyboard: [Array.from({ length: 101 }, () => ({ text: 'x', callback_data: 'y' }))] },
        }),
      /too long/,
    ],
    [() => api.sendPhoto(chat, 'https://example.org/a.png', { caption: 'x'.repeat(1_025) }), /caption is too long/],
  ]
  for (const [run, answer] of cases) {
    const before = telegram.failures.length
    await assert.rejects(run(), refused(400, answer))
    assert.ok(telegram.failures.length > before, String(answer))
  }
  assert.equal(telegram.messages(chat).length, 0)
})

test('markup that does not parse is refused in the words of the platform', async () => {
  const chat = telegram.privateChat(telegram.person())
  const html = (text: string) => api.sendMessage(chat, text, { parse_mode: 'HTML' })
  await assert.rejects(html('<b>open'), refused(400, /Can't find end tag corresponding to start tag "b"/))
  await assert.rejects(html('<b><i>x</b></i>'), refused(400, /Unmatched end tag at byte offset 7/))
  await assert.rejects(html('<script>x</script>'), refused(400, /Unsupported start tag "script"/))
  await assert.rejects(html('1 < 2'), refused(400, /Unsupported start tag/))
  await assert.rejects(api.sendMessage(chat, 'a.b', { parse_mode: 'MarkdownV2' }), refused(400, /Character '.' is reserved/))
  const sentMessage = await api.sendMessage(chat, '*a\\.b* `c` [d](https://example.org)', { parse_mode: 'MarkdownV2' })
  assert.equal(sentMessage.text, 'a.b c d')
  const code = await html('<pre><code class="language-ts">a &lt; b</code></pre>')
  assert.deepEqual(code.entities, [{ type: 'pre', offset: 0, length: 5, language: 'ts' }])
})

test('edits change what is there, and what changes nothing is refused', async () => {
  const chat = telegram.privateChat(telegram.person())
  const buttons = { reply_markup: { inline_keyboard: [[{ text: 'A', callback_data: 'a' }]] } }
  const { message_id: id } = await api.sendMessage(chat, 'one', buttons)
  await assert.rejects(api.editMessageText(chat, id, 'one', buttons), refused(400, /message is not modified/))
  await assert.rejects(api.editMessageReplyMarkup(chat, id), refused(400, /message is not modified/))
  await api.editMessageReplyMarkup(chat, id, { reply_markup: { inline_keyboard: [] } })
  assert.deepEqual(telegram.messages(chat)[0]?.keyboard, [])
  await assert.rejects(api.editMessageReplyMarkup(chat, id, { reply_markup: { inline_keyboard: [] } }), refused(400, /not modified/))
  await api.editMessageText(chat, id, 'two')
  assert.equal(telegram.messages(chat)[0]?.text, 'two')
  await assert.rejects(api.editMessageText(chat, 999, 'x'), refused(400, /message to edit not found/))
  await api.deleteMessage(chat, id)
  await assert.rejects(api.deleteMessage(chat, id), refused(400, /message to delete not found/))
  assert.deepEqual(telegram.failures, [])
})

test('pins, reactions, chat actions and topics', async () => {
  const mia = telegram.person()
  const group = telegram.group({ people: [mia], forum: true })
  const { message_thread_id: topic } = await api.createForumTopic(group, 'Plans')
  const { message_id: id } = await api.sendMessage(group, 'in the topic', { message_thread_id: topic })
  await api.pinChatMessage(group, id, { disable_notification: true })
  await api.setMessageReaction(group, id, [{ type: 'emoji', emoji: '👍' }])
  await api.sendChatAction(group, 'typing')
  const [seen] = telegram.messages(group)
  assert.deepEqual({ topic: seen?.topic, pinned: seen?.isPinned, reactions: seen?.reactions }, { topic, pinned: true, reactions: ['👍'] })
  assert.deepEqual(telegram.pins(group), [{ message: id, notify: false }])
  assert.deepEqual(telegram.chatActions(group), ['typing'])
  await api.unpinChatMessage(group, id)
  assert.deepEqual(telegram.pins(group), [])
  await assert.rejects(api.sendMessage(group, 'x', { message_thread_id: 77 }), refused(400, /message thread not found/))
  await api.closeForumTopic(group, topic)
  await assert.rejects(api.sendMessage(group, 'x', { message_thread_id: topic }), refused(400, /TOPIC_CLOSED/))
  const closed = telegram.group({ people: [mia], canPin: false })
  const other = await api.sendMessage(closed, 'x')
  await assert.rejects(api.pinChatMessage(closed, other.message_id), refused(400, /not enough rights/))
  assert.deepEqual(telegram.failures, [])
})

test('an update stays until a higher offset confirms it; allowed_updates is kept', async () => {
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  telegram.say(chat, mia, 'one')
  telegram.say(chat, mia, '/start now')
  const [one, two] = await api.getUpdates()
  assert.equal(two?.message?.entities?.[0]?.type, 'bot_command')
  assert.equal((await api.getUpdates({ limit: 1 }))[0]?.update_id, one?.update_id)
  assert.deepEqual(await api.getUpdates({ offset: (two?.update_id ?? 0) + 1, allowed_updates: ['callback_query'] }), [])
  telegram.say(chat, mia, 'not asked for')
  assert.deepEqual(await api.getUpdates(), [])
  telegram.redeliver(one?.update_id)
  assert.equal((await api.getUpdates({ offset: (two?.update_id ?? 0) + 1 }))[0]?.update_id, one?.update_id)
})

test('a long poll ends with the first update, and with 409 when another one starts', async () => {
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  const first = api.getUpdates({ timeout: 30 })
  const refusedFirst = assert.rejects(first, refused(409, /terminated by other getUpdates request/))
  while (!telegram.isPolled()) await api.getMe()
  const second = api.getUpdates({ timeout: 30 })
  await refusedFirst
  telegram.say(chat, mia, 'hello')
  assert.equal((await second)[0]?.message?.text, 'hello')
})

test('a webhook gets each update with the secret until it takes it; polling is refused meanwhile', async () => {
  const got: { id: number; secret: unknown }[] = []
  let tries = 0
  const hook = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      tries += 1
      if (tries === 1) return void response.writeHead(500).end()
      got.push({ id: (JSON.parse(body) as { update_id: number }).update_id, secret: request.headers['x-telegram-bot-api-secret-token'] })
      const reply = got.length === 1 ? JSON.stringify({ method: 'sendMessage', chat_id: chat, text: 'from the hook' }) : ''
      response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
    })
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  await api.setWebhook(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`, { secret_token: 'a-secret' })
  await assert.rejects(api.getUpdates(), refused(409, /webhook is active/))
  telegram.say(chat, mia, 'one')
  telegram.say(chat, mia, 'two')
  while (telegram.pending().length > 0) await api.getMe()
  assert.equal(tries, 3)
  assert.deepEqual(
    got.map(({ secret }) => secret),
    ['a-secret', 'a-secret'],
  )
  assert.ok(telegram.messages(chat).some(({ text }) => text === 'from the hook'))
  assert.match((await api.getWebhookInfo()).last_error_message ?? '', /500/)
  await api.deleteWebhook()
  assert.deepEqual(await api.getUpdates(), [])
  hook.closeAllConnections()
  await new Promise((resolve) => hook.close(resolve))
})

test('files go up in a form, come down again, and are known by their id', async () => {
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  const buttons = { inline_keyboard: [[{ text: 'OK', callback_data: 'ok' }]] }
  const sentMessage = await api.sendDocument(chat, new InputFile(Buffer.from('contents'), 'a.txt'), {
    caption: '<i>here</i>',
    parse_mode: 'HTML',
    reply_markup: buttons,
  })
  assert.equal(sentMessage.caption, 'here')
  assert.deepEqual(telegram.messages(chat)[0]?.keyboard, buttons.inline_keyboard)
  const { file_path: path } = await api.getFile(sentMessage.document.file_id)
  assert.equal(await (await fetch(`${telegram.url}/file/bot${telegram.token}/${path}`)).text(), 'contents')
  await api.sendDocument(chat, sentMessage.document.file_id)
  await assert.rejects(api.sendDocument(chat, 'unknown'), refused(400, /wrong file identifier/))
  const group = await api.sendMediaGroup(chat, [
    { type: 'photo', media: new InputFile(Buffer.from('1'), '1.png') },
    { type: 'photo', media: new InputFile(Buffer.from('2'), '2.png'), caption: 'two' },
  ])
  assert.equal(group.length, 2)
  telegram.media(chat, mia, { kind: 'voice', bytes: Buffer.from('sound'), mimeType: 'audio/ogg' })
  const [update] = await api.getUpdates()
  const voice = await api.getFile(update?.message?.voice?.file_id ?? '')
  assert.equal(voice.file_size, 5)
  assert.deepEqual(telegram.failures, [])
})

test('a tap needs a button that is there; forged data does not; an old query cannot be answered', async () => {
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  const { message_id: id } = await api.sendMessage(chat, 'choose', {
    reply_markup: { inline_keyboard: [[{ text: 'A', callback_data: 'a:1' }]] },
  })
  const query = telegram.tap(chat, mia, id, 'A')
  await api.answerCallbackQuery(query, { text: 'taken' })
  assert.deepEqual(telegram.toasts, [{ query, text: 'taken', alert: false }])
  assert.throws(() => telegram.tap(chat, mia, id, 'B'), /has no button "B"/)
  telegram.forge(chat, mia, id, 'anything')
  const updates = await api.getUpdates()
  assert.deepEqual(
    updates.map((update) => update.callback_query?.data),
    ['a:1', 'anything'],
  )
  telegram.expireQueries()
  await assert.rejects(api.answerCallbackQuery(query), refused(400, /query is too old/))
  await assert.rejects(api.answerCallbackQuery('unknown'), refused(400, /query ID is invalid/))
})

test('faults on demand: answers, dropped connections before and after the effect, garbage', async () => {
  const mia = telegram.person()
  const chat = telegram.privateChat(mia)
  telegram.fault({ method: 'sendMessage', does: 'answer', fault: telegramFaults.tooManyRequests(3) })
  await assert.rejects(api.sendMessage(chat, 'x'), (error) => error instanceof GrammyError && error.parameters.retry_after === 3)
  telegram.fault({ does: 'drop-before' })
  await assert.rejects(api.sendMessage(chat, 'lost'), HttpError)
  assert.equal(telegram.messages(chat).length, 0)
  telegram.fault({ method: 'sendMessage', does: 'drop-after' })
  await assert.rejects(api.sendMessage(chat, 'there'), HttpError)
  assert.deepEqual(
    telegram.messages(chat).map(({ text }) => text),
    ['there'],
  )
  telegram.fault({ does: 'garbage', status: 502 })
  await assert.rejects(api.sendMessage(chat, 'x'), HttpError)
  telegram.fault({ does: 'answer', fault: telegramFaults.badGateway(), when: (params) => params.text === 'b', times: 2 })
  await api.sendMessage(chat, 'a')
  await assert.rejects(api.sendMessage(chat, 'b'), refused(502, /Bad Gateway/))
  await assert.rejects(api.sendMessage(chat, 'b'), refused(502, /Bad Gateway/))
  await api.sendMessage(chat, 'b')
  telegram.block(chat)
  await assert.rejects(api.sendMessage(chat, 'x'), refused(403, /blocked by the user/))
  await assert.rejects(api.sendMessage(12_345, 'x'), refused(400, /chat not found/))
  assert.deepEqual(telegram.failures, [])
})

test('a held call happens when it is let go', async () => {
  const chat = telegram.privateChat(telegram.person())
  const gate = Promise.withResolvers<void>()
  telegram.fault({ method: 'sendMessage', does: 'hold-before', until: gate.promise })
  const sending = api.sendMessage(chat, 'late')
  assert.equal(telegram.messages(chat).length, 0)
  gate.resolve()
  await sending
  assert.equal(telegram.messages(chat).length, 1)
})
