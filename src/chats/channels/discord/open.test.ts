import assert from 'node:assert/strict'
import { afterEach, beforeEach, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import type { Channel } from '../../../ports/channel.ts'
import { type DiscordEmulator, discordEmulator } from '../../../testing/discord-emulator/discord-emulator.ts'
import {
  download,
  helloBlocks,
  memoryCursor,
  type Opened,
  openUnderTest,
  send,
  sendAndFail,
  sendAndGetId,
  show,
  lookupsUnderTest,
} from '../test/account-under-test.ts'
import { discordConfig } from './config.ts'
import { openDiscord } from './open.ts'

const mia = '1000000000000000001'
const direct = `user:${mia}`
const team = '1100000000000000001'
const thread = '1100000000000000002'

let discord: DiscordEmulator
beforeEach(async () => {
  discord = await discordEmulator()
  discord.person(mia, 'Mia')
  discord.channel(team)
})
afterEach(async () => {
  assert.deepEqual(discord.failures, [], 'every request keeps the rules of Discord')
  await discord.close()
})

/** An account with the official libraries, in this state. */
async function open(t: TestContext, { cursor = memoryCursor(), publicKey = '', state = 'connected' } = {}): Promise<Opened> {
  const config = discordConfig(z).parse({ token: discord.token, apiRoot: discord.url, ...(publicKey !== '' && { publicKey }) })
  const opened = await openUnderTest(t, (parts) => openDiscord({ name: 'discord', config }, parts), { cursor })
  const { account } = opened
  await eventually(
    () => account.state.state === state,
    () => `${state}: ${account.state.problem}`,
  )
  return opened
}

const hello = (channel: Channel, address: string, edit?: string[]) => show(channel, helloBlocks, { address, ...(edit && { edit }) })

test('openDiscord: connects, and reports direct messages, threads, replies, edits and files', async (t) => {
  const { account, taken } = await open(t)
  assert.equal(account.state.account, '@parley')
  const first = discord.say(direct, mia, 'hi')
  discord.thread(thread, team)
  discord.say(thread, mia, 'in a thread', { replyTo: first })
  discord.say(team, mia, '', { files: { 'a.txt': Buffer.from('abc') } })
  discord.edit(first, 'hi again')
  discord.say(team, discord.botId, '')
  await eventually(() => taken.length === 4, 'four messages')
  const seen = taken.map((one) => [one.type, one.address, one.isPrivate, one.from.name, 'text' in one ? one.text : ''])
  assert.deepEqual(seen, [
    ['message', direct, true, 'Mia', 'hi'],
    ['message', `${team}:thread:${thread}`, false, 'Mia', 'in a thread'],
    ['message', team, false, 'Mia', ''],
    ['edit', direct, true, 'Mia', 'hi again'],
  ])
  assert.ok(taken[1]?.type === 'message' && taken[1].replyTo === first)
  assert.ok(taken[2]?.type === 'message' && taken[2].media[0]?.name === 'a.txt')
})

test('openDiscord: sends, edits, pins, reacts and removes, in direct messages and threads', async (t) => {
  const { channel } = await open(t)
  const id = await sendAndGetId(channel, hello(channel, direct))
  const at = { address: direct, messageId: id }
  assert.equal(discord.joinWords(discord.messages(direct)[0] ?? assert.fail('no message')), 'Hello **you**')
  assert.ok('receipt' in (await send(channel, channel.operations.pin(at, false))))
  assert.ok('receipt' in (await send(channel, channel.operations.react(at, '👍'))))
  assert.deepEqual([discord.messages(direct)[0]?.isPinned, discord.messages(direct)[0]?.reactions], [true, ['👍']])
  assert.ok('receipt' in (await send(channel, channel.operations.react(at, null))))
  assert.ok('receipt' in (await send(channel, channel.operations.unpin(at))))
  assert.deepEqual([discord.messages(direct)[0]?.isPinned, discord.messages(direct)[0]?.reactions], [false, []])
  assert.ok('receipt' in (await send(channel, hello(channel, direct, [id]))))
  assert.equal(discord.messages(direct).length, 1)
  discord.thread(thread, team)
  await send(channel, hello(channel, `${team}:thread:${thread}`), 'k2')
  assert.deepEqual([discord.messages(thread).length, discord.messages(team).length], [1, 0])
  const typing = channel.operations.typing(direct)
  assert.ok(typing && 'receipt' in (await send(channel, typing)))
  assert.equal(discord.typing.length, 1)
  assert.ok('receipt' in (await send(channel, channel.operations.remove(at))))
  assert.equal((await sendAndFail(channel, hello(channel, direct, [id]))).code, 'gone')
})

test('openDiscord: a repeated request with the same key makes one message', async (t) => {
  const { channel } = await open(t)
  discord.fault({ operation: /POST .*\/messages$/, status: 0, drop: true })
  const cut = await sendAndFail(channel, hello(channel, team), 'the key')
  assert.ok(cut.maybeSent && cut.retryable)
  const id = await sendAndGetId(channel, hello(channel, team), 'the key')
  assert.deepEqual(
    discord.messages(team).map((message) => message.id),
    [id],
  )
})

test('openDiscord: a file of this machine is an attachment of the message', async (t) => {
  const { channel } = await open(t)
  const medium = { type: 'media' as const, kind: 'file' as const, name: 'a.txt' }
  assert.ok('receipt' in (await send(channel, show(channel, [{ ...medium, url: 'file:///project/a.txt' }], { address: team }))))
  const [attachment] = discord.messages(team)[0]?.attachments ?? []
  assert.deepEqual([attachment?.filename, attachment?.size], ['0-_ber_1.txt', 5])
  const missing = show(channel, [{ ...medium, url: 'file:///project/missing.txt' }], { address: team })
  assert.equal((await sendAndFail(channel, missing, 'k2')).code, 'refused')
})

test('openDiscord: a tap has the address of its message, and its toast is shown to the person alone', async (t) => {
  const { channel, taken } = await open(t)
  discord.thread(thread, team)
  await send(channel, hello(channel, `${team}:thread:${thread}`))
  const [message] = discord.messages(thread)
  assert.ok(message)
  await discord.tap(mia, message, 'Yes')
  await discord.tap(mia, message, 'Tea')
  const taps = await eventually(() => (taken.length === 2 ? taken : null), 'two taps')
  const [tap] = taps
  assert.ok(tap?.type === 'tap')
  assert.deepEqual([tap.address, tap.value, tap.messageId, tap.from.name], [`${team}:thread:${thread}`, 'token-1', message.id, 'Mia'])
  assert.ok(taps[1]?.type === 'tap' && taps[1].value === 'token-2')
  const toast = channel.operations.answerTap(tap.tap, 'Done *now*')
  assert.ok(toast && 'receipt' in (await send(channel, toast)))
  assert.deepEqual(discord.ephemerals, [{ user: mia, channel: thread, text: 'Done \\*now\\*' }])
  assert.equal((await sendAndFail(channel, toast)).code, 'not_modified')
})

test('openDiscord: a 429 holds the chat, or the whole account', async (t) => {
  const { channel } = await open(t)
  const limited = async (headers: Record<string, string>) => {
    discord.fault({ operation: /POST .*\/messages$/, status: 429, headers: { 'retry-after': '2', ...headers } })
    const { code, retryAfterMs = 0, scope, maybeSent } = await sendAndFail(channel, hello(channel, team))
    assert.ok(retryAfterMs >= 2_000 && retryAfterMs < 3_000, String(retryAfterMs))
    return [code, scope, maybeSent]
  }
  assert.deepEqual(await limited({ 'x-ratelimit-scope': 'shared' }), ['rate_limited', 'address', false])
  assert.deepEqual(await limited({ 'x-ratelimit-global': 'true' }), ['rate_limited', 'account', false])
})

test('openDiscord: after a lost socket it resumes and gets what was sent meanwhile', async (t) => {
  const { taken } = await open(t)
  discord.disconnect()
  await eventually(() => !discord.isConnected, 'no socket')
  discord.say(direct, mia, 'while away')
  await eventually(() => taken.length === 1, 'the message')
})

test('openDiscord: a process that starts again resumes the session of the one before', async (t) => {
  const cursor = memoryCursor()
  const before = await open(t, { cursor })
  discord.say(direct, mia, 'one')
  await eventually(() => before.taken.length === 1 && cursor.text?.includes('sessionId'), 'one, and the position')
  await before.account.close()
  assert.equal(discord.isConnected, false)
  discord.say(direct, mia, 'two')
  const { taken } = await open(t, { cursor })
  await eventually(() => taken.length === 1, 'two')
  assert.ok(taken[0]?.type === 'message' && taken[0].text === 'two')
})

test('openDiscord: when Discord has ended the session, messages of known chats are fetched', async (t) => {
  const cursor = memoryCursor()
  const before = await open(t, { cursor })
  discord.say(direct, mia, 'one')
  discord.say(team, mia, 'in the team')
  await eventually(() => before.taken.length === 2, 'two messages')
  await before.account.close()
  discord.forgetSessions()
  discord.say(direct, mia, 'two')
  discord.say(direct, mia, 'three')
  discord.say(team, mia, 'four')
  const { taken } = await open(t, { cursor })
  await eventually(() => taken.length === 3, 'three messages')
  const seen = taken.map((one) => one.type === 'message' && [one.address, one.isPrivate, one.text])
  assert.deepEqual(seen, [
    [direct, true, 'two'],
    [direct, true, 'three'],
    [team, false, 'four'],
  ])
})

test('openDiscord: without the intent for the text of messages it says where to switch it on', async (t) => {
  discord.forbidContent()
  const { account } = await open(t, { state: 'waiting' })
  assert.match(account.state.problem ?? '', /Message Content Intent/)
})

test('openDiscord: a received file is downloaded by its place, because its address expires', async (t) => {
  const { channel, taken } = await open(t)
  discord.say(team, mia, '', { files: { 'a.txt': Buffer.from('abc') } })
  await eventually(() => taken.length === 1, 'a message')
  const [message] = taken
  assert.ok(message?.type === 'message')
  assert.deepEqual(await download(channel, message.media[0]?.fileId ?? ''), { text: 'abc', name: 'a.txt' })
  assert.deepEqual(await download(channel, `${team}/${message.messageId}/1`), { code: 'gone' })
})

test('openDiscord: a ping to the endpoint is answered, and a tap there is answered in its response', async (t) => {
  const { account, channel } = await open(t, { publicKey: discord.publicKey })
  const { webhook } = account
  assert.ok(webhook !== 'none')
  await send(channel, hello(channel, direct))
  const [message] = discord.messages(direct)
  assert.ok(message)
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      void webhook.receive({ method: 'POST', path: '/', query: {}, headers, body: Buffer.concat(chunks) }).then(async (received) => {
        assert.ok('answer' in received)
        const answer = typeof received.answer === 'function' ? received.answer({ toast: 'Done' }) : received.answer
        response.end(await answer.text())
      })
    })
  })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
  assert.deepEqual(await (await discord.post(url, { type: 1 })).json(), { type: 1 })
  discord.useEndpoint(url)
  await discord.tap(mia, message, 'Yes')
  assert.deepEqual(
    discord.ephemerals.map(({ user, text }) => [user, text]),
    [[mia, 'Done']],
  )
})

