import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import type { Channel } from '../../ports/channel.ts'
import { type Hooks, type InboundText, type InboundTouch, noHooks, noNotes, pluginVia, type ReplyOnItsWay } from '../../ports/hooks.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { type Guard, guardFor } from './guard.ts'
import { buildHooks } from './build-hooks.ts'
import type { PluginParts } from './plugin.ts'
import { pluginLimits } from './plugin-limits.ts'

const reply = (message: ReplyPayload = { text: 'Hello' }): ReplyOnItsWay => ({
  dialog: 'dlg_1',
  turn: 3,
  agent: 'ada',
  language: 'en',
  channel: 'tg',
  kind: 'telegram',
  address: '7',
  isPrivate: true,
  asker: '7',
  hasButtons: true,
  message,
})
const from = { id: '7', name: 'Ann' }
const text: InboundText = {
  type: 'message',
  id: 'update:1',
  address: '7',
  isPrivate: true,
  from,
  at: 1,
  messageId: '5',
  text: 'hi',
  media: [],
}
const tap: InboundTouch = {
  type: 'tap',
  id: 'tap:q',
  address: '7',
  isPrivate: true,
  from,
  at: 1,
  tap: { data: { id: 'q' }, expiresAt: 0 },
  messageId: '5',
  value: 'x',
}
const channel = { name: 'tg' } as Channel
const outgoing = { channel: 'tg', kind: 'telegram', address: '7', dialog: null, message: { text: 'Hello' } }
const actionTap = {
  channel: 'tg',
  kind: 'telegram',
  address: '7',
  messageId: '5',
  dialog: null,
  tap: 'tap:q',
  from,
  isPrivate: true,
  value: 'x',
}

function mounted(...plugins: PluginParts[]): { hooks: Hooks; guards: Guard[]; clock: ReturnType<typeof simulatedClock>; logged: string[] } {
  const clock = simulatedClock()
  const logged: string[] = []
  const guarded = plugins.map((parts, index) => ({
    parts,
    guard: guardFor(`p${index}`, {
      clock,
      log: (level, message, fields) => void logged.push(`${level} ${message} ${String(fields?.['why'])}`),
    }),
  }))
  return { hooks: buildHooks(guarded), guards: guarded.map(({ guard }) => guard), clock, logged }
}

/** Every hook, with its result when no plugin implements it. */
const asks: { part: keyof PluginParts; ask: (hooks: Hooks) => Promise<unknown>; otherwise: unknown; limitMs?: number }[] = [
  { part: 'prepareReply', ask: (hooks) => hooks.prepareReply(reply()), otherwise: { text: 'Hello' } },
  { part: 'replyDelivered', ask: (hooks) => hooks.replyDelivered({ ...reply(), delivery: 'd', messageIds: ['5'] }), otherwise: undefined },
  {
    part: 'messageReceived',
    ask: (hooks) => hooks.messageReceived({ channel: 'tg', kind: 'telegram', inbound: text }),
    otherwise: undefined,
  },
  { part: 'saidInDialog', ask: (hooks) => hooks.saidInDialog({ dialog: 'dlg_1', text: 'x', via: 'web', key: 'k' }), otherwise: undefined },
  { part: 'onTap', ask: (hooks) => hooks.tapped({ channel, kind: 'telegram', tap }), otherwise: null },
  {
    part: 'turnNotes',
    ask: (hooks) => hooks.turnNotes({ dialog: 'dlg_1', turn: 3, agent: 'ada' }),
    otherwise: { lines: [], followUps: 'allowed' },
  },
  {
    part: 'prepareMessage',
    ask: (hooks) => hooks.prepareMessage({ ...outgoing, purpose: 'notice' }),
    otherwise: { text: 'Hello' },
    limitMs: pluginLimits.prepareMs,
  },
  { part: 'prepareMessage', ask: (hooks) => hooks.prepareMessage({ ...outgoing, purpose: 'draft' }), otherwise: { text: 'Hello' } },
  { part: 'onAction', ask: (hooks) => hooks.actionTapped({ ...actionTap, plugin: 'p0' }), otherwise: null },
  { part: 'ownsData', ask: async (hooks) => hooks.ownsData('x'), otherwise: false },
]

test('without plugins there is nothing to go through, and with nothing to say nothing is handed on', async () => {
  assert.equal(mounted().hooks, noHooks)
  const { hooks } = mounted({ turnNotes: () => null, prepareReply: () => null })
  assert.equal(await hooks.turnNotes({ dialog: 'd', turn: 1, agent: 'ada' }), noNotes)
  const original = reply()
  assert.equal(await hooks.prepareReply(original), original.message)
})

