import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Connection } from './connections.ts'
import { accountConfig } from './test/account-config.ts'
import { noLocalFiles } from './local-files.ts'
import { messagesOver } from './messages.ts'
import type { AddressRules, CapabilitySheet } from '../ports/channel.ts'
import type { Caller, Parley } from '../shapes/parley.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { loopbackChannel } from './outbox/test/loopback-channel.ts'
import { openOutbox } from './outbox/test/outbox-under-test.ts'

const caller: Caller = { by: { kind: 'human', name: 'owner' }, via: 'api' }
const dialog = { id: 'dlg_1', agent: 'ada', title: '', origin: null } as unknown as Awaited<ReturnType<Parley['dialogs']['get']>>
const at = { channel: 'fake', target: 'a' }

function open(t: TestContext, abilities: Partial<CapabilitySheet['delivery']> = {}, address: Partial<AddressRules> = {}) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: abilities, address })
  const box = openOutbox({ channel: fake.channel, clock })
  t.after(() => box.deliverer.stop(0))
  const account: Connection = {
    name: 'fake',
    kind: 'fake',
    config: accountConfig({}),
    channel: fake.channel,
    receives: 'webhook',
    webhook: 'none',
    state: 'connected',
    account: '@fake',
    problem: null,
    ready: Promise.resolve(),
    check: async () => ({ account: '@fake' }),
    close: async () => {},
  }
  const { messages, deliveries } = messagesOver({
    store: box.store,
    committer: box.committer,
    delivery: box,
    connections: {
      get: () => fake.channel,
      connection: () => account,
      getKind: () => 'fake',
      list: () => [account],
      replace: async () => {},
      problems: () => [],
      close: async () => {},
    },
    dialogs: { get: async () => dialog },
    files: noLocalFiles,
    clock,
  })
  const send = async (message: string, pin?: boolean): Promise<string> => {
    const { delivery } = await messages.send({ ...at, message, ...(pin && { delivery: { pin } }) }, caller)
    await clock.advance(100)
    return delivery.id
  }
  const pins = async (): Promise<string[]> => (await messages.pins(at, 10)).map(({ text }) => text)
  return { clock, fake, box, messages, deliveries, send, pins }
}

test('what is pinned or taken down by hand is known: the list of pins is what people see', async (t) => {
  const { box, messages, send, pins } = open(t)
  const first = await send('first', true)
  await send('second')
  assert.deepEqual(await pins(), ['first'])
  await messages.pin({ ...at, messageId: 'm2' }, false)
  await messages.pin({ ...at, messageId: 'm2' }, false)
  assert.deepEqual((await pins()).toSorted(), ['first', 'second'])
  await messages.unpin({ ...at, messageId: 'm1' })
  assert.deepEqual(await pins(), ['second'])
  assert.equal((await box.get(first)).state, 'sent')
  await messages.remove({ ...at, messageId: 'm2' })
  assert.deepEqual(await pins(), [])
})

test('a pin that the platform refused is not listed, and a message of another sender can be pinned', async (t) => {
  const { fake, messages, send, pins } = open(t)
  await send('first')
  fake.faults.push({ failure: { code: 'forbidden' } })
  await assert.rejects(messages.pin({ ...at, messageId: 'm1' }, false))
  await messages.pin({ ...at, messageId: 'of-mia' }, false)
  assert.deepEqual(await pins(), [])
})

test('trying it first shows the pin too, where the channel can', async (t) => {
  const { fake, messages } = open(t)
  const operations = async (pin: unknown): Promise<unknown[]> =>
    (await messages.dryRun({ ...at, message: 'first', delivery: { pin } })).requests.map(({ operation, body }) => [
      operation,
      body?.['id'],
      body?.['notify'],
    ])
  const firstCall = ['send', undefined, undefined]
  assert.deepEqual(await operations(true), [firstCall, ['pin', '0', false]])
  assert.deepEqual(await operations({ enabled: true, notify: true }), [firstCall, ['pin', '0', true]])
  assert.deepEqual(await operations(false), [firstCall])
  fake.channel.capabilities.delivery.pinSentMessage = false
  assert.deepEqual(await operations(true), [firstCall])
  assert.deepEqual(fake.calls, [])
})

