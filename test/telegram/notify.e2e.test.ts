import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

const owner = 7_101
let server: TelegramServer
let olga: Friend

before(async () => {
  server = await TelegramServer.open({ channel: ['allow: { people: ["*"] }', `notify: [${owner}]`] })
  olga = server.friend({ id: owner, first_name: 'Olga' })
})
after(() => server.close())

const closed = (chat: number, message: number) =>
  server.telegram.until(() => {
    const visible = server.seen(chat, message)
    return visible.text.includes('Answered by') && visible.keyboard.length === 0 && visible
  }, 'the question to be closed')

test('a question to a guest stays in the guest’s chat; one to the owner is shown to the owner alone', async () => {
  const { mia, chat } = server.friend()
  server.telegram.say(chat, mia, 'choose')
  const here = await server.reply(chat, /Ship it/)
  await server.toast(server.telegram.tap(chat, mia, here.id, 'Yes'))
  await closed(chat, here.id)
  assert.equal(server.replies(olga.chat).filter(({ text }) => text.includes('Ship it')).length, 0)
  server.telegram.say(chat, mia, 'owner: form')
  const there = await server.reply(olga.chat, /Two things/)
  assert.match(there.text, /chat asks · choose/)
  server.telegram.say(olga.chat, olga.mia, '1: Lisbon\n2: fast', { replyTo: there.id })
  assert.match((await closed(olga.chat, there.id)).text, /Answered by Olga/)
  await server.reply(chat, /You said {"city":"Lisbon","pace":"fast"}/)
  assert.equal(server.replies(chat).filter(({ text }) => text.includes('Two things')).length, 0)
})

test('a question of a dialog that is shown nowhere reaches the owner, and words answer it', async () => {
  await server.client().dialogs.open({ title: 'At the desk', text: 'name' })
  const there = await server.reply(olga.chat, /What is your name\?/)
  assert.match(there.text, /At the desk/)
  server.telegram.say(olga.chat, olga.mia, 'Olga the First', { replyTo: there.id })
  assert.match((await closed(olga.chat, there.id)).text, /Olga the First/)
})

test('a question in the owner’s own chat is asked once', async () => {
  server.telegram.say(olga.chat, olga.mia, 'approve')
  const message = await server.reply(olga.chat, ({ text, keyboard }) => text.includes('May I run') && keyboard.length > 0, 'the question')
  assert.doesNotMatch(message.text, /asks ·/)
  await server.toast(server.telegram.tap(olga.chat, olga.mia, message.id, 'Allow once'))
  await server.reply(olga.chat, /You said {"leave":"allow-once"}/)
  assert.equal(server.replies(olga.chat).filter(({ text }) => text.includes('May I run')).length, 1)
  await closed(olga.chat, message.id)
})
