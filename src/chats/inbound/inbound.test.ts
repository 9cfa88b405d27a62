import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../errors.ts'
import type { AllowList } from '../bindings/allow-list.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import { noHooks } from '../../ports/hooks.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loopbackWebhook, webhookPost } from '../test/loopback-kind.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { messageFrom, newWorld, openSide, tapOn } from './test/inbound-under-test.ts'

function open(list: AllowList = { people: ['*'] }) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const world = newWorld()
  return { clock, fake, world, side: openSide({ channel: fake.channel, clock, world, list }) }
}
/** Number of messages sent, whatever their number of parts. */
const countMessages = (fake: ReturnType<typeof loopbackChannel>): number => new Set(fake.sends().map(({ key }) => key.split('/')[0])).size
const texts = (world: ReturnType<typeof newWorld>): string[] => world.said.map(({ text }) => text)

test('messages reach the dialog of their address in order, and once', async () => {
  const { clock, world, side } = open()
  const batch = ['1', '2', '3'].map((id) => messageFrom(id, `text ${id}`))
  await side.receive.inbounds('fake', batch)
  await side.receive.inbounds('fake', batch.toReversed())
  await side.receive.inbounds('fake', [messageFrom('4', 'elsewhere', { address: 'b' })])
  await clock.advance(100)
  assert.deepEqual(
    texts(world).filter((text) => text !== 'elsewhere'),
    ['text 1', 'text 2', 'text 3'],
  )
  assert.equal(new Set(world.said.map(({ dialog }) => dialog)).size, 2)
  assert.equal((await side.bindings.get({ channel: 'fake', address: 'a' })).state, 'bound')
  assert.equal(await side.box.store.nextDue('inbound'), null)
})

test('a file without text is described to the agent', async () => {
  const { clock, world, side } = open()
  const media = [{ kind: 'image' as const, fileId: 'f', name: 'cat.png', sizeBytes: 12 }]
  await side.receive.inbounds('fake', [messageFrom('1', '', { media })])
  await clock.advance(100)
  assert.deepEqual(texts(world), ['[image: cat.png, 12 bytes, fake/f]'])
})

test('an album is one message with all its pictures', async () => {
  const { clock, world, side } = open()
  const media = ['one', 'two', 'three'].map((name) => ({ kind: 'image' as const, fileId: name, name: `${name}.png`, sizeBytes: 12 }))
  await side.receive.inbounds('fake', [messageFrom('1', 'the trip', { media })])
  await clock.advance(100)
  assert.equal(world.said.length, 1)
  for (const name of ['the trip', 'one.png', 'two.png', 'three.png']) assert.ok(texts(world)[0]?.includes(name), name)
})

test('a chat that moved keeps its dialog under the new address, also when the platform repeats the event', async () => {
  const { clock, world, side } = open()
  const moved = messageFrom('2', '', { type: 'moved', id: 'moved:2', address: 'a', to: 'b' } as never)
  await side.receive.inbounds('fake', [messageFrom('1', 'before')])
  await clock.advance(100)
  const { dialog } = await side.bindings.get({ channel: 'fake', address: 'a' })
  await side.receive.inbounds('fake', [moved])
  await side.receive.inbounds('fake', [moved])
  await side.receive.inbounds('fake', [messageFrom('3', 'after', { address: 'b' })])
  await clock.advance(100)
  assert.deepEqual(
    world.said.map((one) => [one.dialog, one.text]),
    [
      [dialog, 'before'],
      [dialog, 'after'],
    ],
  )
  assert.deepEqual([(await side.bindings.get({ channel: 'fake', address: 'a' })).dialog, dialog === null], [null, false])
})

test('a blocked chat that moved stays blocked', async () => {
  const { clock, world, side } = open()
  await side.bindings.block({ channel: 'fake', address: 'a' }, 'owner')
  await side.receive.inbounds('fake', [messageFrom('1', '', { type: 'moved', id: 'moved:1', address: 'a', to: 'b' } as never)])
  await side.receive.inbounds('fake', [messageFrom('2', 'spam', { address: 'b' })])
  await clock.advance(100)
  assert.deepEqual(texts(world), [])
  assert.equal((await side.bindings.get({ channel: 'fake', address: 'b' })).state, 'blocked')
})