test('dryRun: shows a token in a button as sending does, never the value', async (t) => {
  const { clock, messages, fake } = open(t)
  const input = { ...at, message: 'x', presentation: withButton({ type: 'callback', value: 'sunny' }) }
  const dry = await messages.dryRun(input)
  await messages.send(input, caller)
  await clock.advance(100)
  const toShape = (value: unknown): string => JSON.stringify(value).replaceAll(/p1:t:[\w-]+/g, (token) => `token of ${token.length}`)
  assert.match(JSON.stringify(dry.requests), /p1:t:/)
  assert.equal(JSON.stringify(dry.requests).includes('sunny'), false)
  assert.match(toShape(dry.requests), /"controls":\["token of 21"\]/)
  assert.deepEqual(
    fake.sends()[0]?.controls.map((control) => toShape(control)),
    ['"token of 21"'],
  )
})

test('edit: waits for its outcome as sending does', async (t) => {
  const { clock, messages, send } = open(t)
  const delivery = await send('first')
  const edited = messages.edit({ delivery }, { message: 'second' }, caller, 5_000)
  const outcome = async (): Promise<string> => (await Promise.race([edited, Promise.resolve(null)]))?.delivery.state ?? 'not yet'
  assert.equal(await outcome(), 'not yet')
  await clock.advance(1_000)
  assert.equal(await outcome(), 'sent')
})

test('edit and pin: a message is found by its id after 250 newer ones', async (t) => {
  const { fake, clock, messages, send } = open(t)
  await send('the first')
  for (let number = 2; number <= 251; number += 1) await messages.send({ ...at, message: `number ${number}` }, caller)
  await clock.advance(30_000)
  assert.equal(fake.sends().length, 251)
  await messages.edit({ ...at, messageId: 'm1' }, { message: 'the first, changed' }, caller)
  await messages.pin({ ...at, messageId: 'm1' }, false)
  await clock.advance(1_000)
  assert.equal(fake.screen.get('m1')?.text, 'the first, changed')
  assert.equal(fake.screen.get('m1')?.pinned, true)
})

test('poll: a delivery of its own with its words, which can be pinned; refused where there are no polls', async (t) => {
  const { clock, fake, messages, deliveries } = open(t)
  const poll = { question: 'Lunch?', options: ['Pizza', 'Sushi'] }
  await assert.rejects(messages.poll({ ...at, poll }, caller), { code: 'channel_cannot' })
  fake.channel.capabilities.presentation.polls = {
    maxOptions: 2,
    maxQuestionLength: 10,
    maxOptionLength: 5,
    openMs: [1_000, 60_000],
    voters: 'shown',
    render: ({ question, options }, { address, silent = false }) => ({
      operation: 'send',
      body: { address, text: question, options, silent },
    }),
  }
  const { delivery } = await messages.poll({ ...at, poll, pin: true, silent: true }, caller)
  await clock.advance(100)
  const view = await deliveries.get(delivery.id)
  assert.deepEqual([view.state, view.text, view.pin], ['sent', 'Lunch?\n- Pizza\n- Sushi', 'pinned'])
  assert.deepEqual(fake.calls[0], { operation: 'send', body: { address: 'a', text: 'Lunch?', options: ['Pizza', 'Sushi'], silent: true } })
  for (const change of [
    { question: 'A long question' },
    { options: ['a', 'b', 'c'] },
    { options: ['Pizzas', 'b'] },
    { options: ['a', 'a'] },
  ])
    await assert.rejects(messages.poll({ ...at, poll: { ...poll, ...change } }, caller), { code: 'poll_refused' })
  await assert.rejects(messages.poll({ ...at, poll: { ...poll, isAnonymous: true } }, caller), {
    code: 'poll_refused',
    message: /who voted/,
  })
  await assert.rejects(messages.poll({ ...at, poll: { ...poll, openForMs: 61_000 } }, caller), { message: /1 seconds to 60 seconds/ })
  assert.equal(fake.calls.length, 2)
})

