import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { QuestionView } from '../../src/client/index.ts'
import { eventually } from '../fixtures/eventually.ts'
import { TelegramServer } from '../fixtures/telegram-server.ts'

let server: TelegramServer

/** A person whose agent asks a question after this message. */
async function asked(words: string) {
  const { mia, chat } = server.friend()
  server.telegram.say(chat, mia, words)
  const message = await server.reply(chat, /\?|:/, 'a question')
  const dialog = await server.dialogOf(chat)
  const question = await eventually(
    async () => (await server.client().questions.list({ state: 'open', limit: 200 })).items.find((one) => one.dialog === dialog),
    'the question',
  )
  return { mia, chat, message, dialog, question }
}

const labels = (chat: number, message: number): string[] =>
  server
    .seen(chat, message)
    .keyboard.flat()
    .map(({ text }) => text)
const closed = (chat: number, message: number, words: RegExp) =>
  server.telegram.until(
    () => {
      const visible = server.seen(chat, message)
      return words.test(visible.text) && visible.keyboard.length === 0 && visible
    },
    `${words} and no buttons in ${server.seen(chat, message).text}`,
  )
const answers = async ({ id }: QuestionView) => (await server.client().questions.get(id)).closed?.answers

suite('questions by Telegram', { concurrency: true }, () => {
  before(async () => {
    server = await TelegramServer.open()
  })
  after(() => server.close())

  test('a choice has buttons, without the controls that end a reply; a tap answers, and the message shows it', async () => {
    const { mia, chat, message, question } = await asked('choose')
    assert.equal(message.text, 'Ship it?')
    assert.deepEqual(labels(chat, message.id), ['Yes', 'Not yet'])
    const data = message.keyboard.flat().map((button) => button.callback_data ?? '')
    assert.ok(data.every((one) => Buffer.byteLength(one) <= 64 && !one.includes(question.id)))
    assert.equal(await server.toast(server.telegram.tap(chat, mia, message.id, 'Not yet')), '✓ Not yet')
    await server.reply(chat, /You said {"ship":"no"}/)
    const output = await closed(chat, message.id, /✓ Answered by Mia \d+: .*Not yet/)
    assert.match(output.text, /^Ship it\?/)
    assert.deepEqual(await answers(question), { ship: 'no' })
  })

  test('a second tap shows who answered first', async () => {
    const { mia, chat, message, question } = await asked('choose')
    const data = message.keyboard.flat()[1]?.callback_data ?? ''
    const first = server.telegram.tap(chat, mia, message.id, 'Yes')
    const second = server.telegram.forge(chat, mia, message.id, data)
    const words = [await server.toast(first), await server.toast(second)]
    assert.equal(words.filter((word) => word.startsWith('✓')).length, 1)
    assert.equal(words.filter((word) => word.includes(mia.first_name)).length, 1)
    await closed(chat, message.id, /Answered by/)
    const third = server.telegram.forge(chat, mia, message.id, data)
    assert.match(await server.toast(third), new RegExp(`${mia.first_name} already answered this|already used by ${mia.first_name}`))
    assert.equal(Object.keys((await answers(question)) ?? {}).length, 1)
  })

  test('answered elsewhere first: the message shows who, has no buttons, and a late tap is told who', async () => {
    const { mia, chat, message, question } = await asked('choose')
    const data = message.keyboard.flat()[1]?.callback_data ?? ''
    await server.client().questions.answer(question.id, { choice: 'yes' })
    const closedMessage = await closed(chat, message.id, /✓ Answered by .*: .*Yes/)
    const by = /Answered by (.*?):/.exec(closedMessage.text)?.[1] ?? ''
    const toast = await server.toast(server.telegram.forge(chat, mia, message.id, data))
    assert.equal(toast, `${by} already answered this.`)
    assert.deepEqual(await answers(question), { ship: 'yes' })
  })

  test('words answer a question that wants words, as a reply or alone', async () => {
    const first = await asked('name')
    assert.match(first.message.text, /What is your name\?[\s\S]*Reply to this message/)
    server.telegram.say(first.chat, first.mia, 'Ada', { replyTo: first.message.id })
    await server.reply(first.chat, /You said {"name":"Ada"}/)
    await closed(first.chat, first.message.id, /Answered by .*: .*Ada/)
    assert.deepEqual(await server.saidIn(first.dialog), ['name'], 'an answer is no message')

    const second = await asked('name')
    server.telegram.say(second.chat, second.mia, 'Grace')
    await server.reply(second.chat, /You said {"name":"Grace"}/)
  })

  test('a choice is answered by the words on its button', async () => {
    const { mia, chat, message, question } = await asked('choose')
    server.telegram.say(chat, mia, 'not yet')
    await server.reply(chat, /You said {"ship":"no"}/)
    await closed(chat, message.id, /Answered by/)
    assert.deepEqual(await answers(question), { ship: 'no' })
  })

  test('several options are toggled by buttons, counted, and sent with Done', async () => {
    const { mia, chat, message, question } = await asked('several')
    assert.match(message.text, /Which dishes\?[\s\S]*Choose at least 2\./)
    const tap = (label: string): string => server.telegram.tap(chat, mia, message.id, label)
    const shows = (...expected: string[]) =>
      server.telegram.until(
        () => labels(chat, message.id).join() === expected.join(),
        `${expected.join()} instead of ${labels(chat, message.id).join()}`,
      )
    await shows('☐ Soup', '☐ Pasta', '☐ Cake', 'Done (0)')
    // Two quick taps both count.
    tap('☐ Cake')
    tap('☐ Pasta')
    await shows('☐ Soup', '☑ Pasta', '☑ Cake', 'Done (2)')
    tap('☑ Pasta')
    await shows('☐ Soup', '☐ Pasta', '☑ Cake', 'Done (1)')
    assert.equal(await server.toast(tap('Done (1)')), 'Choose at least 2.')
    assert.equal((await server.client().questions.get(question.id)).state, 'open')
    tap('☐ Soup')
    await shows('☑ Soup', '☐ Pasta', '☑ Cake', 'Done (2)')
    tap('Done (2)')
    await server.reply(chat, /You said {"dishes":"soup\\ncake"}/)
    await closed(chat, message.id, /Answered by .*: .*Soup, Cake/)
    assert.deepEqual(await answers(question), { dishes: 'soup\ncake' })
  })

  test('several options are answered by their numbers, too', async () => {
    const { mia, chat, message, question } = await asked('several')
    server.telegram.say(chat, mia, '1', { replyTo: message.id })
    await server.reply(chat, /could not read that as an answer\. Choose at least 2: 1\. Soup, 2\. Pasta, 3\. Cake/)
    server.telegram.say(chat, mia, '3, 1', { replyTo: message.id })
    await closed(chat, message.id, /Answered by .*: .*Cake, Soup/)
    assert.deepEqual(await answers(question), { dishes: 'cake\nsoup' })
  })

  test('a number and a date are typed; a text that could mean two dates is explained', async () => {
    const number = await asked('count')
    assert.match(number.message.text, /Enter a whole number from 1 to 12, such as 5\./)
    server.telegram.say(number.chat, number.mia, '20', { replyTo: number.message.id })
    await server.reply(number.chat, /could not read that as an answer\. Enter a whole number from 1 to 12/)
    server.telegram.say(number.chat, number.mia, '7')
    await closed(number.chat, number.message.id, /Answered by .*: .*7/)
    assert.deepEqual(await answers(number.question), { guests: '7' })

    const date = await asked('day')
    server.telegram.say(date.chat, date.mia, '03/04/2026', { replyTo: date.message.id })
    await server.reply(date.chat, /could not read that as an answer\. Enter a date, such as 2026-12-24\./)
    server.telegram.say(date.chat, date.mia, '24.12.2026', { replyTo: date.message.id })
    await closed(date.chat, date.message.id, /Answered by .*: .*2026-12-24/)
    assert.deepEqual(await answers(date.question), { day: '2026-12-24' })
  })

  test('several questions are answered by one line each; what does not fit is explained', async () => {
    const { mia, chat, message, question } = await asked('form')
    assert.match(message.text, /1\. Which city\?\n2\. Which pace\? One of: Slow, Fast\./)
    server.telegram.say(chat, mia, 'whatever', { replyTo: message.id })
    await server.reply(chat, /could not read that as an answer/)
    assert.equal((await server.client().questions.get(question.id)).state, 'open')
    server.telegram.say(chat, mia, '1: Lisbon\n2: fast', { replyTo: message.id })
    await server.reply(chat, /You said {"city":"Lisbon","pace":"fast"}/)
    await closed(chat, message.id, /Answered by/)
  })

  test('a question of a side dialog reaches the chat of its root and is answered there', async () => {
    const { mia, chat } = server.friend()
    server.telegram.say(chat, mia, 'delegate the paint')
    const message = await server.reply(chat, /Which colour\?/)
    assert.deepEqual(labels(chat, message.id), ['red', 'blue'])
    await server.toast(server.telegram.tap(chat, mia, message.id, 'blue'))
    await closed(chat, message.id, /Answered by/)
    await server.reply(chat, /The worker says: .*painted it blue/)
  })

  test('leave is asked for with two buttons; what is tapped is the decision', async () => {
    const { mia, chat, message } = await asked('approve')
    assert.deepEqual(
      message.keyboard.flat().map(({ text, style }) => [text, style]),
      [
        ['Allow once', 'success'],
        ['Deny', 'danger'],
      ],
    )
    await server.toast(server.telegram.tap(chat, mia, message.id, 'Deny'))
    await server.reply(chat, /You said {"leave":"deny"}/)
    await closed(chat, message.id, /Answered by .*Deny/)
  })

  test('declined on the page, or taken back: the message says so and has no buttons', async () => {
    const [first, second] = [await asked('choose'), await asked('choose')]
    await server.client().questions.decline(first.question.id)
    await closed(first.chat, first.message.id, /declined to answer/)
    await server.client().questions.cancel(second.question.id)
    await closed(second.chat, second.message.id, /Withdrawn/)
  })

  test('something else written while a choice is open goes to the dialog', async () => {
    const { mia, chat, message, dialog } = await asked('choose')
    server.telegram.say(chat, mia, 'what happens if I say no?')
    await server.reply(chat, /Heard: what happens/)
    assert.deepEqual(await server.saidIn(dialog), ['choose', 'what happens if I say no?'])
    await server.toast(server.telegram.tap(chat, mia, message.id, 'Yes'))
    await closed(chat, message.id, /Answered by/)
  })

  test('in a group the asker may answer, and everyone where the question is for everyone', async () => {
    const { mia } = server.friend()
    const { mia: noa } = server.friend()
    const group = server.telegram.group({ people: [mia, noa] })
    server.telegram.say(group, mia, 'choose')
    const message = await server.reply(group, /Ship it\?/)
    assert.match(message.text, new RegExp(`For ${mia.first_name}`))
    assert.equal(await server.toast(server.telegram.tap(group, noa, message.id, 'Yes')), `Only ${mia.first_name} can decide this.`)
    server.telegram.say(group, noa, 'Yes', { replyTo: message.id })
    await server.reply(group, ({ text }) => text === `Only ${mia.first_name} can decide this.`)
    await server.toast(server.telegram.tap(group, mia, message.id, 'Yes'))
    await closed(group, message.id, new RegExp(`Answered by ${mia.first_name}`))
    const refused = (await server.events(await server.dialogOf(group))).filter(({ type }) => type === 'answer.refused')
    assert.equal(refused.length, 1, 'recorded once')
    server.telegram.say(group, mia, 'everyone: choose')
    const open = await server.reply(group, /Anyone here can answer/)
    await server.toast(server.telegram.tap(group, noa, open.id, 'Yes'))
    await closed(group, open.id, new RegExp(`Answered by ${noa.first_name}`))
  })

  test('data of a question in another chat changes nothing', async () => {
    const [first, second] = [await asked('choose'), await asked('choose')]
    const data = first.message.keyboard.flat()[0]?.callback_data ?? ''
    const toast = await server.toast(server.telegram.forge(second.chat, second.mia, second.message.id, data))
    assert.match(toast, /not sent by me/)
    for (const { question } of [first, second]) assert.equal((await server.client().questions.get(question.id)).state, 'open')
  })
})
