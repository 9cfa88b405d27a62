import assert from 'node:assert/strict'
import { afterEach, beforeEach, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { TapVerdict, Webhook } from '../../../ports/channel-kind.ts'
import type { AdaptedBlock, Inbound } from '../../../ports/channel.ts'
import { simulatedClock, type SimulatedClock } from '../../../testing/simulated-clock.ts'
import { teamsEmulator, type TeamsEmulator } from '../../../testing/teams-emulator/teams-emulator.ts'
import {
  download,
  helloBlocks,
  memoryCursor,
  type Opened,
  openUnderTest,
  postRequest,
  send,
  sendAndFail,
  sendAndGetId,
  sendAndWait,
  show,
  textPart,
} from '../test/account-under-test.ts'
import { teamsConfig } from './config.ts'
import { openTeams } from './open.ts'

const schema = platformSchema('teams')
const direct = 'a:1mia'
const group = '19:group@thread.v2'
const channelId = '19:general@thread.tacv2'

let teams: TeamsEmulator
let mia: string
beforeEach(async () => {
  teams = await teamsEmulator(schema ? { validate: schema.validate } : {})
  mia = teams.person('Mia')
})
afterEach(async () => {
  await teams.close()
  assert.deepEqual(teams.failures, [], 'every request keeps the rules of Teams')
})

type Teams = Opened & {
  clock: SimulatedClock
  call(activity: object, token?: string): Promise<Awaited<ReturnType<Webhook['receive']>>>
  receive(activity: object): Promise<Inbound[]>
}

/** An account with the official library. `call` is a call of Teams, `receive` a genuine one. */
async function open(t: TestContext, more: object = {}, cursor = memoryCursor()): Promise<Teams> {
  const clock = simulatedClock(Date.now())
  const { appId, appPassword, openIdUrl, url } = teams
  const config = teamsConfig(z).parse({ appId, appPassword, openIdUrl, loginRoot: url, apiRoot: teams.serviceUrl, ...more })
  const opened = await openUnderTest(t, (parts) => openTeams({ name: 'teams', config }, parts), { clock, cursor })
  const webhook = opened.account.webhook as Webhook
  const call: Teams['call'] = (activity, token = teams.signToken()) =>
    webhook.receive(postRequest(JSON.stringify(activity), { authorization: `Bearer ${token}` }))
  return {
    ...opened,
    clock,
    call,
    async receive(activity) {
      const received = await call(activity)
      assert.ok('inbounds' in received, JSON.stringify(received))
      return [...received.inbounds]
    },
  }
}

const text = (words: string): AdaptedBlock[] => textPart(words).blocks

test('openTeams: logs in, and says what to do about a wrong secret', async (t) => {
  const { account } = await open(t)
  assert.deepEqual(await account.check(), { account: teams.appId })
  const wrong = await (await open(t, { appPassword: 'wrong' })).account.check()
  assert.ok('problem' in wrong && !wrong.isPassing)
  assert.match(wrong.problem, /Microsoft refuses the login .*AADSTS7000215.*parley channels add teams/)
})

test('openTeams: reports messages, mentions, quotes, edits, reactions, files and membership', async (t) => {
  const { receive } = await open(t)
  const mention = { type: 'mention', text: '<at>Parley</at>', mentioned: { id: teams.botId } }
  const other = { type: 'mention', text: '<at>Eve</at>', mentioned: { id: '29:eve' } }
  const quoted = { contentType: 'text/html', content: '<blockquote itemscope itemtype="x" itemid="170">…</blockquote>' }
  const file = { contentType: 'application/vnd.microsoft.teams.file.download.info', name: 'a.pdf', content: { downloadUrl: 'https://x/y' } }
  const thread = `${channelId};messageid=1700000000000`
  const activities = [
    teams.makeActivity(direct, mia, { type: 'message', text: 'a &lt; b', attachments: [quoted] }),
    teams.makeActivity(thread, mia, { type: 'message', text: '<at>Parley</at>&nbsp;ask <at>Eve</at>\r\nnow', entities: [mention, other] }),
    teams.makeActivity(group, mia, { type: 'message', text: '', attachments: [file] }),
    teams.makeActivity(group, mia, { type: 'messageUpdate', text: 'better', channelData: { eventType: 'editMessage' } }),
    teams.makeActivity(group, mia, { type: 'messageDelete', channelData: { eventType: 'softDeleteMessage' } }),
    teams.makeActivity(group, mia, { type: 'messageReaction', replyToId: '170', reactionsAdded: [{ type: 'like' }] }),
    teams.makeActivity(group, mia, { type: 'conversationUpdate', membersAdded: [{ id: teams.botId }] }),
    teams.makeActivity(direct, mia, { type: 'installationUpdate', action: 'remove' }),
    teams.makeActivity(group, '28:another-bot', { type: 'message', text: 'I am a bot' }),
    teams.makeActivity('19:../../other', mia, { type: 'message', text: 'a path' }),
  ]
  const received: Inbound[] = []
  for (const activity of activities) received.push(...(await receive(activity)))
  assert.deepEqual(
    received.map(({ type, address, isPrivate, from }) => [type, address, isPrivate, from.name]),
    [
      ['message', direct, true, 'Mia'],
      ['message', `${channelId}:thread:1700000000000`, false, 'Mia'],
      ['message', group, false, 'Mia'],
      ['edit', group, false, 'Mia'],
      ['deleted', group, false, 'Mia'],
      ['reaction', group, false, 'Mia'],
      ['membership', group, false, 'Mia'],
      ['membership', direct, true, 'Mia'],
    ],
  )
  const [first, second, third] = received
  assert.ok(first?.type === 'message' && first.text === 'a < b' && first.replyTo === '170' && !first.isMention)
  assert.ok(second?.type === 'message' && second.text === 'ask @Eve\nnow' && second.isMention)
  assert.deepEqual(third?.type === 'message' && third.media, [{ kind: 'file', fileId: 'https://x/y', name: 'a.pdf' }])
  assert.equal(first.from.language, 'en-US')
})

test('openTeams: a message is sent, edited and removed; a thread is written to where it is', async (t) => {
  const { channel } = await open(t)
  const id = await sendAndGetId(channel, show(channel, text('Look at **this** & that'), { address: direct }))
  assert.deepEqual(
    teams.messages(direct).map(({ activity, text: words }) => [activity.text, words]),
    [['Look at <b>this</b> &amp; that', 'Look at this & that']],
  )
  assert.equal(await sendAndGetId(channel, show(channel, text('Look'), { address: direct, edit: [id] })), id)
  assert.deepEqual(
    teams.messages(direct).map(({ text: words, edits }) => [words, edits]),
    [['Look', 1]],
  )
  assert.ok('receipt' in (await send(channel, channel.operations.remove({ address: direct, messageId: id }))))
  assert.equal(teams.messages(direct).length, 0)
  const gone = await sendAndFail(channel, channel.operations.remove({ address: direct, messageId: id }))
  assert.ok(gone.code === 'gone' && !gone.retryable)
  await sendAndGetId(channel, show(channel, text('in a thread'), { address: `${channelId}:thread:1700000000000` }))
  assert.equal(teams.messages(channelId)[0]?.conversation, `${channelId};messageid=1700000000000`)
  const typing = channel.operations.typing(direct)
  assert.ok(typing && 'receipt' in (await send(channel, typing)))
  assert.deepEqual(teams.typing, [direct])
  assert.equal(channel.capabilities.delivery.pinSentMessage, false)
})

test('openTeams: a tap is an invoke with its toast in the response; a select and an old client work too', async (t) => {
  const { channel, call, receive } = await open(t)
  const id = await sendAndGetId(channel, show(channel, helloBlocks, { address: channelId }))
  const thread = `${channelId};messageid=${id}`
  const invoke = (data: object, more: object = {}) =>
    teams.makeActivity(thread, mia, {
      type: 'invoke',
      name: 'adaptiveCard/action',
      replyToId: id,
      value: { action: { type: 'Action.Execute', verb: 'tap', data } },
      ...more,
    })
  const respond = async (activity: object, verdict?: TapVerdict): Promise<[number, unknown]> => {
    const received = await call(activity)
    assert.ok('inbounds' in received)
    const response = received.answer(verdict)
    return [response.status, await response.json()]
  }
  const tap = invoke({ value: 'token-1' })
  const message = { statusCode: 200, type: 'application/vnd.microsoft.activity.message' }
  assert.deepEqual(await respond(tap, { toast: 'Done' }), [200, { ...message, value: 'Done' }])
  assert.deepEqual(await respond(tap), [200, { ...message, value: '✓' }])
  const other = invoke({}, { name: 'task/fetch' })
  assert.deepEqual(await respond(other), [501, {}])
  const [first] = await receive(tap)
  const [again] = await receive(tap)
  // The tapped message began the thread, so it was sent to the channel.
  assert.ok(first?.type === 'tap' && first.value === 'token-1' && first.messageId === id && first.address === channelId)
  assert.equal(again?.id, first.id)
  const [chosen] = await receive(invoke({ input: 's2', s2: 'token-2' }))
  assert.ok(chosen?.type === 'tap' && chosen.value === 'token-2')
  assert.deepEqual(await receive(invoke({ input: 's2', s2: '' })), [], 'nothing was chosen')
  const [submitted] = await receive(teams.makeActivity(direct, mia, { type: 'message', replyToId: id, value: { value: 'token-1' } }))
  assert.ok(submitted?.type === 'tap' && submitted.value === 'token-1')
})

test('openTeams: calls with a wrong, old or foreign token are forged; without keys Teams is asked to try again', async (t) => {
  const { call, clock } = await open(t)
  const activity = teams.makeActivity(direct, mia, { type: 'message', text: 'hello' })
  const seconds = Math.floor(Date.now() / 1_000)
  const forged: [string, string, object?][] = [
    ['no token', 'x'],
    ['changed', `${teams.signToken().slice(0, -8)}AAAAAAAA`],
    ['another bot', teams.signToken({ aud: 'another-bot' })],
    ['another issuer', teams.signToken({ iss: 'https://example.com' })],
    ['expired', teams.signToken({ exp: seconds - 3_600 })],
    ['not valid yet', teams.signToken({ nbf: seconds + 3_600 })],
    ['another key', teams.signToken({}, { kid: 'k2' })],
    ['no signature', `${teams.signToken({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
    ['another service URL in the token', teams.signToken({ serviceurl: 'https://evil.example/' })],
    ['another service URL in the body', teams.signToken(), { serviceUrl: 'https://evil.example/' }],
    ['another channel', teams.signToken(), { channelId: 'webchat' }],
  ]
  for (const [name, token, more = {}] of forged) assert.deepEqual(await call({ ...activity, ...more }, token), { forged: true }, name)
  assert.ok('inbounds' in (await call(activity)))
  const captured = teams.signToken()
  await clock.advance(2 * 3_600_000)
  assert.deepEqual(await call(activity, captured), { forged: true }, 'a replayed call after the end of its token')
  teams.setKeys(false)
  const unknown = await (await open(t)).call(activity)
  assert.ok('answer' in unknown && unknown.answer instanceof Response && unknown.answer.status === 503)
  teams.setKeys(true)
})

test('openTeams: the service URL of a chat is learned from genuine calls alone, and known after a restart', async (t) => {
  const saved = memoryCursor()
  const before = await open(t, { apiRoot: 'http://127.0.0.1:1/' }, saved)
  await before.call(teams.makeActivity(direct, mia, { type: 'message', text: 'x', serviceUrl: 'https://evil.example/' }))
  assert.equal(saved.text, null)
  await before.receive(teams.makeActivity(direct, mia, { type: 'message', text: 'hello' }))
  const after = await open(t, { apiRoot: 'http://127.0.0.1:1/' }, saved)
  await sendAndGetId(after.channel, show(after.channel, text('hello again'), { address: direct }))
  assert.equal(teams.messages(direct).length, 1)
})

test('openTeams: a 429 is waited for, a revoked token is replaced, and a cut connection may have sent', async (t) => {
  const { channel } = await open(t)
  const request = show(channel, text('x'), { address: direct })
  const path = /activities$/
  teams.fault({ method: 'POST', path, status: 429, headers: { 'retry-after': '7' }, body: { error: { code: 'TooManyRequests' } } })
  assert.deepEqual(await sendAndWait(channel, request), ['rate_limited', 7_000, 'address', false])
  assert.ok('receipt' in (await send(channel, request)))
  teams.revokeTokens()
  assert.ok('receipt' in (await send(channel, request)), 'the second try has a new token')
  assert.equal(teams.messages(direct).length, 2)
  teams.fault({ method: 'POST', path, status: 0, drop: 'after' })
  const cut = await sendAndFail(channel, request)
  assert.ok(cut.code === 'unreachable' && cut.maybeSent && cut.retryable)
  teams.fault({
    method: 'POST',
    path,
    status: 403,
    body: { error: { code: 'BotNotInConversationRoster', message: 'The bot is not there.' } },
  })
  const refused = await sendAndFail(channel, request)
  assert.ok(refused.code === 'forbidden' && !refused.retryable)
  assert.match(refused.why, /BotNotInConversationRoster/)
})

test('openTeams: pictures and files are downloaded, from addresses outside the network of the server', async (t) => {
  const { channel } = await open(t)
  teams.files.set('/emea/v3/attachments/1/views/original', Buffer.from('picture'))
  teams.files.set('/files/plan.txt', Buffer.from('plan'))
  for (const [path, content] of [
    ['/emea/v3/attachments/1/views/original', 'picture'],
    ['/files/plan.txt', 'plan'],
  ] as const) {
    assert.equal(await download(channel, `${teams.url}${path}`).then((got) => 'text' in got && got.text), content)
  }
  assert.deepEqual(
    await download(channel, 'http://169.254.169.254/latest'),
    { code: 'gone' },
    'no address inside the network of the server',
  )
  assert.deepEqual(await download(channel, `${teams.url}/files/none`), { code: 'gone' })
})
