import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Channel, PlatformRequest } from '../../ports/channel.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const to = { channel: 'fake', address: 'a' }
const perCall = 5

type Fault = 'lost' | 'refused' | 'crash'

/** A platform that takes up to five messages in one call and knows keys, except for requests that are meant for one time. */
function packing(now: () => number, { isOneTime = false } = {}) {
  const { channel: plain } = loopbackChannel({
    now,
    maxLength: 20,
    delivery: { idempotency: { keyForMs: 60_000 }, editing: { ability: 'none' } },
  })
  const faults: Fault[] = []
  const calls: string[][] = []
  const byKey = new Map<string, string[]>()
  let ids = 0
  const channel: Channel = {
    ...plain,
    render(adapted, target) {
      const { requests = [] } = plain.render(adapted, target) ?? {}
      const packed: PlatformRequest[] = []
      for (let at = 0; at < requests.length; at += perCall) {
        const bodies = requests.slice(at, at + perCall).map(({ body }) => body)
        packed.push({ operation: 'pack', body: { bodies }, covers: bodies.length, ...(isOneTime && { isOneTime }) })
      }
      return { requests: packed }
    },
    async send({ body }, { key }) {
      const fault = faults.shift()
      if (fault === 'refused') return { failure: { code: 'unreachable', why: 'no', retryable: true, maybeSent: false } }
      const texts = ((body?.['bodies'] ?? []) as { text: string }[]).map(({ text }) => text)
      const known = isOneTime ? undefined : byKey.get(key)
      if (!known) calls.push(texts)
      const messageIds = known ?? texts.map(() => `m${(ids += 1)}`)
      byKey.set(key, messageIds)
      if (fault === 'crash') return new Promise(() => {})
      if (fault === 'lost') return { failure: { code: 'unreachable', why: 'no answer', retryable: true, maybeSent: true } }
      return { receipt: { address: 'a', messageIds, at: now() } }
    },
  }
  return { channel, faults, calls }
}

const long = Array.from({ length: 12 }, (_, at) => `this is the part ${String(at).padStart(2, '0')}`).join('\n\n')

test('twelve parts go out in three calls, and the receipt of each part is known', async () => {
  const clock = simulatedClock()
  const { channel, calls } = packing(clock.now)
  const box = openOutbox({ channel, clock })
  const { delivery } = await box.plan({ ...to, message: { text: long } })
  await clock.advance(100)
  assert.deepEqual(
    calls.map(({ length }) => length),
    [5, 5, 2],
  )
  assert.deepEqual(calls.flat(), long.split('\n\n'))
  const view = await box.get(delivery)
  assert.equal(view.state, 'sent')
  assert.deepEqual(
    view.receipts.map(({ messageId }) => messageId),
    Array.from({ length: 12 }, (_, at) => `m${at + 1}`),
  )
})

test('a refused and a lost call of several parts are repeated as a whole, and nothing is sent twice', async () => {
  const clock = simulatedClock()
  const { channel, calls, faults } = packing(clock.now)
  const box = openOutbox({ channel, clock })
  faults.push('refused', 'lost')
  const { delivery } = await box.plan({ ...to, message: { text: long } })
  await clock.advance(30_000)
  assert.deepEqual(calls.flat(), long.split('\n\n'))
  assert.equal((await box.get(delivery)).state, 'sent')
})

test('a crash during the second call: the parts of the first are not sent again, those of the second are under their key', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const ids = countedIds()
  const { channel, calls, faults } = packing(clock.now)
  const open = () => openOutbox({ channel, clock, ids, store: memoryStore({ clock, backing }) })
  const before = open()
  channel.send = crashAt(channel.send, faults)
  const { delivery } = await before.plan({ ...to, message: { text: long } })
  await clock.advance(10)
  assert.equal(calls.length, 2)
  await Promise.race([before.deliverer.stop(0), clock.advance(10)])
  const after = open()
  await clock.advance(120_000)
  assert.deepEqual(calls.flat(), long.split('\n\n'))
  assert.equal((await after.get(delivery)).state, 'sent')
})

/** The second call never gets its answer. */
function crashAt(send: Channel['send'], faults: Fault[]): Channel['send'] {
  let count = 0
  return (...given) => {
    count += 1
    if (count === 2) faults.push('crash')
    return send(...given)
  }
}

test('a request for one time is not repeated when its answer is lost, although the channel has keys', async () => {
  const clock = simulatedClock()
  const { channel, calls, faults } = packing(clock.now, { isOneTime: true })
  const box = openOutbox({ channel, clock })
  faults.push('refused', 'lost')
  const { delivery } = await box.plan({ ...to, message: { text: 'once' } })
  await clock.advance(60_000)
  assert.deepEqual(calls, [['once']])
  assert.equal((await box.get(delivery)).state, 'unknown')
})
