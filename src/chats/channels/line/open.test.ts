import assert from 'node:assert/strict'
import { afterEach, beforeEach, test, type TestContext } from 'node:test'
import { z } from 'zod'
import type { Webhook } from '../../../ports/channel-kind.ts'
import type { AdaptedMessage, Channel, Inbound, PlatformRequest } from '../../../ports/channel.ts'
import { type LineEmulator, lineEmulator } from '../../../testing/line-emulator/line-emulator.ts'
import { simulatedClock, type SimulatedClock } from '../../../testing/simulated-clock.ts'
import {
  download,
  type Opened,
  openUnderTest,
  postRequest,
  renderAll,
  send,
  sendAndFail,
  sendAndGetId,
  sendAndWait,
  textPart,
} from '../test/account-under-test.ts'
import { lineConfig } from './config.ts'
import { lineLimits } from './limits.ts'
import { openLine } from './open.ts'

let line: LineEmulator
let mia: string
let team: string
beforeEach(async () => {
  line = await lineEmulator()
  mia = line.person('Mia')
  team = line.group('team')
})
afterEach(async () => {
  assert.deepEqual(line.failures, [], 'every request keeps the rules of LINE')
  await line.close()
})

type Line = Opened & { clock: SimulatedClock; receive(...events: object[]): Promise<Inbound[]> }

/** An account with the official library. `receive` is a signed call of LINE. */
async function open(t: TestContext, more: { token?: string; replyTokens?: boolean } = {}): Promise<Line> {
  const clock = simulatedClock(Date.now())
  const config = lineConfig(z).parse({ token: line.token, channelSecret: line.channelSecret, apiRoot: line.url, ...more })
  const opened = await openUnderTest(t, (parts) => openLine({ name: 'line', config }, parts), { clock })
  const webhook = opened.account.webhook as Webhook
  return {
    ...opened,
    clock,
    async receive(...events) {
      const body = JSON.stringify({ destination: 'U', events })
      const received = await webhook.receive(postRequest(body, { 'x-line-signature': line.sign(body) }))
      assert.ok('inbounds' in received, JSON.stringify(received))
      assert.equal(received.answer().status, 200)
      return [...received.inbounds]
    },
  }
}

const requestsFor = (channel: Channel, parts: AdaptedMessage['parts'], address: string): PlatformRequest[] =>
  renderAll(channel, { parts }, { address })
const says = (chat: string, words: string, more: object = {}) =>
  line.makeEvent(chat, mia, { type: 'message', message: { id: '560', type: 'text', text: words, ...more } })

test('openLine: knows its account, and says what to do about a wrong token', async (t) => {
  const { account } = await open(t)
  assert.deepEqual(await account.check(), { account: '@parley (Parley)' })
  const wrong = await (await open(t, { token: 'wrong' })).account.check()
  assert.ok('problem' in wrong && !wrong.isPassing)
  assert.match(wrong.problem, /LINE refuses the token .*parley channels add line/)
})

test('openLine: reports messages, quotes, mentions, files, taps and membership with the names of people', async (t) => {
  const { receive } = await open(t)
  const mention = { mentionees: [{ index: 0, length: 4, type: 'user', isSelf: true }] }
  const received = await receive(
    says(mia, 'hi', { quotedMessageId: '460' }),
    says(team, '@bot hello', { mention }),
    line.makeEvent(team, null, { type: 'message', message: { id: '561', type: 'sticker', keywords: ['cat', 'ok'] } }),
    line.makeEvent(mia, mia, { type: 'message', message: { id: '562', type: 'file', fileName: 'a.pdf', fileSize: 3 } }),
    line.makeEvent(mia, mia, { type: 'postback', postback: { data: 'token-1' } }),
    line.makeEvent(mia, mia, { type: 'unsend', unsend: { messageId: '560' } }),
    line.makeEvent(mia, mia, { type: 'unfollow' }),
    line.makeEvent(team, null, { type: 'join' }),
    line.makeEvent(mia, mia, { type: 'message', mode: 'standby', message: { id: '563', type: 'text', text: 'for another bot' } }),
  )
  const seen = received.map(({ type, address, isPrivate, from }) => [type, address, isPrivate, from.isAnonymous ? 'unknown' : from.name])
  assert.deepEqual(seen, [
    ['message', mia, true, 'Mia'],
    ['message', team, false, 'Mia'],
    ['message', team, false, 'unknown'],
    ['message', mia, true, 'Mia'],
    ['tap', mia, true, 'Mia'],
    ['deleted', mia, true, 'Mia'],
    ['membership', mia, true, 'Mia'],
    ['membership', team, false, 'unknown'],
  ])
  const [first, second, third, fourth, fifth] = received
  assert.ok(first?.type === 'message' && first.replyTo === '460')
  assert.ok(second?.type === 'message' && second.isMention)
  assert.ok(third?.type === 'message' && third.text === '[sticker: cat, ok]')
  assert.deepEqual(fourth?.type === 'message' && fourth.media, [{ kind: 'file', fileId: '562', name: 'a.pdf', sizeBytes: 3 }])
  assert.ok(fifth?.type === 'tap' && fifth.value === 'token-1' && fifth.messageId === '')
})

