import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import type { AllowList } from '../bindings/allow-list.ts'
import { deliveryLimits } from '../outbox/delivery-limits.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { messageFrom, newWorld, openSide, type SideOptions, tapOn } from './test/inbound-under-test.ts'

const chat = { channel: 'fake', address: 'a' }

function open(t: TestContext, options: { list?: AllowList; notify?: string[]; isStarted?: boolean } = {}) {
  const clock = simulatedClock()
  const loopback = loopbackChannel({ now: clock.now, maxLength: 4_000 })
  const world = newWorld()
  const parts: SideOptions = { channel: loopback.channel, clock, world, ...options }
  const side = openSide(parts)
  t.after(() => Promise.all([side.stop(0), side.box.deliverer.stop(0)]))
  const receive = async (...inbounds: ReturnType<typeof messageFrom>[]): Promise<void> => {
    await side.receive.inbounds('fake', inbounds)
    await clock.advance(100)
  }
  const spokenTexts = (): string[] => world.said.map(({ text }) => text)
  const texts = (address: string): string[] => loopback.sends().flatMap((sent) => (sent.address === address ? [sent.text] : []))
  return { clock, loopback, world, side, receive, said: spokenTexts, texts }
}

test('a private message to a bound address is said without being stored first', async (t) => {
  const { side, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const head = await side.box.store.head('binding:fake:a')
  await receive(messageFrom('1', 'hello'))
  assert.deepEqual(said(), ['hello'])
  assert.equal(await side.box.store.head('binding:fake:a'), head)
})

test('a private message waits until the work of its address runs', async (t) => {
  const { clock, side, receive, said } = open(t, { isStarted: false })
  await receive(messageFrom('1', 'first'))
  assert.deepEqual(said(), [])
  assert.equal((await side.streams.load('binding:fake:a')).waiting.length, 1)
  side.start()
  await clock.advance(100)
  assert.deepEqual(said(), ['first'])
  assert.deepEqual((await side.streams.load('binding:fake:a')).waiting, [])
})

test('a private message does not overtake messages that wait at its address', async (t) => {
  const { clock, side, receive, said } = open(t, { isStarted: false })
  await receive(messageFrom('1', 'first'))
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await receive(messageFrom('2', 'second'))
  assert.deepEqual(said(), [])
  side.start()
  await clock.advance(100)
  assert.deepEqual(said(), ['first', 'second'])
})

test('a repeated update is said once, by whichever path it came first', async (t) => {
  const { side, receive, said } = open(t)
  await receive(messageFrom('1', 'stored'))
  await receive(messageFrom('1', 'stored'), messageFrom('2', 'direct'), messageFrom('2', 'direct'))
  assert.deepEqual(said(), ['stored', 'direct'])
  assert.equal(await side.box.store.nextDue('inbound'), null)
})

test('a message in a group is always stored first', async (t) => {
  const { side, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const head = await side.box.store.head('binding:fake:a')
  await receive(messageFrom('1', 'hello', { isPrivate: false }))
  assert.deepEqual(said(), ['hello'])
  assert.ok((await side.box.store.head('binding:fake:a')) > head)
})

test('a stranger gets a code, the owner gets buttons, and a tap on "Accept" delivers the message', async (t) => {
  const { loopback, receive, said, texts } = open(t, { list: {}, notify: ['o'] })
  await receive(messageFrom('1', 'hello'))
  assert.match(texts('a')[0] ?? '', /123456/)
  assert.match(texts('o').join('\n'), /Mia wants to write to your agents on fake/)
  assert.deepEqual(said(), [])
  const [id, card] = [...loopback.screen].find(([, shown]) => shown.address === 'o') ?? []
  const owner = { address: 'o', from: { id: 'o', name: 'Olga' } }
  await receive(tapOn('1', id ?? '', card?.controls[card.labels.indexOf('Accept')] ?? '', owner))
  assert.deepEqual(said(), ['hello'])
  assert.match(loopback.screen.get(id ?? '')?.text ?? '', /✓ Accepted by Olga\./)
})

test('a stranger who taps a button of the owner is refused, and the request stays open', async (t) => {
  const { loopback, side, receive } = open(t, { list: { people: ['9'] }, notify: ['o'] })
  await receive(messageFrom('1', 'hello'))
  const [id, card] = [...loopback.screen].find(([, shown]) => shown.address === 'o') ?? []
  const eve = { address: 'o', isPrivate: false, from: { id: '9', name: 'Eve' } }
  await receive(tapOn('1', id ?? '', card?.controls[0] ?? '', eve))
  assert.match(loopback.toasts.at(-1)?.toast ?? '', /owner/)
  assert.equal((await side.bindings.get(chat)).state, 'requested')
})

test('text that fits an open question answers it', async (t) => {
  const { side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await side.showQuestion('q_1', chat)
  await receive(messageFrom('1', 'yes'))
  assert.deepEqual(world.answers, [{ question: 'q_1', option: 'yes', by: 'Mia' }])
  assert.deepEqual(said(), [])
})

test('text that fits no open question is said in the dialog', async (t) => {
  const { side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await side.showQuestion('q_1', chat)
  await receive(messageFrom('1', 'what is the weather?'))
  assert.deepEqual(world.answers, [])
  assert.deepEqual(said(), ['what is the weather?'])
})

test('a reply that is no answer gets a hint and is not said', async (t) => {
  const { clock, side, world, receive, said, texts } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const delivery = await side.showQuestion('q_1', chat)
  await clock.advance(100)
  const [receipt] = (await side.box.get(delivery)).receipts
  await receive(messageFrom('1', 'maybe', { replyTo: receipt?.messageId ?? '' }))
  assert.deepEqual([world.answers, said()], [[], []])
  assert.match(texts('a').at(-1) ?? '', /could not read that as an answer/)
})

test('an answer by a person who may not answer is refused and recorded', async (t) => {
  const { clock, side, world, receive, said, texts } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const delivery = await side.showQuestion('q_1', chat, ['7'])
  await clock.advance(100)
  const [receipt] = (await side.box.get(delivery)).receipts
  await receive(messageFrom('1', 'yes', { from: { id: '8', name: 'Eve' }, replyTo: receipt?.messageId ?? '' }))
  assert.deepEqual([world.answers, said()], [[], []])
  assert.deepEqual(world.refusals, [{ question: 'q_1', by: 'Eve' }])
  assert.match(texts('a').at(-1) ?? '', /Mia/)
})

test('a tap answers a question once; a person who may not answer leaves the buttons in place', async (t) => {
  const { clock, loopback, side, world, receive } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await side.showQuestion('q_1', chat, ['7'])
  await clock.advance(100)
  const [id, shown] = [...loopback.screen].at(-1) ?? []
  const yes = shown?.controls[0] ?? ''
  await receive(tapOn('1', id ?? '', yes, { from: { id: '8', name: 'Eve' } }))
  assert.deepEqual(world.answers, [])
  assert.deepEqual(world.refusals, [{ question: 'q_1', by: 'Eve' }])
  await receive(tapOn('2', id ?? '', yes), tapOn('3', id ?? '', yes))
  assert.deepEqual(world.answers, [{ question: 'q_1', option: 'yes', by: 'Mia' }])
  // No dialog closes the message here.
  await clock.advance(deliveryLimits.closesWithinMs)
  assert.deepEqual(loopback.screen.get(id ?? '')?.controls, [])
})
