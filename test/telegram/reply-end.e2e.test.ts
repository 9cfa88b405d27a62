import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { endLabels, endToasts } from '../../packages/reply-end/src/labels.ts'
import type { SeenMessage } from '../../src/testing/telegram-emulator/people.ts'
import { telegramFaults } from '../../src/testing/telegram-emulator/telegram-fault.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

const { en, 'zh-Hant': zh } = endLabels
const toasts = endToasts.en
let server: TelegramServer

const labels = ({ keyboard }: SeenMessage): string[] => keyboard.flat().map(({ text }) => text)
const getData = ({ keyboard }: SeenMessage): string[] => keyboard.flat().map((button) => button.callback_data ?? '')
const bare = (chat: number, message: number, of = server): Promise<true> =>
  of.telegram.until(() => of.seen(chat, message).keyboard.length === 0 || null, `message ${message} without buttons`)
const choices = (of = server): number => of.said.split('a choice was made').length - 1

/** A person who was answered, with the two buttons below the reply. */
async function answered(words = 'hello', of = server): Promise<Friend & { reply: SeenMessage }> {
  const friend = of.friend()
  of.telegram.say(friend.chat, friend.mia, words)
  return {
    ...friend,
    reply: await of.reply(friend.chat, ({ text, keyboard }) => text.startsWith(`Heard: ${words}`) && keyboard.length > 0),
  }
}

/** The reply to the next message. */
async function next({ mia, chat }: Friend, words: string, of = server): Promise<SeenMessage> {
  of.telegram.say(chat, mia, words)
  return of.reply(chat, ({ text }) => text.startsWith(`Heard: ${words}`), words)
}