for (const { part, ask, otherwise } of asks) {
  test(`${part}: one that throws is passed over, reported, and after ${pluginLimits.failuresInARow} times set aside`, async () => {
    let requestCount = 0
    const { hooks, guards, logged } = mounted({
      [part]: () => {
        requestCount += 1
        throw new Error('out of order')
      },
    })
    for (let time = 0; time < pluginLimits.failuresInARow + 3; time += 1) assert.deepEqual(await ask(hooks), otherwise)
    assert.equal(requestCount, pluginLimits.failuresInARow)
    assert.equal(guards[0]?.isAside(), true)
    assert.match(guards[0]?.problem() ?? '', /set aside \(\w+: out of order\)/)
    assert.equal(logged.filter((line) => line.startsWith('warn') && line.includes('out of order')).length, pluginLimits.failuresInARow)
  })
}

for (const { part, ask, otherwise, limitMs = pluginLimits.hookMs } of asks.filter((one) => one.part !== 'ownsData')) {
  test(`${part}: one that hangs is waited for only so long`, async () => {
    const { hooks, guards, clock } = mounted({ [part]: () => new Promise(() => {}) })
    const asking = ask(hooks)
    await clock.advance(limitMs)
    assert.deepEqual(await asking, otherwise)
    assert.match(guards[0]?.problem() ?? '', new RegExp(`took longer than ${limitMs} ms`))
  })
}

test('actionTapped: asks the plugin that made the button alone', async () => {
  const taps: string[] = []
  const take = (name: string): PluginParts => ({ onAction: ({ value }) => (taps.push(`${name} ${value}`), { toast: name }) })
  const { hooks } = mounted(take('first'), take('second'))
  assert.equal((await hooks.actionTapped({ ...actionTap, plugin: 'p1' }))?.toast, 'second')
  assert.equal(await hooks.actionTapped({ ...actionTap, plugin: 'gone' }), null)
  assert.deepEqual(taps, ['second x'])
})

test('saidInDialog: what a plugin said is told to no plugin', async () => {
  const heard: string[] = []
  const { hooks } = mounted({ saidInDialog: ({ text: words }) => void heard.push(words) })
  for (const via of ['web', pluginVia]) await hooks.saidInDialog({ dialog: 'dlg_1', text: via, via, key: via })
  assert.deepEqual(heard, ['web'])
})

test('whatever a plugin returns, a host gets something it can use', async () => {
  const nasty = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
    fc.constant(
      new Proxy(
        {},
        {
          get() {
            throw new Error('do not touch')
          },
        },
      ),
    ),
    fc.record({ text: fc.anything(), presentation: fc.anything(), toast: fc.anything(), lines: fc.anything(), followUps: fc.anything() }),
  )
  await fc.assert(
    fc.asyncProperty(nasty, async (made) => {
      const { hooks } = mounted({ prepareReply: () => made as never, onTap: () => made as never, turnNotes: () => made as never })
      const prepared = await hooks.prepareReply(reply())
      assert.ok(
        prepared.text !== undefined || (prepared.presentation?.blocks.length ?? 0) > 0 || prepared.presentation?.title !== undefined,
      )
      assert.doesNotThrow(() => JSON.stringify(prepared))
      const tapOutcome = await hooks.tapped({ channel, kind: 'telegram', tap })
      if (tapOutcome) assert.ok(tapOutcome.toast === null || typeof tapOutcome.toast === 'string')
      const { lines, followUps } = await hooks.turnNotes({ dialog: 'd', turn: 1, agent: 'ada' })
      assert.ok(lines.every((line) => typeof line === 'string') && ['allowed', 'suppressed'].includes(followUps))
    }),
    { numRuns: 300 },
  )
})

