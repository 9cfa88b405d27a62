import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { fakeChannel } from './fake-channel.ts'
import { openOutbox } from './outbox-under-test.ts'

function open() {
  const clock = simulatedClock()
  const fake = fakeChannel({ now: clock.now })
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