test('openLine: twelve parts are sent in three calls, and every part has its message id', async (t) => {
  const { channel } = await open(t)
  const requests = requestsFor(
    channel,
    Array.from({ length: 12 }, (_, at) => textPart(`part ${at}`)),
    mia,
  )
  assert.deepEqual(
    requests.map(({ covers }) => covers),
    [5, 5, 2],
  )
  const ids: string[] = []
  for (const [at, request] of requests.entries()) {
    const outcome = await send(channel, request, `k${at}`)
    assert.ok('receipt' in outcome)
    ids.push(...outcome.receipt.messageIds)
  }
  const messages = line.messages(mia)
  assert.deepEqual(
    messages.map(({ id }) => id),
    ids,
  )
  assert.deepEqual(
    messages.map((message) => message.text),
    Array.from({ length: 12 }, (_, at) => `part ${at}`),
  )
  assert.equal(new Set(messages.map(({ call }) => call)).size, 3)
})

test('openLine: a cut connection is repeated under the same retry key, and arrives once with its ids', async (t) => {
  const { channel } = await open(t)
  const [request] = requestsFor(channel, [textPart('once')], mia)
  line.fault({ path: '/v2/bot/message/push', status: 0, drop: 'after' })
  const cut = await sendAndFail(channel, request)
  assert.ok(cut.maybeSent && cut.retryable)
  const again = await sendAndGetId(channel, request)
  assert.deepEqual(
    line.messages(mia).map(({ id }) => id),
    [again],
  )
  assert.notEqual(await sendAndGetId(channel, request, 'another key'), again)
  assert.equal(line.messages(mia).length, 2)
})

test('openLine: a reply uses the token of the message once; later messages are pushed', async (t) => {
  const { channel, receive, clock } = await open(t)
  await receive(says(mia, 'hi'))
  const [reply] = requestsFor(channel, [textPart('a reply')], mia)
  assert.equal(reply?.operation, 'replyMessage')
  assert.ok(reply.isOneTime)
  assert.ok('receipt' in (await send(channel, reply)))
  const late = await sendAndFail(channel, reply)
  assert.ok(late.retryable && !late.maybeSent)
  const [push] = requestsFor(channel, [textPart('more')], mia)
  assert.ok('receipt' in (await send(channel, push)))
  assert.deepEqual(
    line.messages(mia).map(({ by }) => by),
    ['reply', 'push'],
  )
  await receive(says(mia, 'hi again'))
  await clock.advance(lineLimits.replyTokenMs + 10_000)
  assert.equal(requestsFor(channel, [textPart('late')], mia)[0]?.operation, 'pushMessage')
})

