import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Inbound } from '../../ports/channel.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import { loopbackWebhook, webhookPost } from '../test/loopback-kind.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { newWorld, openSide, tapOn } from './test/inbound-under-test.ts'

const tapDeadlineMs = 3_000

/** A platform that shows the HTTP response to a tap. `isStarted: false` leaves recorded taps undecided. */
async function open({ isStarted = true, maxToastLength = 200 } = {}) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: { tapAnswer: 'response', tapDeadlineMs, maxToastLength } })
  const world = newWorld()
  const side = openSide({ channel: fake.channel, clock, world, isStarted })
  await side.showQuestion('q_1', { channel: 'fake', address: 'a' })
  await clock.advance(10)
  const [yes = ''] = fake.screen.get('m1')?.controls ?? assert.fail('no controls')
  /** The toast in the response, when it is there, and the time it took. */
  const post = (tap: Inbound) => {
    const since = clock.now()
    const call: { toast?: string | null; tookMs?: number } = {}
    const done = side.receive.request({ channel: fake.channel, webhook: loopbackWebhook }, webhookPost(tap)).then(async (response) => {
      assert.ok(response instanceof Response)
      call.tookMs = clock.now() - since
      call.toast = ((await response.json()) as { toast: string | null }).toast
    })
    return { call, done }
  }
  return { clock, fake, world, side, yes, post }
}

test('the response to a tap has its toast, and no request of its own follows', async () => {
  const { clock, fake, world, yes, post } = await open()
  const { call } = post(tapOn('1', 'm1', yes))
  await clock.advance(10)
  assert.deepEqual([call.toast, call.tookMs], ['✓ Yes', 0])
  await clock.advance(tapDeadlineMs)
  assert.deepEqual(fake.toasts, [])
  assert.deepEqual(world.answers, [{ question: 'q_1', option: 'yes', by: 'Mia' }])
})

test('without a verdict in time the response is a plain acknowledgement, and the toast follows by a request', async () => {
  const { clock, fake, world, side, yes, post } = await open({ isStarted: false })
  const { call } = post(tapOn('1', 'm1', yes))
  await clock.advance(tapDeadlineMs - inboundLimits.responseReserveMs - 1)
  assert.equal(call.toast, undefined, 'it waits')
  await clock.advance(1)
  assert.deepEqual([call.toast, call.tookMs], [null, tapDeadlineMs - inboundLimits.responseReserveMs])
  side.start()
  await clock.advance(100)
  assert.deepEqual(fake.toasts, [{ tap: '1', toast: '✓ Yes' }])
  assert.equal(world.answers.length, 1)
})

test('the platform repeats the call while the first one waits: both are answered, the tap counts once', async () => {
  const { clock, fake, world, side, yes, post } = await open({ isStarted: false })
  const first = post(tapOn('1', 'm1', yes))
  await clock.advance(1)
  const repeated = post(tapOn('1', 'm1', yes))
  await clock.advance(1)
  assert.deepEqual([first.call.toast, repeated.call.toast], [undefined, null])
  side.start()
  await clock.advance(100)
  assert.equal(first.call.toast, '✓ Yes')
  assert.equal(world.answers.length, 1)
  assert.deepEqual(fake.toasts, [])
})

test('a toast in a response is not longer than the platform shows', async () => {
  const { clock, yes, post } = await open({ maxToastLength: 4 })
  const { call } = post(tapOn('1', 'm1', yes))
  await clock.advance(10)
  assert.equal(call.toast, '✓ Y…')
})

test('a message needs no verdict: its response comes at once', async () => {
  const { clock, post } = await open({ isStarted: false })
  const { call } = post({ ...tapOn('2', 'm1', ''), type: 'message', text: 'hi', media: [] } as Inbound)
  await clock.advance(0)
  assert.deepEqual([call.toast, call.tookMs], [null, 0])
})

test('a tap that could not be stored is not acknowledged, and its repeat gets the verdict', async () => {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: { tapAnswer: 'response', tapDeadlineMs } })
  const world = newWorld()
  const store = memoryStore({ clock })
  let isBroken = false
  const failing: typeof store = {
    ...store,
    commit: (...given) => (isBroken ? Promise.reject(new Error('disk full')) : store.commit(...given)),
  }
  const side = openSide({ channel: fake.channel, clock, world, store: failing })
  await side.showQuestion('q_1', { channel: 'fake', address: 'a' })
  await clock.advance(10)
  const [yes = ''] = fake.screen.get('m1')?.controls ?? []
  const request = () => side.receive.request({ channel: fake.channel, webhook: loopbackWebhook }, webhookPost(tapOn('1', 'm1', yes)))
  isBroken = true
  const failed = request().then(
    () => 'acknowledged',
    () => 'failed',
  )
  await clock.advance(10)
  assert.equal(await failed, 'failed')
  isBroken = false
  const again = request()
  await clock.advance(10)
  const response = await again
  assert.ok(response instanceof Response)
  assert.deepEqual(await response.json(), { toast: '✓ Yes' })
})

test('a tap of a socket that shows the answer has its toast as the verdict, and no request of its own follows', async () => {
  const { clock, fake, world, side, yes } = await open()
  const verdict = side.receive.verdict('fake', [tapOn('1', 'm1', yes)])
  await clock.advance(10)
  assert.deepEqual(await verdict, { toast: '✓ Yes' })
  assert.equal(await side.receive.verdict('fake', [tapOn('1', 'm1', yes)]), undefined, 'a repeated event')
  await clock.advance(tapDeadlineMs)
  assert.deepEqual(fake.toasts, [])
  assert.equal(world.answers.length, 1)
})