test('read and reactions: what the platform tells, refused where it tells nothing', async (t) => {
  const { fake, messages } = open(t)
  await assert.rejects(messages.read({ ...at, limit: 5 }), { code: 'channel_cannot' })
  await assert.rejects(messages.reactions({ ...at, messageId: 'm1' }), { code: 'channel_cannot' })
  const from = { id: 'u1', name: 'Mia', isBot: false }
  const asked: object[] = []
  Object.assign(fake.channel, {
    lookups: {
      async messages(query: object) {
        asked.push(query)
        return { messages: [{ messageId: 'm1', from: { ...from, language: 'en' }, at: 1, text: 'hi', files: 0 }] }
      },
      reactions: async () => ({ failure: { code: 'gone', why: 'it was deleted', retryable: false, maybeSent: false } }),
    } satisfies NonNullable<typeof fake.channel.lookups>,
  })
  assert.deepEqual(await messages.read({ ...at, limit: 5, before: 'm2' }), [{ messageId: 'm1', from, at: 1, text: 'hi', files: 0 }])
  assert.deepEqual(asked, [{ address: 'a', limit: 5, before: 'm2' }])
  await assert.rejects(messages.reactions({ ...at, messageId: 'm1' }), { code: 'channel_refused', message: /it was deleted/ })
})

const answering = { type: 'question', questionId: 'qst_1', optionValue: 'yes' }
const withButton = (action: object) => ({ blocks: [{ type: 'buttons', buttons: [{ label: 'Weather', action }] }] })

test('deliveries.retry: a repeated request sends nothing, whatever became of the first', async (t) => {
  const { clock, fake, deliveries, send } = open(t)
  const callerWithKey = (key: string, request = 'retry'): Caller => ({ ...caller, once: { key, request } })
  fake.faults.push({ lost: true }, { lost: true }, 'ok')
  const id = await send('hello')
  assert.equal((await deliveries.get(id)).state, 'unknown')
  await deliveries.retry(id, callerWithKey('first'))
  await clock.advance(100)
  // The answer to the request was lost, and the delivery is stuck again.
  assert.equal((await deliveries.retry(id, callerWithKey('first'))).state, 'unknown')
  await clock.advance(100)
  assert.equal(fake.sends().length, 2)
  await assert.rejects(deliveries.retry(id, callerWithKey('first', 'something else')), { code: 'key_reused' })
  await deliveries.retry(id, callerWithKey('second'))
  await clock.advance(100)
  // It arrived in the meantime: no reason to refuse what was done.
  assert.equal((await deliveries.retry(id, callerWithKey('second'))).state, 'sent')
  await assert.rejects(deliveries.retry(id, callerWithKey('third')), { code: 'delivery_not_stuck' })
  assert.equal(fake.sends().length, 3)
})

test('deliveries.dismiss: a repeated request leaves a delivery alone that was tried again since', async (t) => {
  const { clock, fake, deliveries, send } = open(t)
  const dismissCaller: Caller = { ...caller, once: { key: 'k', request: 'dismiss' } }
  fake.faults.push({ lost: true }, { lost: true })
  const id = await send('hello')
  assert.equal((await deliveries.dismiss(id, dismissCaller)).state, 'dismissed')
  await deliveries.retry(id, caller)
  await clock.advance(100)
  assert.equal((await deliveries.dismiss(id, dismissCaller)).state, 'unknown')
})

