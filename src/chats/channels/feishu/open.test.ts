import assert from 'node:assert/strict'
import { afterEach, beforeEach, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { OpenParts, TapVerdict, Webhook } from '../../../ports/channel-kind.ts'
import type { AdaptedBlock, Inbound } from '../../../ports/channel.ts'
import { type FeishuEmulator, feishuEmulator } from '../../../testing/feishu-emulator/feishu-emulator.ts'
import { simulatedClock, type SimulatedClock } from '../../../testing/simulated-clock.ts'
import {
  download,
  helloBlocks,
  type Opened,
  openUnderTest,
  postRequest,
  sendAndFail,
  sendAndGetId,
  sendAndWait,
  show,
  textPart,
  lookupsUnderTest,
} from '../test/account-under-test.ts'
import { feishuConfig } from './config.ts'
import { feishuLimits } from './limits.ts'
import { openFeishu } from './open.ts'

const schema = platformSchema('feishu')
let feishu: FeishuEmulator
let mia: string
let team: string
beforeEach(async () => {
  feishu = await feishuEmulator({ ...(schema && { validate: schema.validate }) })
  mia = feishu.person('Mia')
  team = feishu.group('team')
})
afterEach(async () => {
  assert.deepEqual(feishu.failures, [], 'every request keeps the rules of Feishu')
  await feishu.close()
})

/** An account with the official library. */
async function open(t: TestContext, settings: object = {}, more: Partial<OpenParts> = {}): Promise<Opened & { clock: SimulatedClock }> {
  const clock = simulatedClock(Date.now())
  const { appId, appSecret, url: apiRoot } = feishu
  const config = feishuConfig(z).parse({ appId, appSecret, apiRoot, ...settings })
  const readFile: OpenParts['readFile'] = async (file) => ({
    bytes: Buffer.from('abc'),
    name: decodeURIComponent(new URL(file).hash.slice(1)),
  })
  const opened = await openUnderTest(t, (parts) => openFeishu({ name: 'feishu', config }, parts), { clock, readFile, ...more })
  return { ...opened, clock }
}

const text = (words: string): AdaptedBlock[] => textPart(words).blocks

test('openFeishu: knows its account, and says what to do about a wrong secret', async (t) => {
  const { account } = await open(t)
  assert.deepEqual(await account.check(), { account: 'Parley' })
  const wrong = await (await open(t, { appSecret: 'a-wrong-secret' })).account.check()
  assert.ok('problem' in wrong && !wrong.isPassing)
  assert.match(wrong.problem, /Feishu refuses the app .*app secret invalid.*parley channels add feishu/)
})

test('openFeishu: the long connection reports messages, quotes, topics, mentions and files with the names of people', async (t) => {
  const { taken } = await open(t)
  await eventually(() => feishu.isConnected, 'the long connection')
  const root = feishu.say(team, mia, 'the first of a topic')
  feishu.say(mia, mia, 'hi', { replyTo: 'om_bot0001' })
  feishu.say(team, mia, 'hello', { mentionsBot: true })
  feishu.say(team, mia, 'in the topic', { root })
  feishu.say(mia, mia, '', { type: 'file', content: { file_key: 'file_v3_1', file_name: 'a.pdf' } })
  const post = {
    title: 'Plan',
    content: [
      [
        { tag: 'text', text: 'see ' },
        { tag: 'a', text: 'here', href: 'https://a.example' },
      ],
      [{ tag: 'img', image_key: 'img_v3_1' }],
    ],
  }
  feishu.say(mia, mia, '', { type: 'post', content: post })
  await eventually(
    () => feishu.pending === 0 && taken.length === 6,
    () => JSON.stringify(taken),
  )
  const found = (words: RegExp) =>
    taken.find((one): one is Extract<Inbound, { type: 'message' }> => one.type === 'message' && words.test(one.text)) ??
    assert.fail(String(words))
  assert.deepEqual(new Set(taken.map(({ from }) => from.name)), new Set(['Mia']))
  const direct = found(/^hi$/)
  assert.deepEqual([direct.address, direct.isPrivate, direct.replyTo], [mia, true, 'om_bot0001'])
  const mention = found(/^@Parley hello$/)
  assert.deepEqual([mention.address, mention.isPrivate, mention.isMention], [team, false, true])
  assert.equal(found(/in the topic/).address, `${team}:thread:${root}`)
  const rich = found(/^Plan\nsee here \(https:\/\/a\.example\)$/)
  assert.deepEqual(
    rich.media.map(({ kind }) => kind),
    ['image'],
  )
  const file = taken.flatMap((one) => (one.type === 'message' ? one.media : [])).find(({ kind }) => kind === 'file')
  assert.equal(file?.name, 'a.pdf')
})

test('openFeishu: an event that could not be stored is reported again, and a closed connection is opened again', async (t) => {
  let refusals = 1
  const { account, taken } = await open(
    t,
    {},
    {
      take: async (batch) => {
        if (refusals-- > 0) throw new Error('the disk is full')
        taken.push(...batch)
      },
    },
  )
  await eventually(() => feishu.isConnected, 'the long connection')
  feishu.say(mia, mia, 'once')
  await eventually(() => refusals === 0, 'the first report')
  assert.equal(feishu.pending, 1)
  feishu.disconnect()
  await eventually(() => taken.length === 1 && feishu.pending === 0, 'the second report')
  await eventually(() => account.state.state === 'connected', 'connected again')
})

test('openFeishu: a tap on the long connection is answered with its toast there', async (t) => {
  const verdicts: TapVerdict[] = [{ toast: '✓ Yes' }, { toast: null }]
  const taps: Inbound[] = []
  const { channel } = await open(
    t,
    {},
    {
      takeTap: async (batch) => {
        taps.push(...batch)
        return verdicts.shift()
      },
    },
  )
  await eventually(() => feishu.isConnected, 'the long connection')
  const [, buttons, select] = helloBlocks
  assert.ok(buttons && select)
  await sendAndGetId(channel, show(channel, [buttons], { address: mia }), '1')
  const root = feishu.say(team, mia, 'topic')
  await sendAndGetId(channel, show(channel, [select], { address: `${team}:thread:${root}` }), '2')
  const [question] = feishu.messages(mia)
  const [topic] = feishu.messages(`${team}:thread:${root}`)
  assert.ok(question && topic)
  assert.equal(await feishu.tap(mia, question, 'Yes'), '✓ Yes')
  assert.equal(await feishu.tap(mia, topic, 'Tea'), null)
  assert.deepEqual(
    taps.map((tap) => [tap.type === 'tap' && tap.value, tap.address, tap.isPrivate, tap.from.name]),
    [
      ['token-1', mia, true, 'Mia'],
      ['token-2', `${team}:thread:${root}`, false, 'Mia'],
    ],
  )
})

test('openFeishu: a card is sent, edited, pinned, reacted to and removed; a reply in a topic stays there', async (t) => {
  const { channel } = await open(t)
  const id = await sendAndGetId(channel, show(channel, text('Look'), { address: team }), '1')
  await sendAndGetId(channel, show(channel, text('Look again'), { address: team, edit: [id] }))
  const [message] = feishu.messages(team)
  assert.ok(message)
  assert.deepEqual([feishu.wordsIn(message), message.edits], ['Look again', 1])
  const at = { address: team, messageId: id }
  const { pin, unpin, react, remove } = channel.operations
  await sendAndGetId(channel, pin(at, false))
  assert.ok(message.isPinned)
  await sendAndGetId(channel, unpin(at))
  assert.ok(!message.isPinned)
  await sendAndGetId(channel, react(at, '👍'))
  assert.deepEqual(
    message.reactions.map(({ type }) => type),
    ['THUMBSUP'],
  )
  message.reactions.push({ id: 'other', type: 'OK', by: mia })
  await sendAndGetId(channel, react(at, null))
  assert.deepEqual(
    message.reactions.map(({ by }) => by),
    [mia],
  )
  await sendAndGetId(channel, remove(at))
  assert.equal(feishu.messages(team).length, 0)
  assert.equal((await sendAndFail(channel, pin(at, false))).code, 'gone')
  const root = feishu.say(team, mia, 'topic')
  await sendAndGetId(channel, show(channel, text('in it'), { address: `${team}:thread:${root}` }), '3')
  assert.equal(feishu.messages(`${team}:thread:${root}`).length, 1)
})

test('openFeishu: files of this machine are uploaded and sent; received ones are downloaded', async (t) => {
  const { channel } = await open(t)
  const medium = (kind: 'image' | 'file', name: string): AdaptedBlock[] => [{ type: 'media', url: `file:///data/${name}`, kind, name }]
  await sendAndGetId(channel, show(channel, medium('image', 'a.png'), { address: mia }), '1')
  await sendAndGetId(channel, show(channel, medium('file', 'list.csv'), { address: mia }), '2')
  assert.deepEqual(
    feishu.messages(mia).map(({ type }) => type),
    ['image', 'file'],
  )
  assert.deepEqual(
    [...feishu.uploads.values()],
    [
      { name: '', bytes: 3 },
      { name: 'list.csv', bytes: 3 },
    ],
  )
  feishu.files.set('file_v3_9', Buffer.from('received'))
  assert.equal(await download(channel, 'om_person1/file_v3_9/file').then((got) => 'text' in got && got.text), 'received')
  assert.deepEqual(await download(channel, 'om_person1/file_v3_8/file'), { code: 'gone' })
})

test('openFeishu: a 429 names its pause; a revoked token is replaced; a repeated uuid sends one message', async (t) => {
  const { channel } = await open(t)
  const request = show(channel, text('once'), { address: team })
  feishu.fault({ path: /\/messages$/, status: 429, headers: { 'x-ogw-ratelimit-reset': '7' } })
  assert.deepEqual(await sendAndWait(channel, request), ['rate_limited', 7_000, 'method', false])
  feishu.fault({ path: /\/messages$/, status: 400, code: 230_020 })
  const busy = await sendAndFail(channel, request)
  assert.ok(busy.retryable && busy.scope === 'address')
  feishu.revokeTokens()
  feishu.fault({ path: /\/messages$/, status: 0, drop: 'after' })
  // The first try has the revoked token, so the fault meets that one; the answer to the second try is complete.
  assert.ok((await sendAndFail(channel, request)).maybeSent)
  const first = await sendAndGetId(channel, request)
  assert.equal(await sendAndGetId(channel, request), first)
  assert.equal(feishu.messages(team).length, 1)
  assert.notEqual(await sendAndGetId(channel, request, 'another key'), first)
})

test('openFeishu: over HTTP the challenge is answered, and forged, old and foreign calls are refused', async (t) => {
  const { account, taken } = await open(t, { encryptKey: feishu.encryptKey, verificationToken: feishu.verificationToken })
  assert.equal(account.receives, 'webhook')
  const webhook = account.webhook as Webhook
  const call = (body: string, headers: Record<string, string>) => webhook.receive(postRequest(body, headers))
  const challenge = (token: string): string => feishu.encrypt({ type: 'url_verification', challenge: 'abc', token })
  const answered = await call(challenge(feishu.verificationToken), {})
  assert.ok('answer' in answered && answered.answer instanceof Response)
  assert.deepEqual(await answered.answer.json(), { challenge: 'abc' })
  assert.deepEqual(await call(challenge('another'), {}), { forged: true })
  const event = {
    schema: '2.0',
    header: { event_id: 'e1', event_type: 'card.action.trigger', token: feishu.verificationToken },
    event: {
      operator: { open_id: mia },
      action: { tag: 'button', value: { value: 'token-1' } },
      context: { open_message_id: 'om_bot1', open_chat_id: team },
    },
  }
  const body = feishu.encrypt(event)
  const genuine = await call(body, feishu.sign(body))
  assert.ok('inbounds' in genuine)
  assert.deepEqual(
    genuine.inbounds.map(({ type, address }) => [type, address]),
    [['tap', team]],
  )
  assert.deepEqual(await genuine.answer({ toast: 'Done' }).json(), { toast: { type: 'info', content: 'Done' } })
  assert.deepEqual(await genuine.answer().json(), {})
  assert.deepEqual(await call(body, {}), { forged: true })
  assert.deepEqual(await call(body, feishu.sign(`${body} `)), { forged: true })
  assert.deepEqual(await call(body, feishu.sign(body, Date.now() - feishuLimits.replayMs - 60_000)), { forged: true })
  const foreign = feishu.encrypt({ ...event, header: { ...event.header, token: 'another' } })
  assert.deepEqual(await call(foreign, feishu.sign(foreign)), { forged: true })
  assert.deepEqual(taken, [])
})

test('openFeishu: an app without the right to the long connection is reported, and tried again', async (t) => {
  feishu.fault({ path: /ws\/endpoint/, status: 200, code: 403 })
  const { account, clock } = await open(t)
  await eventually(() => account.state.state === 'waiting', 'the problem')
  assert.match(account.state.problem ?? '', /long connection cannot be opened/)
  await clock.advance(15_000)
  await eventually(() => feishu.isConnected && account.state.state === 'connected', 'connected')
})

test('openFeishu: lists messages of a group and of a topic with their names, and who reacted', async (t) => {
  const { channel } = await open(t)
  const { reactions, signal, list } = lookupsUnderTest(channel, ({ from, text: words }) => [from.name, from.isBot, words])
  const root = feishu.say(team, mia, 'first')
  feishu.say(team, mia, 'in the topic', { root })
  for (let at = 0; at < 60; at += 1) feishu.say(team, mia, `number ${at}`)
  const ours = await sendAndGetId(channel, show(channel, text('Hello'), { address: team }))
  assert.deepEqual(((await list({ address: team, limit: 2 })) as unknown[]).at(1), ['Mia', false, 'number 59'])
  assert.equal((await list({ address: team, limit: 60 })).length, 60)
  assert.deepEqual(await list({ address: `${team}:thread:${root}`, limit: 5 }), [
    ['Mia', false, 'in the topic'],
    ['Mia', false, 'first'],
  ])
  assert.deepEqual(await list({ address: team, limit: 5, messageId: root }), [['Mia', false, 'first']])
  const [message] = feishu.messages(team)
  assert.ok(message)
  feishu.react(mia, message, 'THUMBSUP')
  assert.deepEqual(await reactions({ address: team, messageId: ours }, signal), {
    reactions: [{ emoji: 'THUMBSUP', count: 1, people: [mia] }],
  })
  assert.equal(await list({ address: mia, limit: 5 }), 'refused')
})
