import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../ports/log.ts'
import { noMetrics } from '../../ports/metrics.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { deliverySide } from './delivery-side.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { loopbackChannel } from './test/loopback-channel.ts'

const to = { channel: 'fake', address: 'a' }

/** The outbox over channels that come and go, with its metrics and its log. */
function open(options: Parameters<typeof loopbackChannel>[0] = {}) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const fake = loopbackChannel({ now: clock.now, ...options })
  const channels = new Map([['fake', fake.channel]])
  const counts: unknown[] = []
  const seconds: unknown[] = []
  const warnings: string[] = []
  const gauges = new Map<string, () => number>()
  const metrics = {
    ...noMetrics,
    count: (...args: unknown[]) => void counts.push(args),
    observe: (...args: unknown[]) => void seconds.push(args),
    gauge: (name: string, read: () => number) => void gauges.set(name, read),
  }
  const log: Log = (_level, text) => void warnings.push(text)
  const side = deliverySide({ store, committer: groupCommitter(store), channels, clock, ids: countedIds(), log, metrics })
  side.deliverer.start()
  return { clock, store, fake, channels, counts, seconds, warnings, gauges, ...side }
}

test('deliverer: a delivery is counted once with its outcome and its time; only one that failed is in the log', async () => {
  const { clock, fake, outbox, counts, seconds, warnings } = open()
  fake.faults.push({ failure: { code: 'unreachable', retryable: true } })
  await outbox.plan({ ...to, message: { text: 'Hello' } })
  await clock.advance(5_000)
  assert.deepEqual(counts, [['deliveries_total', 1, { channel: 'fake', outcome: 'sent' }]])
  assert.deepEqual(seconds, [['delivery_seconds', 1, { channel: 'fake' }]])
  assert.deepEqual(warnings, [])
  fake.faults.push({ failure: { code: 'forbidden' } })
  await outbox.plan({ ...to, message: { text: 'Again' } })
  await clock.advance(0)
  assert.deepEqual(counts.slice(1), [['deliveries_total', 1, { channel: 'fake', outcome: 'failed' }]])
  assert.deepEqual(warnings, ['a delivery needs a person'])
})

test('deliverer: a channel that is not connected is asked for again after its time', async () => {
  const { clock, fake, outbox, channels, store } = open()
  channels.clear()
  await outbox.plan({ ...to, message: { text: 'Hello' } })
  await clock.advance(0)
  assert.equal(await store.nextDue('deliver'), clock.now() + deliveryLimits.channelWaitMs)
  channels.set('fake', fake.channel)
  await clock.advance(deliveryLimits.channelWaitMs - 1)
  assert.equal(fake.sends().length, 0)
  await clock.advance(1)
  assert.equal(fake.sends().length, 1)
})

test('deliverer: a platform that asks to slow down holds every message to that place, without a try being counted', async () => {
  const { clock, fake, outbox } = open()
  for (let count = 0; count < deliveryLimits.tries; count += 1)
    fake.faults.push({ failure: { code: 'rate_limited', retryable: true, retryAfterMs: 3_000 } })
  const { delivery } = await outbox.plan({ ...to, message: { text: 'First' } })
  await outbox.plan({ ...to, message: { text: 'Second' } })
  await clock.advance(deliveryLimits.tries * 3_000 - 1)
  assert.equal(fake.sends().length, 0)
  await clock.advance(1)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['First', 'Second'],
  )
  assert.equal((await outbox.get(delivery)).state, 'sent')
})

test('deliverer: waiting for a channel is no failed attempt of the work', async () => {
  const { clock, outbox, store, channels, deliverer } = open()
  channels.clear()
  await outbox.plan({ ...to, message: { text: 'Hello' } })
  await clock.advance(2 * deliveryLimits.channelWaitMs)
  await deliverer.stop(0)
  await clock.advance(deliveryLimits.channelWaitMs)
  const [lease] = await store.claim('deliver', 1, 1_000)
  assert.equal(lease?.attempts, 1)
})

test('deliverer: many messages to one address are sent in one go, although each claim has a bound', async () => {
  const { clock, fake, outbox } = open()
  const count = deliveryLimits.stepsPerClaim + 5
  for (let index = 0; index < count; index += 1) await outbox.plan({ ...to, message: { text: `${index}` } })
  for (let round = 0; round < 5; round += 1) await clock.advance(0)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    Array.from({ length: count }, (_, index) => `${index}`),
  )
})

test('deliverer: a pin on a channel that does not say whether it can is not tried', async () => {
  const { pinSentMessage: _, ...delivery } = loopbackChannel().channel.capabilities.delivery
  const { clock, fake, outbox, channels } = open()
  const capabilities = { ...fake.channel.capabilities, delivery }
  channels.set('fake', { ...fake.channel, capabilities })
  const planned = await outbox.plan({ ...to, message: { text: 'Hello', delivery: { pin: true } } })
  await clock.advance(10)
  assert.deepEqual(
    fake.calls.map(({ operation }) => operation),
    ['send'],
  )
  assert.equal((await outbox.get(planned.delivery)).state, 'sent')
})

/** Two topics of one group, which have the rates of the group in common. */
const topics = { parent: (text: string) => (text.includes(':') ? text.replace(/:.*/, '') : null), isGroup: () => true }

test('deliverer: a platform that asks to slow down holds the other topics of that group, and no other group', async () => {
  const { clock, fake, outbox } = open({ address: topics })
  fake.faults.push({ failure: { code: 'rate_limited', retryable: true, retryAfterMs: 3_000 } })
  await outbox.plan({ ...to, address: 'g:1', message: { text: 'First' } })
  await clock.advance(0)
  for (const address of ['g:2', 'h:1']) await outbox.plan({ ...to, address, message: { text: address } })
  await clock.advance(2_999)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['h:1'],
  )
  await clock.advance(1)
  assert.deepEqual(
    fake
      .sends()
      .map(({ text }) => text)
      .toSorted(),
    ['First', 'g:2', 'h:1'],
  )
})

test('deliverer: neither another failure nor a request to slow down without a time holds the other topics', async () => {
  const faults = [{ code: 'unreachable', retryAfterMs: 3_000 }, { code: 'rate_limited' }] as const
  for (const fault of faults) {
    const { clock, fake, outbox } = open({ address: topics })
    fake.faults.push({ failure: { ...fault, retryable: true } })
    await outbox.plan({ ...to, address: 'g:1', message: { text: 'First' } })
    await clock.advance(0)
    await outbox.plan({ ...to, address: 'g:2', message: { text: 'Second' } })
    await clock.advance(0)
    assert.deepEqual(
      fake.sends().map(({ text }) => text),
      ['Second'],
      fault.code,
    )
  }
})

test('deliverer: the addresses that are being written to are counted, as a metric too', async () => {
  const { clock, fake, outbox, gauges, deliverer } = open()
  const answered = Promise.withResolvers<void>()
  fake.hooks.before = () => answered.promise
  const running = () => [deliverer.running, gauges.get('deliveries_running')?.()]
  assert.deepEqual(running(), [0, 0])
  for (const address of ['a', 'a', 'b']) await outbox.plan({ ...to, address, message: { text: 'Hello' } })
  await clock.advance(0)
  assert.deepEqual(running(), [2, 2])
  answered.resolve()
  await clock.advance(0)
  assert.deepEqual(running(), [0, 0])
})
