import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { TelegramServer } from '../fixtures/telegram-server.ts'

let server: TelegramServer

// Each has a chat of its own, so they need not wait for each other's seconds between two messages.
suite('a dialog by Telegram', { concurrency: true }, () => {
  before(async () => {
    server = await TelegramServer.open({ plugin: null })
  })
  after(() => server.close())

  test('messages come in in their order and each turn is answered in the same chat', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'first')
    await server.reply(chat, /Heard: first/)
    for (const word of ['second', 'third', 'fourth']) server.telegram.say(chat, mia, word)
    await server.reply(chat, /Heard: fourth/)
    assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['first', 'second', 'third', 'fourth'])
    const messages = server.replies(chat).map(({ text }) => text)
    assert.deepEqual(messages, [...new Set(messages)], 'no reply twice')
    assert.equal(messages[0], 'Heard: first. Shall I go on?')
  })

  test('an update that Telegram tells twice is one message', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'once')
    const update = server.telegram.pending().at(-1)?.update_id
    await server.reply(chat, /Heard: once/)
    server.telegram.redeliver(update)
    server.telegram.say(chat, mia, 'and on')
    await server.reply(chat, /Heard: and on/)
    assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['once', 'and on'])
    assert.equal(server.replies(chat).length, 2)
  })

  test('a text too long for one message is sent as several, without loss', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'long')
    const whole = 'All work and no play makes a long reply. '.repeat(150).trim()
    await server.telegram.until(() => server.replies(chat).reduce((sum, { text }) => sum + text.length, 0) >= whole.length - 2, 'all of it')
    const parts = server.replies(chat).map(({ text }) => text)
    assert.ok(parts.length > 1)
    assert.ok(parts.every((text) => text.length <= 4_096))
    assert.equal(parts.join(' ').replaceAll(/\s+/g, ' '), whole)
    const [delivery] = await eventually(async () => {
      const entry = await server.deliveries(chat, 'sent')
      return entry.length > 0 && entry
    }, 'the receipt')
    assert.deepEqual(delivery?.parts, { sent: parts.length, total: parts.length })
  })

  test('words with markup of their own arrive as they were written', async () => {
    const { mia, chat } = server.friend()
    const words = '<b>bold</b> & "quotes" 👩‍👩‍👧 שלום a < b && c > d'
    server.telegram.say(chat, mia, words)
    const reply = await server.reply(chat, /Heard/)
    assert.equal(reply.text, `Heard: ${words}. Shall I go on?`)
    assert.deepEqual(reply.entities, [])
  })

  test('a group answers to who asked; each topic is a dialog of its own', async () => {
    const { mia } = server.friend()
    const { mia: noa } = server.friend()
    const group = server.telegram.group({ people: [mia, noa] })
    const groupMessage = server.telegram.say(group, mia, 'in the group')
    const reply = await server.reply(group, /Heard: in the group/)
    assert.equal(reply.raw.reply_to_message?.message_id, groupMessage.message_id)

    const forum = server.telegram.group({ people: [mia, noa], forum: true })
    const [north, south] = ['north', 'south'].map((name) => server.telegram.topic(forum, name))
    server.telegram.say(forum, mia, 'up here', { topic: north ?? 0 })
    server.telegram.say(forum, noa, 'down there', { topic: south ?? 0 })
    assert.equal((await server.reply(forum, /up here/)).topic, north)
    assert.equal((await server.reply(forum, /down there/)).topic, south)
    const dialogs = [
      await server.dialogOf(group),
      await server.dialogOf(`${forum}:topic:${north}`),
      await server.dialogOf(`${forum}:topic:${south}`),
    ]
    assert.equal(new Set(dialogs).size, 3)
  })

  test('a message that was changed is said again, marked as changed', async () => {
    const { mia, chat } = server.friend()
    const spoken = server.telegram.say(chat, mia, 'meet at five')
    await server.reply(chat, /Heard: meet at five/)
    server.telegram.edit(chat, spoken.message_id, 'meet at six')
    await server.reply(chat, /Heard: ✎ meet at six/)
    assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['meet at five', '✎ meet at six'])
  })

  test('pictures and files reach the agent as content, with what was written below them', async () => {
    const { mia, chat } = server.friend()
    server.telegram.media(chat, mia, {
      kind: 'document',
      bytes: Buffer.from('a,b'),
      name: 'list.csv',
      mimeType: 'text/csv',
      caption: 'the list',
    })
    await server.reply(chat, /Heard: the list\n\[file list\.csv, text\/plain, 3 B\]\na,b/)
    server.telegram.media(chat, mia, { kind: 'photo', bytes: Buffer.from('\x89PNG\r\n\x1a\n1234567890123456789', 'latin1') })
    await server.reply(chat, /\[image /)
    const dialog = await server.dialogOf(chat)
    const events = await server.events(dialog)
    const files = events.flatMap(({ data }) => (data as { files?: { name: string; mediaType: string }[] }).files ?? [])
    assert.deepEqual(
      files.map(({ mediaType }) => mediaType),
      ['text/plain', 'image/png'],
    )
    assert.deepEqual(await server.saidIn(dialog), ['the list', ''])
  })

  test('what is said on the page is answered in the chat as well', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'from the phone')
    await server.reply(chat, /from the phone/)
    const dialog = await server.dialogOf(chat)
    await server.client().dialogs.say(dialog, 'from the desk')
    await server.reply(chat, /Heard: from the desk/)
    assert.deepEqual(await server.saidIn(dialog), ['from the phone', 'from the desk'])
  })

  test('a reply that takes its time can be read while it is written, and is one message in the end', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'slowly here')
    const early = await server.reply(chat, ({ text, isEdited }) => isEdited && !text.includes('ends'), 'a part of the reply, changed once')
    server.touch('enough-here')
    const final = await server.reply(chat, /and ends\.$/)
    assert.equal(final.id, early.id)
    assert.equal(server.replies(chat).length, 1)
    assert.match(final.text, /^It begins and 1 and 2/)
    await eventually(async () => (await server.deliveries(chat, 'sent')).length === 1, 'one delivery')
  })

  test('a turn that fails is told, with what to do; the next one works', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'fail')
    const moonReply = await server.reply(chat, /moon/)
    assert.match(moonReply.text, /^The agent failed: the moon is in the wrong place\. /)
    assert.equal(server.replies(chat).length, 1)
    server.telegram.say(chat, mia, 'better')
    await server.reply(chat, /Heard: better/)
  })

  test('a dialog bound by its owner gets what is written, and is answered there', async () => {
    const { mia, chat } = server.friend()
    const { id } = await server.client().dialogs.open({ title: 'Begun at the desk', text: 'a word before' })
    await eventually(async () => (await server.client().dialogs.get(id)).status === 'ready', 'the word before to be answered')
    await server.client().pairings.bind({ target: String(chat) }, id)
    server.telegram.say(chat, mia, 'and one after')
    await server.reply(chat, /Heard: and one after/)
    assert.deepEqual(await server.saidIn(id), ['a word before', 'and one after'])
    assert.equal(server.replies(chat).length, 1, 'nothing of before it was bound')
    await server.client().pairings.unbind({ target: String(chat) })
    server.telegram.say(chat, mia, 'elsewhere')
    await server.reply(chat, /elsewhere/)
    assert.notEqual(await server.dialogOf(chat), id)
  })
})
