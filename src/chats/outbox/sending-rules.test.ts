import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { deliveryLimits } from './delivery-limits.ts'
import type { SendingRules } from './sending-rules.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const to = { channel: 'fake', address: 'a' }
const lost = { failure: { code: 'unreachable', maybeSent: true } } as const
const choice = {
  text: 'Ship it?',
  presentation: {
    blocks: [
      {
        type: 'buttons' as const,
        buttons: [
          { label: 'Yes', value: 'y' },
          { label: 'Docs', url: 'https://example.org/' },
        ],
      },
    ],
  },
}

function open(rules: Partial<SendingRules>) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: { idempotency: null } })
  return { clock, fake, box: openOutbox({ channel: fake.channel, clock, rules }) }
}

test('buttons are listed as text where the owner has switched them off', async () => {
  const { clock, fake, box } = open({ hasButtons: async ({ address }) => address === 'a' })
  await box.plan({ ...to, message: choice })
  const { delivery } = await box.plan({ ...to, address: 'b', message: choice })
  await clock.advance(100)
  const [shown, listed] = fake.sends()
  assert.equal(shown?.controls.length, 2)
  assert.deepEqual(listed?.controls, [])
  assert.match(listed?.text ?? '', /Ship it\?[^]*- Yes\n- Docs: https:\/\/example\.org\//)
  assert.deepEqual(
    (await box.get(delivery)).losses.map(({ from }) => from),
    ['button', 'button'],
  )
})

test('repeat: a message without an answer is sent again, and may be there twice; report: it waits for a person', async () => {
  for (const isRepeated of [true, false]) {
    const { clock, fake, box } = open({ repeatsUnknown: () => isRepeated })
    fake.faults.push(lost)
    const { delivery } = await box.plan({ ...to, message: { text: 'Hello' } })
    await clock.advance(60_000)
    assert.equal((await box.get(delivery)).state, isRepeated ? 'sent' : 'unknown')
    assert.equal(fake.calls.length, isRepeated ? 2 : 1)
  }
})

test('repeat: an endless silence ends as unknown, not in endless copies', async () => {
  const { clock, fake, box } = open({ repeatsUnknown: () => true })
  for (let call = 0; call < 50; call += 1) fake.faults.push(lost)
  const { delivery } = await box.plan({ ...to, message: { text: 'Hello' } })
  for (let minute = 0; minute < 120; minute += 1) await clock.advance(60_000)
  assert.equal((await box.get(delivery)).state, 'unknown')
  assert.ok(fake.calls.length <= deliveryLimits.tries, `${fake.calls.length} calls`)
})
