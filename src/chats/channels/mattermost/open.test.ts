import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, afterEach, beforeEach, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { Cursor, Webhook } from '../../../ports/channel-kind.ts'
import type { AdaptedBlock, Channel, Inbound } from '../../../ports/channel.ts'
import { type MattermostEmulator, mattermostEmulator } from '../../../testing/mattermost-emulator/mattermost-emulator.ts'
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
  lookupsUnderTest,
} from '../test/account-under-test.ts'
import { mattermostConfig } from './config.ts'
import { openMattermost } from './open.ts'

const schema = platformSchema('mattermost')
let mattermost: MattermostEmulator
let mia: string
let direct: string
let team: string

async function emulate(options: Parameters<typeof mattermostEmulator>[0] = {}): Promise<void> {
  mattermost = await mattermostEmulator(options)
  mia = mattermost.person('Mia')
  direct = `user:${mia}`
  team = mattermost.channel('team')
}
beforeEach(() => emulate())
afterEach(async () => {
  assert.deepEqual(mattermost.failures, [], 'every request keeps the rules of Mattermost')
  const faults = mattermost.requests.flatMap(({ method, path, body }) => {
    const [operation] = operations.find(([, route]) => route.test(`${method} ${path}`)) ?? []
    return operation && schema ? schema.validate(operation, body).map((fault) => `${operation} ${fault}`) : []
  })
  assert.deepEqual(faults, [], 'every request keeps the contract of the platform')
  await mattermost.close()
})

const operations: readonly [string, RegExp][] = [
  ['CreatePost', /^POST \/posts$/],
  ['CreatePostEphemeral', /^POST \/posts\/ephemeral$/],
  ['PatchPost', /^PUT \/posts\/\w+\/patch$/],
  ['SaveReaction', /^POST \/reactions$/],
]

