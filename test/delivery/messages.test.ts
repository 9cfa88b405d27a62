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
  const { messages } = messagesOver({
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
  return { fake, box, messages, send, pins }
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