test('openDiscord: lists messages of a channel and of a person, and who reacted; a poll is one of them', async (t) => {
  const { channel } = await open(t)
  const polls = channel.capabilities.presentation.polls ?? assert.fail('no polls')
  const { reactions, signal, list } = lookupsUnderTest(channel, ({ from, text, files }) => [from.name, from.isBot, text, files])
  const first = discord.say(team, mia, 'hi', { files: { 'a.txt': Buffer.from('abc') } })
  const ours = await sendAndGetId(channel, hello(channel, team))
  const poll = await sendAndGetId(channel, polls.render({ question: 'Lunch?', options: ['Pizza', 'Sushi'] }, { address: team }), 'poll')
  discord.say(direct, mia, 'between us')
  assert.deepEqual(await list({ address: team, limit: 10 }), [
    ['parley', true, 'Lunch?', 0],
    ['parley', true, 'Hello **you**', 0],
    ['Mia', false, 'hi', 1],
  ])
  assert.deepEqual(await list({ address: team, limit: 10, before: ours }), [['Mia', false, 'hi', 1]])
  assert.deepEqual(await list({ address: team, limit: 10, messageId: first }), [['Mia', false, 'hi', 1]])
  assert.deepEqual(await list({ address: direct, limit: 10 }), [['Mia', false, 'between us', 0]])
  discord.react(mia, poll, '👍')
  assert.ok('receipt' in (await send(channel, channel.operations.react({ address: team, messageId: poll }, '👍'))))
  assert.deepEqual(await reactions({ address: team, messageId: poll }, signal), {
    reactions: [{ emoji: '👍', count: 2, people: [discord.botId, mia] }],
  })
  assert.equal(await list({ address: team, limit: 10, messageId: '1234567' }), 'gone')
})
