import assert from 'node:assert/strict'
import { afterEach, beforeEach, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import type { Channel } from '../../../ports/channel.ts'
import { type SlackEmulator, slackEmulator } from '../../../testing/slack-emulator/slack-emulator.ts'
import {
  download,
  helloBlocks,
  type Opened,
  openUnderTest,
  send,
  sendAndFail,
  sendAndGetId,
  sendAndWait,
  show,
  lookupsUnderTest,
} from '../test/account-under-test.ts'
import { slackConfig } from './config.ts'
import { openSlack } from './open.ts'

let slack: SlackEmulator
let current: Opened | undefined
beforeEach(async () => {
  slack = await slackEmulator()
  slack.person('U0MIA', 'Mia')
})
afterEach(async () => {
  // Before the emulator: to a platform that is gone, the library holds a socket that closes for 30 s.
  await current?.account.close()
  assert.deepEqual(slack.failures, [], 'every request keeps the rules of Slack')
  await slack.close()
})

/** An account over socket mode, with the official libraries. */
async function open(t: TestContext): Promise<Opened> {
  const config = slackConfig(z).parse({ token: slack.token, appToken: slack.appToken, apiRoot: slack.url })
  current = await openUnderTest(t, (parts) => openSlack({ name: 'slack', config }, parts))
  await eventually(() => slack.isConnected, 'a socket')
  return current
}

const hello = (channel: Channel, address: string, edit?: string[]) =>
  show(channel, helloBlocks.slice(0, 2), { address, ...(edit && { edit }) })

test('openSlack: connects, and reports direct messages, threads and files with the names of people', async (t) => {
  const { account, taken } = await open(t)
  await eventually(() => account.state.state === 'connected', 'connected')
  assert.equal(account.state.account, '@parley (Loopback)')
  slack.say('U0MIA', 'U0MIA', 'hi &amp; <https://example.org|a link>')
  slack.say('C0TEAM', 'U0MIA', 'in a thread', { thread_ts: '1600000000.000100' })
  slack.say('C0TEAM', 'U0MIA', '', { files: [{ id: 'F1', name: 'a.pdf', mimetype: 'application/pdf', size: 3 }] })
  await eventually(() => taken.length === 3 && slack.pending === 0, 'three messages, acknowledged')
  const seen = taken.map((one) => one.type === 'message' && [one.address, one.isPrivate, one.from.name, one.text, one.media.length])
  assert.deepEqual(seen, [
    ['U0MIA', true, 'Mia', 'hi & a link (https://example.org)', 0],
    ['C0TEAM:thread:1600000000.000100', false, 'Mia', 'in a thread', 0],
    ['C0TEAM', false, 'Mia', '', 1],
  ])
})

test('openSlack: sends, edits, pins and removes, in direct messages and threads', async (t) => {
  const { channel } = await open(t)
  const ts = await sendAndGetId(channel, hello(channel, 'U0MIA'))
  const [message] = slack.messages('U0MIA')
  const [section] = (message?.blocks ?? []) as { text: object }[]
  assert.deepEqual(section?.text, { type: 'mrkdwn', text: 'Hello *you*', verbatim: true })
  assert.ok('receipt' in (await send(channel, channel.operations.pin({ address: 'U0MIA', messageId: ts }, false))))
  assert.equal(slack.messages('U0MIA')[0]?.isPinned, true)
  assert.equal((await sendAndFail(channel, channel.operations.pin({ address: 'U0MIA', messageId: ts }, false))).code, 'not_modified')
  assert.ok('receipt' in (await send(channel, hello(channel, 'U0MIA', [ts]))))
  assert.equal(slack.messages('U0MIA').length, 1)
  await send(channel, hello(channel, 'C0TEAM:thread:1600000000.000100'))
  assert.equal(slack.messages('C0TEAM')[0]?.thread_ts, '1600000000.000100')
  assert.ok('receipt' in (await send(channel, channel.operations.remove({ address: 'U0MIA', messageId: ts }))))
  assert.equal((await sendAndFail(channel, hello(channel, 'U0MIA', [ts]))).code, 'gone')
})

test('openSlack: a tap has the address of its message, and its toast is shown to the person alone', async (t) => {
  const { channel, taken } = await open(t)
  await send(channel, hello(channel, 'C0TEAM'))
  const [message] = slack.messages('C0TEAM')
  assert.ok(message)
  slack.tap('C0TEAM', 'U0MIA', message, 'Yes')
  const tap = await eventually(() => taken.find((one) => one.type === 'tap'), 'a tap')
  assert.ok(tap.type === 'tap')
  assert.deepEqual([tap.address, tap.value, tap.messageId, tap.from.name], ['C0TEAM', 'token-1', message.ts, 'Mia'])
  const toast = channel.operations.answerTap(tap.tap, 'Done')
  assert.ok(toast && 'receipt' in (await send(channel, toast)))
  assert.deepEqual(slack.ephemerals, [{ channel: 'C0TEAM', user: 'U0MIA', text: 'Done' }])
})

test('openSlack: a 429 holds the method, a cut connection leaves a new message unclear', async (t) => {
  const { channel } = await open(t)
  slack.fault({ method: 'chat.postMessage', status: 429, headers: { 'retry-after': '7' } })
  assert.deepEqual(await sendAndWait(channel, hello(channel, 'C0TEAM')), ['rate_limited', 7_000, 'method', false])
  slack.fault({ method: 'chat.postMessage', status: 0, drop: true })
  assert.ok((await sendAndFail(channel, hello(channel, 'C0TEAM'))).maybeSent)
  assert.equal(slack.messages('C0TEAM').length, 1)
})

test('openSlack: after a lost socket it connects again and gets what was not acknowledged', async (t) => {
  const { taken } = await open(t)
  slack.disconnect()
  await eventually(() => !slack.isConnected, 'no socket')
  slack.say('U0MIA', 'U0MIA', 'while away')
  await eventually(() => taken.length === 1 && slack.pending === 0, 'the message')
})

test('openSlack: a received file is downloaded with the token of the bot', async (t) => {
  const { channel } = await open(t)
  slack.files.set('F1', { name: 'a.txt', bytes: Buffer.from('abc') })
  assert.deepEqual(await download(channel, 'F1'), { text: 'abc', name: 'a.txt' })
  assert.deepEqual(await download(channel, 'F2'), { code: 'gone' })
})

test('openSlack: a message for one person is shown to them alone, and is an ordinary one in their own chat', async (t) => {
  const { channel } = await open(t)
  const blocks = [{ type: 'text' as const, text: 'For you', format: 'plain' as const }]
  const render = (address: string) => channel.render({ parts: [{ blocks }] }, { address, onlyFor: 'U0MIA' })?.requests ?? []
  for (const request of [...render('C0TEAM:thread:1600000000.000100'), ...render('U0MIA')])
    assert.ok('receipt' in (await send(channel, request)), request.operation)
  assert.deepEqual(slack.ephemerals, [{ channel: 'C0TEAM', user: 'U0MIA', text: 'For you' }])
  assert.deepEqual([slack.messages('C0TEAM').length, slack.messages('U0MIA').length], [0, 1])
})

test('openSlack: lists messages of a channel, a thread and a person with their names, and who reacted', async (t) => {
  const { channel } = await open(t)
  const { messages, reactions, signal, list } = lookupsUnderTest(channel, ({ from, text, files }) => [from.name, text, files])
  const root = slack.say('C0TEAM', 'U0MIA', 'first &amp; foremost', { files: [{ id: 'F1' }] })
  const ours = await sendAndGetId(channel, hello(channel, 'C0TEAM'))
  for (let at = 0; at < 203; at += 1) slack.say('C0TEAM', 'U0MIA', `reply ${at}`, { thread_ts: root })
  slack.say('U0MIA', 'U0MIA', 'between us')
  const all = await messages({ address: 'C0TEAM', limit: 10 }, signal)
  assert.ok('messages' in all)
  assert.deepEqual(
    all.messages.map(({ messageId, from, at }) => [messageId, from.isBot, at === Math.round(Number(messageId) * 1_000)]),
    [
      [ours, true, true],
      [root, false, true],
    ],
  )
  assert.deepEqual(await list({ address: 'C0TEAM', limit: 10, before: ours }), [['Mia', 'first & foremost', 1]])
  assert.deepEqual(await list({ address: 'C0TEAM', limit: 10, messageId: root }), [['Mia', 'first & foremost', 1]])
  assert.deepEqual(await list({ address: `C0TEAM:thread:${root}`, limit: 2 }), [
    ['Mia', 'reply 202', 0],
    ['Mia', 'reply 201', 0],
  ])
  assert.deepEqual(await list({ address: 'U0MIA', limit: 10 }), [['Mia', 'between us', 0]])
  slack.react('C0TEAM', 'U0MIA', ours, '+1')
  assert.ok('receipt' in (await send(channel, channel.operations.react({ address: 'C0TEAM', messageId: ours }, '👀'))))
  assert.deepEqual(await reactions({ address: 'C0TEAM', messageId: ours }, signal), {
    reactions: [
      { emoji: '+1', count: 1, people: ['U0MIA'] },
      { emoji: 'eyes', count: 1, people: ['U0BOT'] },
    ],
  })
  assert.ok('receipt' in (await send(channel, channel.operations.react({ address: 'C0TEAM', messageId: ours }, null))))
  const rest = await reactions({ address: 'C0TEAM', messageId: ours }, signal)
  assert.deepEqual('reactions' in rest && rest.reactions.map(({ emoji }) => emoji), ['+1'])
  assert.deepEqual(await reactions({ address: 'C0TEAM', messageId: root }, signal), { reactions: [] })
  const gone = await reactions({ address: 'C0TEAM', messageId: '1.2' }, signal)
  assert.equal('failure' in gone && gone.failure.code, 'gone')
})