test('a person who blocks the bot and comes back goes on in the same dialog', async () => {
  const { clock, world, side } = open()
  const change = (id: string, what: string) => messageFrom(id, '', { type: 'membership', id: `member:${id}`, change: what } as never)
  await side.receive.inbounds('fake', [messageFrom('1', 'before'), change('2', 'blocked')])
  await clock.advance(100)
  await side.receive.inbounds('fake', [change('3', 'unblocked'), messageFrom('4', 'after')])
  await clock.advance(100)
  assert.deepEqual(texts(world), ['before', 'after'])
  assert.equal(new Set(world.said.map(({ dialog }) => dialog)).size, 1)
})

test('a stranger gets a code; pending messages are delivered once the owner accepts', async () => {
  const { clock, fake, world, side } = open({})
  await side.receive.inbounds('fake', [messageFrom('1', 'let me in'), messageFrom('2', 'please')])
  await clock.advance(100)
  assert.deepEqual(texts(world), [])
  assert.match(fake.sends()[0]?.text ?? '', /123456/)
  assert.equal(countMessages(fake), 1)
  const [request] = await side.bindings.list('requested')
  assert.equal(request?.pairing?.code, '123456')
  assert.equal(request?.pairing?.from.name, 'Mia')
  await assert.rejects(side.bindings.accept('999999', 'owner'), { code: 'pairing_not_found' })
  await side.bindings.accept('123456', 'owner')
  await clock.advance(100)
  assert.deepEqual(texts(world), ['let me in', 'please'])
  assert.equal(countMessages(fake), 2)
  await assert.rejects(side.bindings.accept('123456', 'owner'), { code: 'pairing_not_found' })
})

test('a repeated decision about a pairing request returns what became of it; another one does not find it', async () => {
  const { clock, side } = open({})
  await side.receive.inbounds('fake', [messageFrom('1', 'let me in'), messageFrom('2', 'me too', { address: 'b' })])
  await clock.advance(100)
  const [one, two] = await side.bindings.list('requested')
  const [first, second] = [one?.pairing?.code ?? '', two?.pairing?.code ?? '']
  await side.bindings.accept(first, 'owner', undefined, 'k')
  await clock.advance(100)
  const again = await side.bindings.accept(first, 'owner', undefined, 'k')
  assert.deepEqual([again.state, again.address], ['bound', one?.address])
  await side.bindings.decline(second, 'owner', 'k')
  assert.equal((await side.bindings.decline(second, 'owner', 'k')).state, 'declined')
  await assert.rejects(side.bindings.accept(first, 'owner', undefined, 'other'), { code: 'pairing_not_found' })
  await assert.rejects(side.bindings.accept(second, 'owner', undefined, 'other'), { code: 'pairing_not_found' })
})

test('a pairing request expires; a declined or blocked address gets no reply', async () => {
  const { clock, fake, world, side } = open({})
  await side.receive.inbounds('fake', [messageFrom('1', 'hello')])
  await clock.advance(inboundLimits.pairingForMs + 5_000)
  assert.equal((await side.bindings.get({ channel: 'fake', address: 'a' })).state, 'expired')
  assert.equal(await side.box.store.nextDue('inbound'), null)
  await side.receive.inbounds('fake', [messageFrom('2', 'again')])
  await clock.advance(100)
  const [request] = await side.bindings.list('requested')
  await side.bindings.decline(request?.pairing?.code ?? '', 'owner')
  await side.receive.inbounds('fake', [messageFrom('3', 'hm')])
  await side.bindings.block({ channel: 'fake', address: 'b' }, 'owner')
  await side.receive.inbounds('fake', [messageFrom('4', 'spam', { address: 'b' })])
  await clock.advance(100)
  assert.equal(countMessages(fake), 2)
  assert.deepEqual(texts(world), [])
})

