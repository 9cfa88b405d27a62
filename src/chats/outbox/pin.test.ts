import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyPayloadDelivery } from '../message/reply-payload.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { type Fault, loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const long = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')

async function deliver(pin: ReplyPayloadDelivery['pin'], faults: Fault[] = [], canPin = true) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: { pinSentMessage: canPin } })
  const box = openOutbox({ channel: fake.channel, clock })
  fake.faults.push(...faults)
  const { delivery } = await box.plan({
    channel: 'fake',
    address: 'a',
    message: { text: long, delivery: pin === undefined ? {} : { pin } },
  })
  await clock.advance(60 * 60_000)
  return { clock, fake, box, delivery, view: await box.get(delivery), pins: fake.calls.filter(({ operation }) => operation === 'pin') }
}

test('the first message is pinned, quietly unless told otherwise', async () => {
  for (const [pin, notify] of [
    [true, false],
    [{ enabled: true }, false],
    [{ enabled: true, notify: true }, true],
  ] as const) {
    const { fake, view, pins } = await deliver(pin)
    assert.ok(fake.sends().length > 1)
    assert.deepEqual(
      pins.map(({ body }) => body),
      [{ address: 'a', id: 'm1', notify }],
    )
    assert.equal(view.state, 'sent')
    assert.equal(view.pin, 'pinned')
  }
  for (const pin of [undefined, false, { enabled: false, required: true }] as const) assert.equal((await deliver(pin)).pins.length, 0)
})

test('a pin that fails is a warning; the message counts as sent', async () => {
  const { view } = await deliver(true, ['ok', 'ok', 'ok', { failure: { code: 'forbidden', why: 'no right to pin' } }])
  assert.equal(view.state, 'sent')
  assert.match(view.error?.message ?? '', /not pinned: no right to pin/)
})

test('a required pin that fails: partly sent, with the receipts, and trying again only pins', async () => {
  const faults: Fault[] = ['ok', 'ok', 'ok', { failure: { code: 'forbidden', why: 'no right to pin' } }]
  const { fake, box, view, delivery, clock } = await deliver({ enabled: true, required: true }, faults)
  assert.equal(view.state, 'partly-sent')
  const sendCount = fake.sends().length
  assert.equal(view.receipts.length, sendCount)
  await box.retry(delivery, 'owner')
  await clock.advance(10)
  assert.equal((await box.get(delivery)).state, 'sent')
  assert.equal(fake.sends().length, sendCount)
  assert.equal(fake.screen.get('m1')?.pinned, true)
})

test('a channel that cannot pin is not asked to', async () => {
  const kind = await deliver(true, [], false)
  assert.equal(kind.view.state, 'sent')
  const strict = await deliver({ enabled: true, required: true }, [], false)
  assert.equal(strict.view.state, 'partly-sent')
  assert.equal(strict.pins.length, 0)
})

test('a pin that may pass by is tried again', async () => {
  const { view, pins } = await deliver(true, [
    'ok',
    'ok',
    'ok',
    { failure: { code: 'rate_limited', retryable: true, retryAfterMs: 3_000 } },
  ])
  assert.equal(view.pin, 'pinned')
  assert.equal(pins.length, 2)
})
