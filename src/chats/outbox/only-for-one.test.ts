import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const message = { text: 'For you alone', send: { onlyFor: 'mia' } }

async function send(address: string, showsToOne: boolean) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: { showsToOne } })
  const box = openOutbox({ channel: fake.channel, clock })
  const { delivery } = await box.plan({ channel: 'fake', address, message })
  await clock.advance(1_000)
  return { state: (await box.get(delivery)).state, sent: fake.sends().length }
}

test('a message for one person is not shown to a group that cannot hide it', async () => {
  assert.deepEqual(await send('group', false), { state: 'failed', sent: 0 })
  assert.deepEqual(await send('group', true), { state: 'sent', sent: 1 })
})

test('in their own chat it is an ordinary message', async () => {
  assert.deepEqual(await send('mia', false), { state: 'sent', sent: 1 })
})