test('open pairing requests are bounded', async () => {
  const { clock, side } = open({})
  const crowd = Array.from({ length: inboundLimits.openPairings + 20 }, (_, index) =>
    messageFrom(`${index}`, 'hi', { address: `s${index}` }),
  )
  for (const one of crowd) await side.receive.inbounds('fake', [one])
  await clock.advance(100)
  assert.equal((await side.bindings.list('requested')).length, inboundLimits.openPairings)
})

test('a message that the dialog refuses is moved to the inbox; other failures are retried', async () => {
  const { clock, world, side } = open()
  world.faults.push(new ParleyError('too_many_waiting', { count: 9 }), new Error('disk'), new ParleyError('busy', {}, { retryable: true }))
  await side.receive.inbounds('fake', [messageFrom('1', 'refused'), messageFrom('2', 'later')])
  await clock.advance(60_000)
  assert.deepEqual(texts(world), ['later'])
  const [unclaimed] = await side.bindings.unclaimed()
  assert.equal(unclaimed?.text, 'refused')
  assert.match(unclaimed?.why ?? '', /already waiting/)
  assert.ok(unclaimed)
  const elsewhere = { ...unclaimed, address: 'nowhere' }
  await assert.rejects(side.bindings.dismissUnclaimed(elsewhere, 'owner', 'k'), { code: 'unclaimed_not_found' })
  await side.bindings.dismissUnclaimed(unclaimed, 'owner', 'k')
  assert.deepEqual(await side.bindings.unclaimed(), [])
  // The response was lost and the request is repeated under its key. Under another key there is nothing to dismiss.
  await side.bindings.dismissUnclaimed(unclaimed, 'owner', 'k')
  await assert.rejects(side.bindings.dismissUnclaimed(unclaimed, 'owner', 'k2'), { code: 'unclaimed_not_found' })
})

test('an address whose dialog is gone gets a new one', async () => {
  const { clock, world, side } = open()
  await side.bindings.bind({ channel: 'fake', address: 'a' }, 'dlg_old', 'owner')
  const gone = new ParleyError('dialog_not_found', { dialog: 'dlg_old' })
  world.faults.push(gone, gone)
  await side.receive.inbounds('fake', [messageFrom('1', 'one')])
  await clock.advance(100)
  await side.receive.inbounds('fake', [messageFrom('2', 'two')])
  await clock.advance(100)
  assert.deepEqual(texts(world), ['two'])
  assert.notEqual(world.said[0]?.dialog, 'dlg_old')
})

test('forged and unreadable webhook calls change nothing', async () => {
  const { fake, side } = open()
  const account = { channel: fake.channel, webhook: loopbackWebhook }
  assert.equal(await side.receive.request(account, webhookPost('{', { 'x-forged': 'yes' })), 'forged')
  assert.equal(await side.receive.request(account, webhookPost('{')), 'unreadable')
  const response = await side.receive.request(account, webhookPost(messageFrom('1', 'hi')))
  assert.ok(response instanceof Response && response.status === 200)
  assert.equal((await side.box.store.head('binding:fake:a')) > 0, true)
})

test('plugins see messages of people who are let in, and neither taps nor strangers', async () => {
  const clock = simulatedClock()
  const hookTexts: string[] = []
  const hooks = { ...noHooks, messageReceived: async ({ inbound }: { inbound: { text: string } }) => void hookTexts.push(inbound.text) }
  const { channel } = loopbackChannel({ now: clock.now })
  const side = openSide({ channel, clock, world: newWorld(), list: { people: ['7'], strangers: 'ignore' }, hooks })
  await side.receive.inbounds('fake', [
    messageFrom('1', 'hello'),
    messageFrom('2', 'psst', { from: { id: '8', name: 'Eve' } }),
    tapOn('3', 'm1', 'x'),
  ])
  await clock.advance(100)
  assert.deepEqual(hookTexts, ['hello'])
})
