import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { DeliveryView } from '../../src/client/index.ts'
import type { Trouble } from '../../src/testing/telegram-emulator/faults.ts'
import { badRequest, type TelegramFault, telegramFaults } from '../../src/testing/telegram-emulator/telegram-fault.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

let server: TelegramServer

/** A person who writes while this failure affects the replies. */
function writes(words: string, ...faults: Trouble[]): Friend {
  const friend = server.friend()
  for (const fault of faults) server.telegram.fault({ ...fault, method: 'sendMessage', when: ({ chat_id }) => chat_id === friend.chat })
  server.telegram.say(friend.chat, friend.mia, words)
  return friend
}
const sends = (chat: number): number =>
  server.telegram.requests.filter(({ method, params }) => method === 'sendMessage' && params.chat_id === chat).length
const settled = ({ chat }: Friend, state: DeliveryView['state']): Promise<DeliveryView> =>
  eventually(async () => (await server.deliveries(chat, state))[0], `${state} in ${chat}`)

suite('when Telegram gives trouble', { concurrency: true }, () => {
  before(async () => {
    server = await TelegramServer.open()
  })
  after(() => server.close())

  test('asked to slow down, it waits as long as told and sends once', async () => {
    const friend = writes('gently', { does: 'answer', fault: telegramFaults.tooManyRequests(1) })
    await settled(friend, 'sent')
    assert.equal(server.replies(friend.chat).length, 1)
    assert.equal(sends(friend.chat), 2, 'asked once, and once more after the time')
  })

  test('what passes by is tried again by itself', async () => {
    const internal = writes('500', { does: 'answer', fault: telegramFaults.internal() })
    const gateway = writes('502', { does: 'garbage', status: 502 })
    for (const friend of [internal, gateway]) {
      const { state } = await eventually(
        async () => (await server.deliveries(friend.chat)).find((one) => one.state !== 'waiting'),
        'an outcome',
      )
      assert.ok(server.replies(friend.chat).length <= 1)
      assert.ok(state === 'sent' ? server.replies(friend.chat).length === 1 : state === 'unknown')
    }
    assert.equal((await settled(internal, 'sent')).receipts.length, 1)
  })

  test('a delivery without an answer is reported as not confirmed and never sent again automatically', async () => {
    const friend = writes('silence', { does: 'drop-after' })
    const { error, id } = await settled(friend, 'unknown')
    assert.match(error?.message ?? '', /Not confirmed/)
    // Whatever comes next goes on in its place.
    server.telegram.say(friend.chat, friend.mia, 'and on')
    await server.reply(friend.chat, /and on/)
    assert.equal(server.replies(friend.chat).filter(({ text }) => text.includes('silence')).length, 1)
    assert.equal((await server.client().deliveries.get(id)).state, 'unknown')
    assert.match(await server.parley('deliveries', 'list', '--state', 'unknown'), /silence/)
  })

  test('no answer and it did not happen: the same report; a person has it sent again', async () => {
    const friend = writes('lost', { does: 'drop-before' })
    const { id } = await settled(friend, 'unknown')
    assert.equal(server.replies(friend.chat).length, 0)
    await server.parley('deliveries', 'retry', id)
    await server.reply(friend.chat, /Heard: lost/)
    assert.equal((await settled(friend, 'sent')).id, id)
  })

  test('a refusal is final, says why, and does not stop what follows', async () => {
    const cases: [TelegramFault, RegExp][] = [
      [telegramFaults.chatNotFound(), /chat not found/],
      [telegramFaults.kicked(), /kicked/],
      [telegramFaults.movedTo(-100_777), /-100777/],
      [badRequest('not enough rights to send text messages to the chat'), /not enough rights/],
    ]
    for (const [fault, why] of cases) {
      const friend = writes('refused', { does: 'answer', fault })
      const { error } = await settled(friend, 'failed')
      assert.match(error?.message ?? '', why)
      assert.ok((error?.hint ?? '').length > 0, 'and what to do')
      assert.equal(sends(friend.chat), 1, 'not insisted upon')
      server.telegram.say(friend.chat, friend.mia, 'and now')
      await server.reply(friend.chat, /Heard: and now/)
    }
  })

  test('formatting that Telegram cannot parse is dropped, the text is kept', async () => {
    const friend = writes('**bold** words', { does: 'answer', fault: badRequest("can't parse entities: Unsupported start tag") })
    const { losses } = await settled(friend, 'sent')
    assert.match(server.replies(friend.chat)[0]?.text ?? '', /bold/)
    assert.ok(losses.length > 0, 'and that is told')
  })

  test('who has blocked us gets nothing, and it arrives when they want it again', async () => {
    const friend = server.friend()
    server.telegram.say(friend.chat, friend.mia, 'hello')
    await server.reply(friend.chat, /Heard: hello/)
    server.telegram.block(friend.chat)
    await server.client().dialogs.say(await server.dialogOf(friend.chat), 'from the desk')
    const { id, error } = await settled(friend, 'failed')
    assert.match(error?.message ?? '', /blocked/)
    server.telegram.unblock(friend.chat)
    await server.client().deliveries.retry(id)
    await server.reply(friend.chat, /Heard: from the desk/)
  })

  test('an edit that finds its message gone or unchanged harms nothing', async () => {
    const friend = server.friend()
    server.telegram.say(friend.chat, friend.mia, 'choose')
    const question = await server.reply(friend.chat, /Ship it/)
    server.telegram.remove(friend.chat, question.id)
    const { items } = await server.client().questions.list({ state: 'open', limit: 200 })
    const dialog = await server.dialogOf(friend.chat)
    await server.client().questions.answer(items.find((one) => one.dialog === dialog)?.id ?? '', { choice: 'no' })
    await server.reply(friend.chat, /You said {"ship":"no"}/)
  })
})

test('a token that Telegram refuses is a problem in words; the rest works', async (t) => {
  const own = await TelegramServer.open({ token: '123456789:wrong-token' })
  t.after(() => own.close())
  const [account] = await eventually(async () => {
    const matches = await own.client().channels.list()
    return matches.some(({ problem }) => problem !== null) && matches
  }, 'the problem')
  assert.equal(account?.state, 'waiting')
  assert.match(account?.problem ?? '', /refuses the token.*BotFather/)
  const { problems } = await own.client().info()
  assert.ok(
    problems.some((one) => /telegram: .*refuses the token/.test(one)),
    problems.join(),
  )
  assert.ok(![...problems, own.said].join().includes('wrong-token'), 'the token appears in no output')
  const { id } = await own.client().dialogs.open({ text: 'are you there?' })
  await eventually(async () => (await own.client().dialogs.get(id)).status === 'ready', 'an answer on the page')
})