suite('the controls that end a reply', { concurrency: true }, () => {
  before(async () => {
    server = await TelegramServer.open()
  })
  after(() => server.close())

  test('a reply has both, to the letter, with data of 34 bytes; a tap is told at once and the buttons go, the words stay', async () => {
    const { mia, chat, reply } = await answered()
    assert.deepEqual(
      reply.keyboard.map((row) => row.map(({ text }) => text)),
      [[en.continue], [en.stop]],
    )
    for (const [index, data] of getData(reply).entries()) {
      assert.match(data, new RegExp(`^pe1:${'cs'[index]}:[\\w-]{16}:[\\w-]{11}$`))
      assert.equal(Buffer.byteLength(data), 34)
    }
    const query = server.telegram.tap(chat, mia, reply.id, en.continue)
    assert.equal(await server.toast(query), toasts.continue)
    await bare(chat, reply.id)
    assert.equal(server.seen(chat, reply.id).text, reply.text)
    const calls = server.telegram.requests.filter(
      ({ params }) => params.callback_query_id === query || (params.message_id === reply.id && params.chat_id === chat),
    )
    assert.deepEqual(
      calls.map(({ method }) => method),
      ['answerCallbackQuery', 'editMessageReplyMarkup'],
      'first the person is told, and the text is never edited',
    )
    assert.deepEqual(calls[1]?.params.reply_markup, { inline_keyboard: [] }, 'empty, and said to be empty')
  })

  test('stop here: the next reply has no question of its own, the one after it is as always', async () => {
    const friend = await answered()
    assert.match(friend.reply.text, /Shall I go on\?$/)
    assert.equal(await server.toast(server.telegram.tap(friend.chat, friend.mia, friend.reply.id, en.stop)), toasts.stop)
    const closed = await next(friend, 'one thing')
    assert.equal(closed.text, 'Heard: one thing. (The user closed the previous reply; answer only what is asked.)')
    assert.equal((await next(friend, 'another')).text, 'Heard: another. Shall I go on?')
  })

  test('continue: the next reply is told so and may go on', async () => {
    const friend = await answered()
    await server.toast(server.telegram.tap(friend.chat, friend.mia, friend.reply.id, en.continue))
    assert.equal((await next(friend, 'more')).text, 'Heard: more. (The user asked to continue.) Shall I go on?')
  })

  test('a person who writes instead is answered as without controls, and the old buttons go', async () => {
    const friend = await answered()
    const second = await next(friend, 'no tapping')
    assert.equal(second.text, 'Heard: no tapping. Shall I go on?')
    await bare(friend.chat, friend.reply.id)
    assert.deepEqual(labels(server.seen(friend.chat, second.id)), [en.continue, en.stop], 'one live control, under the newest reply')
    const dialog = await server.dialogOf(friend.chat)
    assert.deepEqual(await server.saidIn(dialog), ['hello', 'no tapping'])
  })

  test('tapped twice: the same again is recorded already, the other one too late; the first counts', async () => {
    const friend = await answered()
    const { chat, mia, reply } = friend
    const [, stop = ''] = getData(reply)
    const [first, second] = [server.telegram.tap(chat, mia, reply.id, en.continue), server.telegram.tap(chat, mia, reply.id, en.continue)]
    const words = [await server.toast(first), await server.toast(second)]
    assert.deepEqual(words.toSorted(), [toasts.repeat, toasts.continue].toSorted())
    assert.equal(await server.toast(server.telegram.forge(chat, mia, reply.id, stop)), toasts.stale)
    assert.match((await next(friend, 'so')).text, /asked to continue/)
  })

  test('two different taps in flight: one counts, and it is the one the next turn reads', async () => {
    const friend = await answered()
    const { chat, mia, reply } = friend
    const [go, stop] = [server.telegram.tap(chat, mia, reply.id, en.continue), server.telegram.tap(chat, mia, reply.id, en.stop)]
    const [one, other] = [await server.toast(go), await server.toast(stop)]
    assert.ok((one === toasts.continue) !== (other === toasts.stop), `${one} | ${other}`)
    assert.ok([one, other].includes(toasts.stale))
    assert.match((await next(friend, 'so')).text, one === toasts.continue ? /asked to continue/ : /closed the previous reply/)
  })

  test('the same tap told twice by Telegram is one tap', async () => {
    const { chat, mia, reply } = await answered()
    const query = server.telegram.tap(chat, mia, reply.id, en.continue)
    const update = server.telegram.pending().find((one) => (one.callback_query as { id?: string } | undefined)?.id === query)
    await bare(chat, reply.id)
    server.telegram.redeliver(update?.update_id)
    await next({ chat, mia }, 'on')
    assert.equal(server.telegram.toasts.filter((toast) => toast.query === query).length, 1)
  })

  test('a button of an older reply is stale and changes nothing', async () => {
    const friend = await answered()
    const [, stop = ''] = getData(friend.reply)
    const newer = await next(friend, 'second')
    await bare(friend.chat, friend.reply.id)
    assert.equal(await server.toast(server.telegram.forge(friend.chat, friend.mia, friend.reply.id, stop)), toasts.stale)
    assert.deepEqual(labels(server.seen(friend.chat, newer.id)), [en.continue, en.stop])
    assert.equal((await next(friend, 'third')).text, 'Heard: third. Shall I go on?')
  })

  test('forged data, data of another chat or message, or of a later version is answered kindly and changes nothing', async () => {
    const friend = await answered()
    const { chat, mia, reply } = friend
    const stranger = await answered()
    const [go = '', stop = ''] = getData(reply)
    const wrong = [
      go.replace('pe1:c', 'pe1:s'),
      `${stop.slice(0, -1)}${stop.endsWith('A') ? 'B' : 'A'}`,
      getData(stranger.reply)[1] ?? '',
      'pe1:s',
      'pe2:s:AAAAAAAAAAAAAAAA:AAAAAAAAAAA:new',
      `pe1:s:${'A'.repeat(16)}:${'A'.repeat(11)}`,
    ]
    for (const data of wrong) assert.equal(await server.toast(server.telegram.forge(chat, mia, reply.id, data)), toasts.stale, data)
    assert.equal(await server.toast(server.telegram.forge(chat, mia, reply.id + 1_000, stop)), toasts.stale, 'another message')
    assert.match(await server.toast(server.telegram.forge(chat, mia, reply.id, 'somebody:else')), /not sent by me/)
    assert.deepEqual(labels(server.seen(chat, reply.id)), [en.continue, en.stop], 'the live buttons stay')
    assert.equal((await next(friend, 'calm')).text, 'Heard: calm. Shall I go on?')
  })

  test('a message too old for Telegram to show can still be tapped', async () => {
    const friend = await answered()
    const query = server.telegram.forge(friend.chat, friend.mia, friend.reply.id, getData(friend.reply)[1] ?? '', { isAccessible: false })
    assert.equal(await server.toast(query), toasts.stop)
    assert.match((await next(friend, 'ok')).text, /closed the previous reply/)
  })

  test('the keyboard cannot be edited (400): the choice still counts, and there is no retry', async () => {
    for (const fault of [telegramFaults.editNotFound(), telegramFaults.notModified(), telegramFaults.cannotEdit()]) {
      const friend = await answered()
      server.telegram.fault({ does: 'answer', method: 'editMessageReplyMarkup', fault, when: ({ chat_id }) => chat_id === friend.chat })
      assert.equal(await server.toast(server.telegram.tap(friend.chat, friend.mia, friend.reply.id, en.stop)), toasts.stop)
      assert.match((await next(friend, 'so be it')).text, /closed the previous reply/)
      const edits = server.telegram.requests.filter(
        ({ method, params }) => method === 'editMessageReplyMarkup' && params.chat_id === friend.chat,
      )
      assert.equal(edits.length, 1)
    }
  })

  test('too late for a toast: the choice counts all the same', async () => {
    const friend = await answered()
    const query = server.telegram.tap(friend.chat, friend.mia, friend.reply.id, en.stop)
    // This one alone: others are tapping at the same time.
    server.telegram.fault({
      does: 'answer',
      method: 'answerCallbackQuery',
      fault: telegramFaults.queryTooOld(),
      when: ({ callback_query_id }) => callback_query_id === query,
    })
    await bare(friend.chat, friend.reply.id)
    assert.ok(server.telegram.requests.some(({ params }) => params.callback_query_id === query))
    assert.match((await next(friend, 'so')).text, /closed the previous reply/)
  })

  test('a tap while a turn runs does not disturb it', async () => {
    const friend = await answered()
    server.telegram.say(friend.chat, friend.mia, 'wait tap')
    const dialog = await server.dialogOf(friend.chat)
    await eventually(async () => (await server.client().dialogs.get(dialog)).status === 'working', 'the turn')
    const toast = await server.toast(server.telegram.forge(friend.chat, friend.mia, friend.reply.id, getData(friend.reply)[1] ?? ''))
    assert.equal(toast, toasts.stale)
    assert.equal((await server.client().dialogs.get(dialog)).status, 'working')
    server.touch('go-tap')
    assert.equal((await server.reply(friend.chat, /Heard: wait tap/)).text, 'Heard: wait tap. Shall I go on?')
  })

  test('something written on the page ends what was offered in the chat', async () => {
    const friend = await answered()
    await server.client().dialogs.say(await server.dialogOf(friend.chat), 'from the desk')
    await server.reply(friend.chat, /Heard: from the desk/)
    await bare(friend.chat, friend.reply.id)
  })

  test('only the last of several messages has them; a preview and a failure have none', async () => {
    const long = server.friend()
    server.telegram.say(long.chat, long.mia, 'long')
    await server.reply(long.chat, ({ keyboard }) => keyboard.length > 0, 'controls')
    const parts = server.replies(long.chat)
    assert.ok(parts.length > 1)
    assert.deepEqual(
      parts.map((part) => part.keyboard.length),
      parts.map((_, index) => (index === parts.length - 1 ? 2 : 0)),
    )

    const slow = server.friend()
    server.telegram.say(slow.chat, slow.mia, 'slowly here')
    const early = await server.reply(slow.chat, ({ isEdited }) => isEdited, 'a preview')
    assert.deepEqual(early.keyboard, [])
    server.touch('enough-here')
    const final = await server.reply(slow.chat, ({ text, keyboard }) => text.endsWith('ends.') && keyboard.length > 0, 'the finished reply')
    assert.deepEqual([final.id, server.replies(slow.chat).length], [early.id, 1])
    await server.toast(server.telegram.tap(slow.chat, slow.mia, final.id, en.stop))
    await bare(slow.chat, final.id)
    assert.match((await next(slow, 'fine')).text, /closed the previous reply/)

    const failed = server.friend()
    server.telegram.say(failed.chat, failed.mia, 'fail')
    assert.deepEqual(labels(await server.reply(failed.chat, /moon/)), ['Retry', 'Give up'])
  })

  test('in Chinese to who writes Chinese, the toast and the next reply’s buttons included', async () => {
    const friend = await answered('你好')
    assert.deepEqual(labels(friend.reply), [zh.continue, zh.stop])
    assert.equal(await server.toast(server.telegram.tap(friend.chat, friend.mia, friend.reply.id, zh.stop)), '已收尾,不再延伸')
    const english = await next(friend, 'now in English')
    assert.deepEqual(labels(await server.reply(friend.chat, ({ id, keyboard }) => id === english.id && keyboard.length > 0)), [
      en.continue,
      en.stop,
    ])
  })

  test('in groups they are off unless wanted', async () => {
    const { mia } = server.friend()
    const group = server.telegram.group({ people: [mia] })
    server.telegram.say(group, mia, 'all together')
    assert.deepEqual((await server.reply(group, /all together/)).keyboard, [])
  })
})

