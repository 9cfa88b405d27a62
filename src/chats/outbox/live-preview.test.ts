import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { livePreview } from './live-preview.ts'
import { noPreparing } from './message-purpose.ts'
import { Pace } from './pacing.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

function open() {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const box = openOutbox({ channel: fake.channel, clock })
  const start = () => box.preview({ channel: 'fake', address: 'a', once: 'reply-1' })
  return { clock, fake, box, start }
}
const texts = (fake: ReturnType<typeof open>['fake']): string[] => [...fake.screen.values()].map(({ text }) => text)

test('a reply is seen growing at a bounded rate and is finished in the same message', async () => {
  const { clock, fake, box, start } = open()
  const preview = start()
  for (let words = 1; words <= 10; words += 1) {
    preview.show('word '.repeat(words).trim())
    await clock.advance(500)
  }
  assert.equal(fake.sends().length, 1)
  const edits = fake.effects.filter(({ operation }) => operation === 'edit')
  assert.ok(edits.length >= 2 && edits.length <= 4, `${edits.length} edits in five seconds`)
  const { delivery } = await preview.finish({ text: 'finished' })
  await clock.advance(10)
  assert.deepEqual(texts(fake), ['finished'])
  assert.equal((await box.get(delivery)).state, 'sent')
  preview.show('too late')
  await clock.advance(10_000)
  assert.deepEqual(texts(fake), ['finished'])
})

test('a preview that is gone is finished as a new message', async () => {
  const { clock, fake, start } = open()
  const preview = start()
  preview.show(' \n')
  await clock.advance(10)
  assert.equal(fake.sends().length, 0, 'nothing to see yet')
  preview.show('half')
  await clock.advance(10)
  fake.screen.clear()
  fake.faults.push({ failure: { code: 'gone' } })
  await preview.finish({ text: 'finished' })
  await clock.advance(10)
  assert.deepEqual(texts(fake), ['finished'])
  assert.equal(fake.sends().length, 2)
})

test('after a restart the half text is replaced, not joined by a twin', async () => {
  const { clock, fake, start } = open()
  start().show('half a rep')
  await clock.advance(10)
  await start().finish({ text: 'the whole reply' })
  await clock.advance(10)
  assert.deepEqual(texts(fake), ['the whole reply'])
})

test('without anything shown it is an ordinary message, and a long one goes on in further messages', async () => {
  const { clock, fake, start } = open()
  await start().finish({ text: 'word '.repeat(30).trim() })
  await clock.advance(10)
  assert.equal(
    fake.effects.every(({ operation }) => operation === 'send'),
    true,
  )
  assert.equal(fake.screen.size, 2)
})

test('a finish that comes during an edit has the last word', async () => {
  const { clock, fake, start } = open()
  const preview = start()
  preview.show('a')
  await clock.advance(10)
  let release = (): void => {}
  fake.hooks.before = ({ operation }) => (operation === 'edit' ? new Promise<void>((resolve) => (release = resolve)) : undefined)
  preview.show('a b')
  await clock.advance(2_000)
  const finishing = preview.finish({ text: 'done' })
  delete fake.hooks.before
  release()
  await finishing
  await clock.advance(10)
  assert.deepEqual(texts(fake), ['done'])
})

test('a preview that cannot start does not disturb the agent; its finish reports the error', async () => {
  const { clock, fake, box } = open()
  const outbox = { ...box, plan: () => Promise.reject(new Error('disk full')) }
  const channels = new Map([['fake', fake.channel]])
  const preview = livePreview(
    { outbox, channels, preparing: noPreparing, clock, pace: new Pace(clock.now()) },
    { channel: 'fake', address: 'a' },
  )
  preview.show('half')
  preview.show('half and more')
  await clock.advance(10_000)
  await assert.rejects(preview.finish({ text: 'whole' }), /disk full/)
})

test('a preview keeps silent as long as the platform asks', async () => {
  const { clock, fake, start } = open()
  const preview = start()
  preview.show('one')
  await clock.advance(10)
  fake.faults.push({ failure: { code: 'rate_limited', retryable: true, retryAfterMs: 60_000 } })
  preview.show('one two')
  await clock.advance(5_000)
  const calls = fake.calls.length
  preview.show('one two three')
  await clock.advance(50_000)
  assert.equal(fake.calls.length, calls)
  await clock.advance(10_000)
  assert.deepEqual(texts(fake), ['one two three'])
})

test('a channel that cannot edit shows the first words and then the finished ones', async () => {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, delivery: { editing: { ability: 'none' }, streaming: 'none' } })
  const preview = openOutbox({ channel: fake.channel, clock }).preview({ channel: 'fake', address: 'a' })
  preview.show('one')
  await clock.advance(10)
  preview.show('one two')
  await clock.advance(10_000)
  assert.deepEqual(texts(fake), ['one'])
  await preview.finish({ text: 'done' })
  await clock.advance(10)
  assert.deepEqual(texts(fake).at(-1), 'done')
})
