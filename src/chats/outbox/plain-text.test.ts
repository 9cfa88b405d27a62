import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const to = { channel: 'fake', address: 'a' }
const unformattable = { failure: { code: 'unformattable', why: "can't parse entities" } } as const

function open() {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  return { clock, fake, box: openOutbox({ channel: fake.channel, clock }) }
}

test('what the platform cannot format is sent once more as plain text, and the loss is told', async () => {
  const { clock, fake, box } = open()
  fake.faults.push(unformattable)
  const { delivery } = await box.plan({ ...to, message: { text: '**Hello**' } })
  await clock.advance(10)
  assert.deepEqual(
    fake.calls.map(({ body }) => body?.['plain'] ?? false),
    [false, true],
  )
  const view = await box.get(delivery)
  assert.equal(view.state, 'sent')
  assert.deepEqual(view.losses, [{ what: 'formatting', from: 'formatted text', to: 'plain text', why: "can't parse entities" }])
})

test('plain text that is refused too is not tried a third time', async () => {
  const { clock, fake, box } = open()
  fake.faults.push(unformattable, unformattable)
  const { delivery } = await box.plan({ ...to, message: { text: 'Hello' } })
  await clock.advance(60_000)
  assert.equal(fake.calls.length, 2)
  assert.equal((await box.get(delivery)).state, 'failed')
})

test('a change of the words may be formatted again', async () => {
  const { clock, fake, box } = open()
  fake.faults.push(unformattable)
  const { delivery } = await box.plan({ ...to, message: { text: 'first' } })
  await clock.advance(10)
  await box.edit(delivery, { text: 'second' })
  await clock.advance(10)
  assert.deepEqual(
    fake.calls.map(({ operation, body }) => [operation, body?.['plain'] ?? false]),
    [
      ['send', false],
      ['send', true],
      ['edit', false],
    ],
  )
  assert.deepEqual((await box.get(delivery)).losses, [])
})

test('finished words that are already there stay there', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'Hello' } })
  await clock.advance(10)
  fake.faults.push({ failure: { code: 'not_modified' } })
  await box.edit(delivery, { text: 'Hello' }, { orSend: true })
  await clock.advance(10)
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['Hello'],
  )
  assert.equal((await box.get(delivery)).state, 'sent')
})

test('the text is edited under the same media on request', async () => {
  const { clock, fake, box } = open()
  const media = [{ url: 'https://example.org/a.png' }]
  const { delivery } = await box.plan({ ...to, message: { text: 'first', media } })
  await clock.advance(10)
  await box.edit(delivery, { text: 'second' }, { keepMedia: true })
  await clock.advance(10)
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['second\n\na.png (image): https://example.org/a.png'],
  )
  await box.edit(delivery, { text: 'third' })
  await clock.advance(10)
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['third'],
  )
})