test('send, dryRun and edit refuse a button that answers a question', async (t) => {
  const { messages, send, fake } = open(t)
  const delivery = await send('first')
  const refused = { code: 'action_reserved' }
  const input = { ...at, message: 'x', presentation: withButton(answering) }
  await assert.rejects(messages.send(input, caller), refused)
  await assert.rejects(messages.dryRun(input), refused)
  await assert.rejects(messages.edit({ delivery }, { presentation: withButton(answering) }, caller), refused)
  await assert.rejects(messages.edit({ ...at, messageId: 'm1' }, { presentation: withButton(answering) }, caller), refused)
  assert.equal(fake.calls.length, 1)
})

test('remove, pin and unpin leave messages alone under which a tap decides, in any spelling of their chat', async (t) => {
  const { clock, box, messages, fake } = open(
    t,
    {},
    {
      parent: (address) => (address.includes(':topic:') ? (address.split(':topic:')[0] ?? null) : null),
      isGroup: () => true,
      parse: (target) => target.replace(/^0+/, ''),
    },
  )
  await box.plan({ channel: 'fake', address: '5', message: { text: 'card' }, about: 'approvals:qst_1' })
  await clock.advance(100)
  const [messageId = ''] = fake.screen.keys()
  // More messages than one page of deliveries holds.
  for (let count = 0; count < 201; count += 1) await box.plan({ channel: 'fake', address: '5', message: { text: 'x' } })
  await clock.advance(1_000)
  const calls = fake.calls.length
  for (const target of ['5', '005', '5:topic:7']) {
    const which = { channel: 'fake', target, messageId }
    await assert.rejects(messages.remove(which), { code: 'message_reserved' }, target)
    await assert.rejects(messages.pin(which, false), { code: 'message_reserved' }, target)
    await assert.rejects(messages.unpin(which), { code: 'message_reserved' }, target)
  }
  assert.equal(fake.calls.length, calls)
})

test('send and resolve take the spelling of the channel; a name that it does not know is unresolved', async (t) => {
  const { clock, messages, fake } = open(t, {}, { parse: (target) => (/^\d+$/.test(target) ? String(Number(target)) : null) })
  await messages.send({ channel: 'fake', target: '08005', message: 'x' }, caller)
  await clock.advance(100)
  assert.deepEqual(
    fake.effects.map(({ address }) => address),
    ['8005'],
  )
  const resolved = await Promise.all(['08005', '@team'].map((target) => messages.resolve({ channel: 'fake', target }, 'dlg_1')))
  assert.deepEqual(resolved, [
    { channel: 'fake', address: '8005', isOwn: false },
    { channel: 'fake', address: '@team', isOwn: false, isUnresolved: true },
  ])
})

test('edit leaves messages alone under which a tap decides', async (t) => {
  const { clock, box, messages, fake } = open(t)
  for (const about of ['pairing:binding:fake/a:123456', 'question:qst_1']) {
    const { delivery } = await box.plan({ channel: 'fake', address: 'a', message: { text: about }, about })
    await clock.advance(100)
    const calls = fake.calls.length
    const relabelled = { presentation: withButton({ type: 'callback', value: 'accept:123456' }) }
    await assert.rejects(messages.edit({ delivery }, relabelled, caller), { code: 'message_reserved' })
    await clock.advance(100)
    assert.equal(fake.calls.length, calls)
  }
})

test('a message for one person is refused at once where the group would see it', async (t) => {
  const plain = open(t)
  const input = { ...at, message: 'For you alone', onlyFor: 'mia' }
  await assert.rejects(plain.messages.send(input, caller), { code: 'channel_cannot' })
  await assert.rejects(plain.messages.dryRun(input), { code: 'channel_cannot' })
  await plain.messages.send({ ...input, target: 'mia' }, caller)
  const able = open(t, { showsToOne: true })
  await able.messages.send(input, caller)
  await Promise.all([plain.clock.advance(100), able.clock.advance(100)])
  assert.deepEqual([plain.fake.sends().length, able.fake.sends().length], [1, 1])
})