/** The webhook of the account that is open, at an address of this machine. */
let webhook: Webhook | 'none' = 'none'
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => void answerCall(Buffer.concat(chunks)).then(({ status, text }) => response.writeHead(status).end(text)))
})
let received: Inbound[] = []
async function answerCall(body: Buffer): Promise<{ status: number; text: string }> {
  assert.ok(webhook !== 'none')
  const outcome = await webhook.receive(postRequest(body.toString()))
  if (!('inbounds' in outcome)) return { status: 'forged' in outcome ? 401 : 400, text: '' }
  received.push(...outcome.inbounds)
  return { status: 200, text: await outcome.answer({ toast: 'Done @all' }).text() }
}
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const publicUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/`

/** An account with the official library, in this state. */
async function open(
  t: TestContext,
  {
    cursor = memoryCursor(),
    token = mattermost.token,
    state = 'connected',
    url = publicUrl,
  }: { cursor?: Cursor; token?: string; state?: string; url?: string | null } = {},
): Promise<Opened> {
  const config = mattermostConfig(z).parse({ url: `${mattermost.url}/`, token })
  const opened = await openUnderTest(t, (parts) => openMattermost({ name: 'mattermost', config }, parts), { cursor, publicUrl: url })
  const { account } = opened
  await eventually(
    () => account.state.state === state,
    () => `${state}: ${account.state.problem}`,
  )
  webhook = account.webhook
  received = []
  return opened
}

const hello = (channel: Channel, address: string, more: object = {}) => show(channel, helloBlocks, { address, ...more })

test('openMattermost: connects, and reports direct messages, threads, edits and files with the names of people', async (t) => {
  const { account, taken } = await open(t)
  assert.equal(account.state.account, '@parley')
  const first = mattermost.say(direct, mia, 'hi')
  const root = mattermost.say(team, mia, 'hey @parley')
  mattermost.say(team, mia, 'in a thread', { root })
  mattermost.say(team, mia, '', { files: { 'a.txt': Buffer.from('abc') } })
  mattermost.edit(first, 'hi again')
  mattermost.remove(root)
  mattermost.say(team, mattermost.botId, 'own words')
  await eventually(
    () => taken.length === 6,
    () => `six events; there are ${JSON.stringify(taken)}`,
  )
  const seen = taken.map((one) => [one.type, one.address, one.isPrivate, one.from.name, 'text' in one ? one.text : ''])
  assert.deepEqual(seen, [
    ['message', direct, true, 'Mia', 'hi'],
    ['message', team, false, 'Mia', 'hey @parley'],
    ['message', `${team}:thread:${root}`, false, 'Mia', 'in a thread'],
    ['message', team, false, 'Mia', ''],
    ['edit', direct, true, 'Mia', 'hi again'],
    ['deleted', team, false, 'Mia', ''],
  ])
  assert.ok(taken[1]?.type === 'message' && taken[1].isMention)
  assert.ok(taken[3]?.type === 'message' && taken[3].media[0]?.name === 'a.txt')
})

test('openMattermost: sends, edits, pins, reacts and removes, in direct messages and threads', async (t) => {
  const { channel } = await open(t)
  const id = await sendAndGetId(channel, hello(channel, direct))
  const at = { address: direct, messageId: id }
  const post = mattermost.posts(direct)[0] ?? assert.fail('no post')
  assert.deepEqual([mattermost.joinWords(post), post.id], ['Hello **you**', id])
  assert.ok('receipt' in (await send(channel, channel.operations.pin(at, false))))
  assert.ok('receipt' in (await send(channel, channel.operations.react(at, '👍'))))
  assert.deepEqual([post.is_pinned, mattermost.reactions.map(({ emoji_name: name }) => name)], [true, ['+1']])
  assert.ok('receipt' in (await send(channel, channel.operations.react(at, null))))
  assert.ok('receipt' in (await send(channel, channel.operations.unpin(at))))
  assert.deepEqual([post.is_pinned, mattermost.reactions.length], [false, 0])
  const words: AdaptedBlock[] = [{ type: 'text', text: 'Changed', format: 'plain' }]
  assert.ok('receipt' in (await send(channel, show(channel, words, { address: direct, edit: [id] }))))
  assert.deepEqual([post.message, post.props.mm_blocks, mattermost.posts(direct).length], ['Changed', undefined, 1])
  const root = mattermost.say(team, mia, 'a topic')
  await send(channel, hello(channel, `${team}:thread:${root}`), 'k2')
  assert.deepEqual(
    mattermost.posts(team).map(({ root_id: thread }) => thread),
    [root],
  )
  const typing = channel.operations.typing(direct)
  assert.ok(typing && 'receipt' in (await send(channel, typing)))
  assert.deepEqual(mattermost.typing, [post.channel_id])
  assert.ok('receipt' in (await send(channel, channel.operations.remove(at))))
  assert.equal((await sendAndFail(channel, hello(channel, direct, { edit: [id] }))).code, 'gone')
})

test('openMattermost: a repeated request with the same key makes one post', async (t) => {
  const { channel } = await open(t)
  mattermost.fault({ operation: /POST \/posts$/, status: 0, drop: true })
  const cut = await sendAndFail(channel, hello(channel, team), 'the key')
  assert.ok(cut.maybeSent && cut.retryable)
  const id = await sendAndGetId(channel, hello(channel, team), 'the key')
  assert.deepEqual(
    mattermost.posts(team).map((post) => post.id),
    [id],
  )
})

test('openMattermost: a 429 holds the whole account for the time it names', async (t) => {
  const { channel } = await open(t)
  mattermost.fault({ operation: /POST \/posts$/, status: 429, headers: { 'retry-after': '2', 'content-type': 'text/plain' } })
  assert.deepEqual(await sendAndWait(channel, hello(channel, team)), ['rate_limited', 2_000, 'account', false])
})

test('openMattermost: files of this machine are attached, and received files are downloaded', async (t) => {
  const { channel, taken } = await open(t)
  const medium = { type: 'media' as const, kind: 'file' as const, name: 'a.txt' }
  const id = await sendAndGetId(channel, show(channel, [{ ...medium, url: 'file:///project/a.txt' }], { address: direct }))
  const post = mattermost.posts(direct)[0]
  assert.deepEqual(
    post?.metadata.files.map(({ name, size }) => [name, size]),
    [['über 1.txt', 5]],
  )
  const edit = { address: direct, edit: [id], showing: ['file:///project/a.txt'] }
  assert.ok('receipt' in (await send(channel, show(channel, [{ ...medium, url: 'file:///project/b.txt' }], edit))))
  assert.equal(post?.file_ids.length, 1)
  assert.ok('receipt' in (await send(channel, show(channel, [{ type: 'text', text: 'none', format: 'plain' }], edit))))
  assert.deepEqual(post?.file_ids, [])
  const missing = show(channel, [{ ...medium, url: 'file:///project/missing.txt' }], { address: team })
  assert.equal((await sendAndFail(channel, missing, 'k2')).code, 'refused')
  mattermost.say(team, mia, '', { files: { 'b.txt': Buffer.from('abc') } })
  const message = await eventually(() => taken[0], 'a message')
  assert.ok(message.type === 'message')
  assert.deepEqual(await download(channel, message.media[0]?.fileId ?? ''), { text: 'abc', name: 'b.txt' })
  assert.deepEqual(await download(channel, 'nofile00000000000000000001'), { code: 'gone' })
})

for (const shape of ['blocks', 'attachments'] as const)
  test(`openMattermost: a tap on a post with ${shape} has the address of its post, and its toast is in the response`, async (t) => {
    await mattermost.close()
    await emulate({ hasBlocks: shape === 'blocks' })
    const { channel } = await open(t)
    const root = mattermost.say(team, mia, 'a topic')
    assert.ok('receipt' in (await send(channel, hello(channel, `${team}:thread:${root}`))))
    const [post] = mattermost.posts(team)
    assert.ok(post && (shape === 'blocks' ? post.props.mm_blocks : post.props.attachments))
    assert.equal((await mattermost.tap(mia, post, 'Yes')).status, 200)
    assert.equal((await mattermost.tap(mia, post, 'Tea')).status, 200)
    const seen = received.map((one) => one.type === 'tap' && [one.address, one.value, one.messageId, one.from.id, one.from.name])
    assert.deepEqual(seen, [
      [`${team}:thread:${root}`, 'token-1', post.id, mia, 'Mia'],
      [`${team}:thread:${root}`, 'token-2', post.id, mia, 'Mia'],
    ])
    assert.deepEqual(mattermost.ephemerals[0], { user: mia, channel: team, text: 'Done @\u200Ball' })
  })

test('openMattermost: a tap that is forged, old, of another person or another post is refused', async (t) => {
  const { channel } = await open(t)
  await send(channel, hello(channel, team))
  const [post] = mattermost.posts(team)
  assert.ok(post)
  const eve = mattermost.person('Eve')
  const { context } = post.props.mm_blocks_actions?.['a0'] ?? {}
  const changes = {
    'a trigger of another person': { user_id: mia, trigger_id: mattermost.trigger(eve) },
    'a trigger that is old': { trigger_id: mattermost.trigger(mia, Date.now() - 6 * 60_000) },
    'a trigger of the future': { trigger_id: mattermost.trigger(mia, Date.now() + 6 * 60_000) },
    'no trigger': { trigger_id: undefined },
    'a trigger with another signature': { trigger_id: Buffer.from(`${mia}:${mia}:${Date.now()}:AAAA`).toString('base64') },
    'another address in the context': { context: { ...context, address: direct } },
    'another value in the context': { context: { ...context, value: 'token-9' } },
    'no signature': { context: { ...context, signature: '' } },
    'a select instead of a button': { context: { ...context, value: undefined, selected_option: 'token-9' } },
    'no context': { context: undefined },
  }
  for (const [what, changed] of Object.entries(changes)) assert.equal((await mattermost.tap(mia, post, 'Yes', changed)).status, 401, what)
  assert.equal(received.length, 0)
  const trigger_id = mattermost.trigger(mia)
  const both = [await mattermost.tap(mia, post, 'Yes', { trigger_id }), await mattermost.tap(mia, post, 'Yes', { trigger_id })]
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(received[0]?.id, received[1]?.id, 'a repeated call has the same id, so it is stored once')
  // The client of a person can add an option to a button; the button decides.
  await mattermost.tap(mia, post, 'Yes', { context: { ...context, selected_option: 'token-9' } })
  const [last] = received.slice(-1)
  assert.ok(last?.type === 'tap' && last.value === 'token-1')
})

test('openMattermost: a post for one person needs a permission, and says so', async (t) => {
  const { channel } = await open(t)
  assert.ok('receipt' in (await send(channel, hello(channel, team, { onlyFor: mia }))))
  assert.deepEqual(
    mattermost.ephemerals.map(({ user, text }) => [user, text]),
    [[mia, 'Hello **you**']],
  )
  await mattermost.close()
  await emulate({ isAdmin: false })
  const { channel: plain } = await open(t)
  const { code, why } = await sendAndFail(plain, hello(plain, team, { onlyFor: mia }))
  assert.ok(code === 'forbidden' && why.includes('create_post_ephemeral'))
})

test('openMattermost: without an address for Mattermost there are no controls', async (t) => {
  const { channel } = await open(t, { url: null })
  const { buttons, selects } = channel.capabilities.presentation
  assert.deepEqual([buttons, selects], [false, false])
})

test('openMattermost: after a lost socket or a lost event, posts that were missed are fetched', async (t) => {
  const { taken } = await open(t)
  mattermost.disconnect()
  await eventually(() => !mattermost.isConnected, 'no socket')
  mattermost.say(direct, mia, 'while away')
  await eventually(() => taken.length === 1 && mattermost.isConnected, 'the message')
  mattermost.skipEvent()
  mattermost.say(direct, mia, 'with a gap')
  await eventually(() => taken.some((one) => 'text' in one && one.text === 'with a gap'), 'the second message')
})

test('openMattermost: a process that starts again gets what was written meanwhile, also in a new chat', async (t) => {
  const cursor = memoryCursor()
  mattermost.say(team, mia, 'before the first start')
  const before = await open(t, { cursor })
  const known = mattermost.say(direct, mia, 'one')
  await eventually(() => before.taken.length === 1, 'one')
  await before.account.close()
  await eventually(() => !mattermost.isConnected, 'no socket')
  const eve = mattermost.person('Eve')
  mattermost.say(`user:${eve}`, eve, 'first words')
  mattermost.edit(known, 'one, changed')
  mattermost.say(direct, mia, 'two')
  const { taken } = await open(t, { cursor })
  // Posts of the last seconds are reported again, with the same ids.
  const fresh = taken.filter(({ id }) => !before.taken.some((one) => one.id === id)).map((one) => ('text' in one ? one.text : ''))
  assert.deepEqual(fresh.toSorted(), ['first words', 'one, changed', 'two'])
  assert.equal(new Set(taken.map(({ id }) => id)).size, taken.length)
})

test('openMattermost: a token that is refused waits for a person', async (t) => {
  const { account } = await open(t, { token: 'another-token', state: 'waiting' })
  assert.match(account.state.problem ?? '', /refuses the token/)
})

test('openMattermost: lists messages of a channel, a thread and a person with their names, and who reacted', async (t) => {
  const { channel } = await open(t)
  const { reactions, signal, list } = lookupsUnderTest(channel, ({ from, text: words }) => [from.name, from.isBot, words])
  const root = mattermost.say(team, mia, 'first')
  const ours = await sendAndGetId(channel, show(channel, helloBlocks, { address: team }))
  for (let at = 0; at < 5; at += 1) mattermost.say(team, mia, `reply ${at}`, { root })
  mattermost.say(direct, mia, 'between us')
  assert.deepEqual(await list({ address: team, limit: 2, before: ours }), [['Mia', false, 'first']])
  assert.deepEqual((await list({ address: team, limit: 6 })).at(-1), ['parley', true, 'Hello **you**'])
  assert.deepEqual(await list({ address: `${team}:thread:${root}`, limit: 2 }), [
    ['Mia', false, 'reply 4'],
    ['Mia', false, 'reply 3'],
  ])
  assert.deepEqual(await list({ address: team, limit: 2, messageId: root }), [['Mia', false, 'first']])
  assert.deepEqual(await list({ address: direct, limit: 2 }), [['Mia', false, 'between us']])
  assert.ok('receipt' in (await send(channel, channel.operations.react({ address: team, messageId: root }, '👍'))))
  const answer = await reactions({ address: team, messageId: root }, signal)
  assert.deepEqual('reactions' in answer && answer.reactions.map(({ emoji, count, people }) => [emoji, count, people.length]), [
    ['+1', 1, 1],
  ])
})