test('what a plugin does to what it was given changes nothing for others', async () => {
  const spoil = (value: object): never => {
    for (const key of Object.keys(value)) delete (value as Record<string, unknown>)[key]
    throw new Error('spoilt')
  }
  const entries: unknown[] = []
  const { hooks } = mounted(
    {
      prepareReply: ({ message }) => spoil(message.presentation ?? message),
      messageReceived: ({ inbound }) => spoil(inbound.from),
      replyDelivered: ({ messageIds }) => void (messageIds as string[]).splice(0),
      onTap: (given) => spoil(given.tap),
    },
    {
      prepareReply: ({ message }) => void entries.push(message),
      messageReceived: ({ inbound }) => void entries.push(inbound),
      replyDelivered: ({ messageIds }) => void entries.push(messageIds),
      onTap: (given) => void entries.push(given.tap),
    },
  )
  const message: ReplyPayload = { text: 'Hello', presentation: { blocks: [{ type: 'divider' }] } }
  const inbound = structuredClone(text)
  assert.deepEqual(await hooks.prepareReply(reply(message)), { text: 'Hello', presentation: { blocks: [{ type: 'divider' }] } })
  await hooks.messageReceived({ channel: 'tg', kind: 'telegram', inbound })
  await hooks.replyDelivered({ ...reply(), delivery: 'd', messageIds: ['5'] })
  await hooks.tapped({ channel, kind: 'telegram', tap })
  assert.deepEqual(entries, [message, text, ['5'], tap])
  assert.deepEqual(inbound, text)
})

test('plugins are asked in their order, each with what the one before made', async () => {
  const add = (words: string): PluginParts => ({
    prepareReply: ({ message }) => ({ ...message, text: `${message.text ?? ''} ${words}` }),
    turnNotes: () => ({ lines: [words], followUps: words === 'two' ? 'suppressed' : 'allowed' }),
    onTap: () => (words === 'one' ? null : { toast: words }),
  })
  const { hooks } = mounted(add('one'), { prepareReply: () => ({ text: '' }) }, add('two'), add('three'))
  assert.deepEqual(await hooks.prepareReply(reply()), { text: 'Hello one two three' })
  assert.deepEqual(await hooks.turnNotes({ dialog: 'd', turn: 1, agent: 'ada' }), {
    lines: [
      { plugin: 'p0', text: 'one' },
      { plugin: 'p2', text: 'two' },
      { plugin: 'p3', text: 'three' },
    ],
    followUps: 'suppressed',
  })
  assert.equal((await hooks.tapped({ channel, kind: 'telegram', tap }))?.toast, 'two')
})

test('a part that works again is no problem any more, and one that fails now and then is not set aside', async () => {
  let time = 0
  const { hooks, guards } = mounted({
    turnNotes() {
      time += 1
      if (time % pluginLimits.failuresInARow !== 0) throw new Error('not today')
      return null
    },
  })
  for (let turn = 1; turn <= 4 * pluginLimits.failuresInARow; turn += 1) {
    await hooks.turnNotes({ dialog: 'd', turn, agent: 'ada' })
    assert.equal(guards[0]?.problem() === null, turn % pluginLimits.failuresInARow === 0)
  }
  assert.equal(guards[0]?.isAside(), false)
})

test('acting on a tap may take longer than the toast, and fails for itself', async () => {
  const { hooks, guards, clock } = mounted({ onTap: () => ({ toast: 'ok', act: () => new Promise(() => {}) }) })
  const outcomeOfTap = await hooks.tapped({ channel, kind: 'telegram', tap })
  let isDone = false
  const acting = outcomeOfTap?.act().then(() => (isDone = true))
  await clock.advance(pluginLimits.hookMs)
  assert.equal(isDone, false)
  await clock.advance(pluginLimits.afterwardsMs)
  await acting
  assert.match(guards[0]?.problem() ?? '', /onTap\.act failed/)
})

test('prepareReply: a plugin cannot add a button that answers a question', async () => {
  const action = { type: 'question', questionId: 'qst_1', optionValue: 'yes' } as const
  const { hooks, guards } = mounted({
    prepareReply: ({ message }) => ({
      ...message,
      presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'Yes', action }] }] },
    }),
  })
  assert.deepEqual(await hooks.prepareReply(reply()), { text: 'Hello' })
  assert.match(guards[0]?.problem() ?? '', /only the server can create/)
})

test('transcribe: the first plugin that writes a voice message down counts; nonsense is passed over', async () => {
  const voice = { channel: 'tg', kind: 'telegram', name: 'v.ogg', mimeType: 'audio/ogg', bytes: Buffer.from('x'), language: null }
  const clock = simulatedClock()
  const guarded = (parts: PluginParts) => ({ parts, guard: guardFor('p', { clock, log: () => {} }) })
  const hooks = buildHooks([
    guarded({ transcribe: () => null }),
    guarded({ transcribe: () => 7 as never }),
    guarded({ transcribe: ({ name }) => `words of ${name}` }),
    guarded({ transcribe: () => 'never asked' }),
  ])
  assert.equal(await hooks.transcribe(voice), 'words of v.ogg')
  assert.equal(await buildHooks([guarded({})]).transcribe(voice), null)
})
