import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { channelSchema } from '../../src/config/channels-schema.ts'
import type { Connection } from '../../src/messaging/connections.ts'
import { noLocalFiles } from '../../src/messaging/local-files.ts'
import { messagesOver } from '../../src/messaging/messages.ts'
import type { Caller } from '../../src/ports/parley.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { fakeChannel } from './fake-channel.ts'
import { openOutbox } from './outbox-under-test.ts'

const caller: Caller = { by: { kind: 'human', name: 'owner' }, via: 'api' }
const at = { channel: 'fake', target: 'a' }

function open(t: TestContext) {
  const clock = simulatedClock()
  const fake = fakeChannel({ now: clock.now })
  const box = openOutbox({ channel: fake.channel, clock })
  t.after(() => box.deliverer.stop(0))
  const account: Connection = {
    name: 'fake',
    kind: 'fake',
    config: channelSchema.parse({ token: 'x' }),
    channel: fake.channel,
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
      list: () => [account],
      replace: async () => {},
      problems: () => [],
      close: async () => {},
    },
    dialogs: { get: () => Promise.reject(new Error('nothing is sent from a dialog here')) },
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

test('a pin that the platform refused is not listed, and a message of somebody else can be pinned', async (t) => {
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
      body['id'],
      body['notify'],
    ])
  const sent = ['send', undefined, undefined]
  assert.deepEqual(await operations(true), [sent, ['pin', '0', false]])
  assert.deepEqual(await operations({ enabled: true, notify: true }), [sent, ['pin', '0', true]])
  assert.deepEqual(await operations(false), [sent])
  fake.channel.capabilities.delivery.pinSentMessage = false
  assert.deepEqual(await operations(true), [sent])
  assert.deepEqual(fake.calls, [])
})

const answering = { type: 'question', questionId: 'qst_1', optionValue: 'yes' }
const withButton = (action: object) => ({ blocks: [{ type: 'buttons', buttons: [{ label: 'Weather', action }] }] })

test('deliveries.retry: a repeated request sends nothing, whatever became of the first', async (t) => {
  const { clock, fake, deliveries, send } = open(t)
  const asked = (key: string, request = 'retry'): Caller => ({ ...caller, once: { key, request } })
  fake.faults.push({ lost: true }, { lost: true }, 'ok')
  const id = await send('hello')
  assert.equal((await deliveries.get(id)).state, 'unknown')
  await deliveries.retry(id, asked('first'))
  await clock.advance(100)
  // The answer to the request was lost, and the delivery is stuck again.
  assert.equal((await deliveries.retry(id, asked('first'))).state, 'unknown')
  await clock.advance(100)
  assert.equal(fake.sends().length, 2)
  await assert.rejects(deliveries.retry(id, asked('first', 'something else')), { code: 'key_reused' })
  await deliveries.retry(id, asked('second'))
  await clock.advance(100)
  // It arrived in the meantime: no reason to refuse what was done.
  assert.equal((await deliveries.retry(id, asked('second'))).state, 'sent')
  await assert.rejects(deliveries.retry(id, asked('third')), { code: 'delivery_not_stuck' })
  assert.equal(fake.sends().length, 3)
})

test('deliveries.dismiss: a repeated request leaves a delivery alone that was tried again since', async (t) => {
  const { clock, fake, deliveries, send } = open(t)
  const asked: Caller = { ...caller, once: { key: 'k', request: 'dismiss' } }
  fake.faults.push({ lost: true }, { lost: true })
  const id = await send('hello')
  assert.equal((await deliveries.dismiss(id, asked)).state, 'dismissed')
  await deliveries.retry(id, caller)
  await clock.advance(100)
  assert.equal((await deliveries.dismiss(id, asked)).state, 'unknown')
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
