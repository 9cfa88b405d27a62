import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

/** The owner's chat is known before the server starts; all others are unknown senders, except one person and one group. */
const owner = 7_001
const listed = 7_002
const openGroup = -1_007_003
let server: TelegramServer
let olga: Friend

const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? assert.fail(`no code in: ${text}`)

/** A stranger who wrote, the code they were told, and the request the owner sees. */
async function knock(name: string, language = 'en') {
  const { mia, chat } = server.friend({ first_name: name, language_code: language })
  server.telegram.say(chat, mia, `hello, ${name} here`)
  const codeMessage = await server.reply(chat, /\d{6}/)
  const request = await server.reply(olga.chat, ({ text }) => text.includes(`${name} wants to write`), `the request of ${name}`)
  return { mia, chat, told: codeMessage, code: codeIn(codeMessage.text), request }
}

suite('first contact by Telegram', { concurrency: true }, () => {
  before(async () => {
    server = await TelegramServer.open({
      channel: [`allow: { people: [${listed}], addresses: ["${openGroup}"] }`, `notify: [${owner}]`],
      plugin: null,
    })
    olga = server.friend({ id: owner, first_name: 'Olga' })
  })
  after(() => server.close())

  test('a stranger gets a code, the owner the same code with buttons; a tap accepts them and their message is answered', async () => {
    const { chat, code, request, told } = await knock('Eve')
    assert.match(told.text, /do not know you yet/)
    assert.equal(codeIn(request.text), code)
    assert.match(request.text, /hello, Eve here/)
    assert.deepEqual(
      request.keyboard.flat().map(({ text }) => text),
      ['Accept', 'Decline'],
    )
    const query = server.telegram.tap(olga.chat, olga.mia, request.id, 'Accept')
    assert.equal(await server.toast(query), '✓ Accept')
    assert.match((await server.reply(chat, /Heard/)).text, /Heard: hello, Eve here/)
    await server.reply(chat, /request was accepted/)
    assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['hello, Eve here'])
    await server.telegram.until(() => server.seen(olga.chat, request.id).keyboard.length === 0, 'the buttons to go')
  })

  test('a request is accepted by terminal and by HTTP; the notice is in the language of the sender', async () => {
    const [first, second] = [await knock('Finn'), await knock('Grete', 'zh-Hans')]
    assert.match(second.told.text, /您好/)
    assert.match(await server.parley('requests', 'list'), new RegExp(first.code))
    await server.parley('requests', 'accept', first.code)
    await server.client().pairings.accept(second.code)
    await server.reply(first.chat, /Heard: hello, Finn here/)
    await server.reply(second.chat, /Heard: hello, Grete here/)
    await server.reply(second.chat, /已通过/)
  })

  test('a request decided elsewhere shows by whom and has no buttons; a late tap gets a toast', async () => {
    const { chat, code, request } = await knock('Lars')
    await server.client().pairings.accept(code)
    await server.reply(chat, /Heard: hello, Lars here/)
    await server.telegram.until(() => /✓ Accepted by/.test(server.seen(olga.chat, request.id).text), 'the request to show who decided')
    assert.deepEqual(server.seen(olga.chat, request.id).keyboard, [])
    const [, notNow] = request.keyboard.flat()
    const query = server.telegram.forge(olga.chat, olga.mia, request.id, notNow?.callback_data ?? '')
    assert.match(await server.toast(query), /already|expired|not sent by me/)
    assert.ok(await server.dialogOf(chat), 'an accepted sender stays accepted')
  })

  test('several messages wait for the decision and keep their order', async () => {
    const { mia, chat, code } = await knock('Hanna')
    for (const word of ['one', 'two', 'three']) server.telegram.say(chat, mia, word)
    await server.telegram.until(() => server.telegram.pending().length === 0, 'everything to be taken in')
    await server.client().pairings.accept(code)
    await server.reply(chat, /three/)
    assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['hello, Hanna here', 'one', 'two', 'three'])
    assert.equal(server.replies(chat).filter(({ text }) => /\d{6}/.test(text)).length, 1, 'one code, however much is written')
  })

  test('a sender declined by a tap is not delivered, and the code is used up', async () => {
    const { mia, chat, code, request } = await knock('Ivan')
    await server.toast(server.telegram.tap(olga.chat, olga.mia, request.id, 'Decline'))
    await server.telegram.until(() => server.seen(olga.chat, request.id).keyboard.length === 0, 'the buttons to go')
    await assert.rejects(server.client().pairings.accept(code), { code: 'pairing_not_found' })
    server.telegram.say(chat, mia, 'hello?')
    await server.telegram.until(() => server.telegram.pending().length === 0, 'it to be taken in')
    const [state] = (await server.client().pairings.list('declined')).filter(({ address }) => address === String(chat))
    assert.equal(state?.dialog, null)
    assert.equal(server.replies(chat).length, 1, 'nothing but the code was ever said')
  })

  test('an unknown code accepts no request', async () => {
    await assert.rejects(server.client().pairings.accept('000000x'), { code: 'pairing_not_found' })
  })

  test('messages of a blocked sender are dropped, and accepted again after unblocking', async () => {
    const { mia, chat } = server.friend({ id: listed, first_name: 'Jo' })
    server.telegram.say(chat, mia, 'first')
    await server.reply(chat, /Heard: first/)
    await server.parley('requests', 'block', String(chat))
    server.telegram.say(chat, mia, 'second')
    await server.telegram.until(() => server.telegram.pending().length === 0, 'it to be taken in')
    await server.client().pairings.unblock({ target: String(chat) })
    server.telegram.say(chat, mia, 'third')
    await server.reply(chat, /Heard: third/)
    assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['first', 'third'])
  })

  test('listed senders need no code: a person by id, all in a group by its address', async () => {
    const { mia } = server.friend({ first_name: 'Kim' })
    const group = server.telegram.group({ people: [mia], id: openGroup })
    server.telegram.say(group, mia, 'in the group')
    await server.reply(group, /Heard: in the group/)
    const pairing = (await server.client().pairings.list()).find(({ address }) => address === String(group))
    assert.equal(pairing?.pairing, null)
    assert.equal(server.replies(olga.chat).filter(({ text }) => text.includes('Kim')).length, 0)
  })

  test('the owner writes to the same account and needs no code', async () => {
    server.telegram.say(olga.chat, olga.mia, 'it is me')
    await server.reply(olga.chat, /Heard: it is me/)
  })
})