test('openLine: a reply without an answer is tried with the same token, which tells whether it arrived', async (t) => {
  const { channel, receive } = await open(t)
  for (const drop of ['before', 'after'] as const) {
    await receive(says(mia, drop))
    line.fault({ path: '/v2/bot/message/reply', status: 0, drop })
    const sent = await send(channel, requestsFor(channel, [textPart(`answer to ${drop}`)], mia)[0])
    assert.ok('receipt' in sent, drop)
  }
  assert.deepEqual(
    line.messages(mia).map((message) => message.text),
    ['answer to before', 'answer to after'],
  )
  await receive(says(mia, 'twice'))
  line.fault({ path: '/v2/bot/message/reply', status: 0, drop: 'before' })
  line.fault({ path: '/v2/bot/message/reply', status: 0, drop: 'before' })
  assert.ok((await sendAndFail(channel, requestsFor(channel, [textPart('?')], mia)[0])).maybeSent)
})

test('openLine: a reply token that LINE has forgotten leads to a push message', async (t) => {
  const { channel, receive } = await open(t)
  await receive(says(mia, 'hi'))
  line.forgetReplyTokens()
  const refused = await sendAndFail(channel, requestsFor(channel, [textPart('a reply')], mia)[0])
  assert.ok(refused.retryable && !refused.maybeSent)
  assert.equal(requestsFor(channel, [textPart('a reply')], mia)[0]?.operation, 'pushMessage')
})

test('openLine: without reply tokens, by setting or in a redelivered event, everything is pushed', async (t) => {
  const off = await open(t, { replyTokens: false })
  await off.receive(says(mia, 'hi'))
  assert.equal(requestsFor(off.channel, [textPart('x')], mia)[0]?.operation, 'pushMessage')
  const on = await open(t)
  await on.receive({ ...says(mia, 'hi'), deliveryContext: { isRedelivery: true } })
  assert.equal(requestsFor(on.channel, [textPart('x')], mia)[0]?.operation, 'pushMessage')
})

test('openLine: a 429 holds the account; the used up quota of the month is a refusal with a next step', async (t) => {
  const { channel } = await open(t)
  const [request] = requestsFor(channel, [textPart('x')], mia)
  line.fault({ path: '/v2/bot/message/push', status: 429, headers: { 'retry-after': '7' } })
  assert.deepEqual(await sendAndWait(channel, request), ['rate_limited', 7_000, 'account', false])
  line.quota = 0
  const spent = await sendAndFail(channel, request)
  assert.ok(spent.code === 'refused' && !spent.retryable)
  assert.match(spent.why, /monthly limit.* change the plan/)
})

test('openLine: the toast of a tap is a reply to it, and a typing indicator is shown to a person', async (t) => {
  const { channel, receive } = await open(t)
  const [tap] = await receive(line.makeEvent(team, mia, { type: 'postback', postback: { data: 'token-1' } }))
  assert.ok(tap?.type === 'tap')
  const toast = channel.operations.answerTap(tap.tap, 'Done')
  assert.ok(toast && 'receipt' in (await send(channel, toast)))
  assert.deepEqual(
    line.messages(team).map(({ text: words, by }) => [words, by]),
    [['Done', 'reply']],
  )
  const typing = channel.operations.typing(mia)
  assert.ok(typing && 'receipt' in (await send(channel, typing)))
  assert.deepEqual(line.loading, [mia])
  assert.equal(channel.operations.typing(team), null)
})

test('openLine: a received file is downloaded, one that is gone is a value', async (t) => {
  const { channel } = await open(t)
  line.files.set('562', Buffer.from('abc'))
  assert.equal(await download(channel, '562').then((got) => 'text' in got && got.text), 'abc')
  assert.deepEqual(await download(channel, '563'), { code: 'gone' })
})

test('openLine: options of a select are buttons of the card, and quick replies below the last message', async (t) => {
  const { channel } = await open(t)
  const options = Array.from({ length: 3 }, (_, at) => ({ label: `An option with a label that is long ${at}`, value: `o${at}` }))
  const select = { blocks: [{ type: 'select' as const, placeholder: 'Choose', options }] }
  const [request] = requestsFor(channel, [select, select], mia)
  assert.ok('receipt' in (await send(channel, request)))
  const [first, last] = line.messages(mia)
  assert.equal(first?.content.quickReply, undefined)
  assert.equal(last?.content.quickReply?.items.length, 3)
  assert.match(JSON.stringify(last?.content.quickReply), /"An option with a la…"/)
})