suite('the controls as they can be set', { concurrency: true }, () => {
  let other: TelegramServer
  before(async () => {
    other = await TelegramServer.open({ plugin: ['config: { groups: asker, labels: short, marker: true }'] })
  })
  after(() => other.close())

  test('in a group only who asked may tap; each topic has its own', async () => {
    const { mia } = other.friend()
    const { mia: eve } = other.friend()
    const group = other.telegram.group({ people: [mia, eve], forum: true })
    const [topic, aside] = [other.telegram.topic(group, 'plans'), other.telegram.topic(group, 'aside')]
    other.telegram.say(group, mia, 'hello', { topic })
    const reply = await other.reply(group, ({ keyboard }) => keyboard.length > 0, 'controls')
    other.telegram.say(group, eve, 'elsewhere', { topic: aside })
    await other.reply(group, /Heard: elsewhere/)
    assert.equal(await other.toast(other.telegram.tap(group, eve, reply.id, 'Stop here')), toasts.foreign)
    assert.deepEqual(labels(other.seen(group, reply.id)), ['Continue', 'Stop here'], 'nothing changed')
    assert.equal(await other.toast(other.telegram.tap(group, mia, reply.id, 'Stop here')), toasts.stop)
    other.telegram.say(group, mia, 'what next', { topic })
    assert.match((await other.reply(group, /Heard: what next/)).text, /closed the previous reply/)
  })

  test('short labels side by side, and what was chosen stays to be read', async () => {
    const { mia, chat, reply } = await answered('hello', other)
    assert.deepEqual(
      reply.keyboard.map((row) => row.map(({ text }) => text)),
      [['Continue', 'Stop here']],
    )
    const earlier = choices(other)
    await other.toast(other.telegram.tap(chat, mia, reply.id, 'Stop here'))
    const marked = await other.telegram.until(() => {
      const [button] = other.seen(chat, reply.id).keyboard.flat()
      return button?.disabled !== undefined && button
    }, 'the mark')
    assert.deepEqual(marked, { text: '✓ Stop here', disabled: {} })
    await eventually(() => choices(other) > earlier, 'the choice in the log')
  })
})

