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
    const seen = server.seen(chat, message)
    return seen.text.includes('Answered by') && seen.keyboard.length === 0 && seen
  }, 'the question to be closed')

test('the owner sees a question of somebody else, says what to do, and both copies close', async () => {
  const { mia, chat } = server.friend()
  server.telegram.say(chat, mia, 'choose')
  const here = await server.reply(chat, /Ship it/)
  const there = await server.reply(olga.chat, /Ship it/)
  assert.match(there.text, /chat asks · /)
  assert.doesNotMatch(here.text, /asks ·/)
  await server.toast(server.telegram.tap(olga.chat, olga.mia, there.id, 'Yes'))
  assert.match((await closed(chat, here.id)).text, /Answered by Olga/)
  assert.match((await closed(olga.chat, there.id)).text, /Answered by Olga/)
  await server.reply(chat, /You said {"ship":"yes"}/)
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