suite('the controls and a server that ends', { concurrency: true }, () => {
  test('the server ends between sending and tapping, and between a tap and its edit: nothing is forgotten', async (t) => {
    const own = await TelegramServer.open()
    t.after(() => own.close())
    const [first, second] = [await answered('one', own), await answered('two', own)]
    // The edit of the second never happens in this process.
    own.telegram.fault({ does: 'drop-before', method: 'editMessageReplyMarkup', times: 1_000 })
    assert.equal(await own.toast(own.telegram.tap(second.chat, second.mia, second.reply.id, en.stop)), toasts.stop)
    await own.end('SIGKILL')
    const query = own.telegram.tap(first.chat, first.mia, first.reply.id, en.stop)
    own.telegram.clearFaults()
    await own.start()
    assert.equal(await own.toast(query), toasts.stop)
    await bare(first.chat, first.reply.id, own)
    await bare(second.chat, second.reply.id, own)
    for (const friend of [first, second]) assert.match((await next(friend, 'so', own)).text, /closed the previous reply/)
  })

  test('text and a tap in one batch, in both orders: the text starts its turn, which reads neither', async (t) => {
    const own = await TelegramServer.open()
    t.after(() => own.close())
    const [tapFirst, textFirst] = [await answered('one', own), await answered('two', own)]
    await own.end('SIGKILL')
    const queries = [own.telegram.tap(tapFirst.chat, tapFirst.mia, tapFirst.reply.id, en.stop)]
    own.telegram.say(tapFirst.chat, tapFirst.mia, 'typed')
    own.telegram.say(textFirst.chat, textFirst.mia, 'typed')
    queries.push(own.telegram.tap(textFirst.chat, textFirst.mia, textFirst.reply.id, en.stop))
    await own.start()
    for (const query of queries) assert.equal(await own.toast(query), toasts.stale)
    for (const { chat, reply } of [tapFirst, textFirst]) {
      assert.equal((await own.reply(chat, /typed/)).text, 'Heard: typed. Shall I go on?')
      await bare(chat, reply.id, own)
    }
    for (const friend of [tapFirst, textFirst]) assert.equal((await next(friend, 'later', own)).text, 'Heard: later. Shall I go on?')
  })

  test('expired buttons are stale, and are removed by a tap or the sweep', async (t) => {
    const own = await TelegramServer.open({ plugin: ['config: { expireAfterHours: 0.0000001 }'] })
    t.after(() => own.close())
    const [tapped, left] = [await answered('one', own), await answered('two', own)]
    assert.equal(await own.toast(own.telegram.tap(tapped.chat, tapped.mia, tapped.reply.id, en.stop)), toasts.stale)
    await bare(tapped.chat, tapped.reply.id, own)
    await own.end('SIGKILL')
    await own.start()
    await bare(left.chat, left.reply.id, own)
    assert.equal((await next(tapped, 'so', own)).text, 'Heard: so. Shall I go on?')
  })
})
