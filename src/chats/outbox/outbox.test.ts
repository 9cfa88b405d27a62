import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '../../store/memory/memory-store.ts'
import type { Handled } from '../../streams/stream-handler.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { initialDelivery } from './delivery-state.ts'
import { outbox } from './outbox.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const to = { channel: 'fake', address: 'a' }

function open(options: Parameters<typeof loopbackChannel>[0] = {}) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, ...options })
  return { clock, fake, box: openOutbox({ channel: fake.channel, clock }) }
}

test('outbox: a repeated edit, retry or dismissal under one name is done once', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'first' } })
  await clock.advance(10)
  await box.edit(delivery, { text: 'second' }, { once: 'edit-1' })
  await clock.advance(10)
  await box.edit(delivery, { text: 'third' }, { once: 'edit-1' })
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['second'],
  )
  fake.faults.push({ failure: { code: 'forbidden' } }, { failure: { code: 'forbidden' } })
  const stuck = await box.plan({ ...to, message: { text: 'stuck' } })
  await clock.advance(10)
  await box.retry(stuck.delivery, 'owner', { once: 'retry-1' })
  await clock.advance(10)
  assert.equal((await box.get(stuck.delivery)).state, 'failed')
  assert.equal((await box.retry(stuck.delivery, 'owner', { once: 'retry-1' })).state, 'failed', 'the first try has ended')
  assert.equal((await box.dismiss(stuck.delivery, 'owner', { once: 'dismiss-1' })).state, 'dismissed')
  assert.equal((await box.dismiss(stuck.delivery, 'owner', { once: 'dismiss-1' })).state, 'dismissed')
})

test('outbox: two edits at once end with the later text', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'first' } })
  await clock.advance(10)
  await box.edit(delivery, { text: 'second' })
  await box.edit(delivery, { text: 'third' })
  await clock.advance(10)
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['third'],
  )
  assert.equal((await box.get(delivery)).state, 'sent')
})

test('outbox: finished words replace a draft, and nothing else', async () => {
  const { clock, fake, box } = open()
  const reply = { dialog: 'dlg', turn: 1 }
  const draft = await box.plan({ ...to, message: { text: 'half' }, reply: { ...reply, isDraft: true } })
  const whole = await box.plan({ ...to, address: 'b', message: { text: 'whole' }, reply })
  await clock.advance(10)
  for (const { delivery } of [draft, whole]) await box.finishDraft(delivery, { text: 'finished' })
  await clock.advance(10)
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['finished', 'whole'],
  )
})

test('outbox: a plan without a name is new each time', async () => {
  const { box } = open()
  const [first, second] = [await box.plan({ ...to, message: { text: 'x' } }), await box.plan({ ...to, message: { text: 'x' } })]
  assert.deepEqual([first.isNew, second.isNew], [true, true])
  assert.notEqual(first.delivery, second.delivery)
})

test('outbox: lists by state, text and page, never more than the limit', async () => {
  const { clock, fake, box } = open()
  fake.faults.push({ failure: { code: 'forbidden' } })
  for (const text of ['apple', 'pear', 'plum']) await box.plan({ ...to, message: { text } })
  await clock.advance(10)
  const texts = async (query: Parameters<typeof box.list>[0]): Promise<string[]> =>
    (await box.list(query)).map(({ text }) => text).toSorted()
  assert.deepEqual(await texts({}), ['apple', 'pear', 'plum'])
  assert.deepEqual(await texts({ state: 'failed' }), ['apple'])
  assert.deepEqual(await texts({ search: 'pl' }), ['apple', 'plum'])
  assert.equal((await box.list({ limit: 1 })).length, 1)
  for (let index = 0; index < deliveryLimits.listed; index += 1) await box.plan({ ...to, message: { text: 'more' } })
  assert.equal((await box.list({ limit: deliveryLimits.listed + 50 })).length, deliveryLimits.listed)
})

test('outbox: a pin by hand counts only for a message of this delivery', async () => {
  const { clock, box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'hi' } })
  await clock.advance(10)
  assert.equal((await box.notePin(delivery, 'other', true)).pin, 'none')
  assert.equal((await box.notePin(delivery, 'm1', false)).pin, 'none')
  assert.equal((await box.notePin(delivery, 'm1', true)).pin, 'pinned')
  assert.equal((await box.notePin(delivery, 'm1', false)).pin, 'none')
})

test('outbox: an unknown delivery is an error everywhere', async () => {
  const { box } = open()
  for (const call of [box.get('dlv_x'), box.edit('dlv_x', { text: 'a' }), box.dismiss('dlv_x', 'owner'), box.notePin('dlv_x', 'm', true)])
    await assert.rejects(call, { code: 'delivery_not_found' })
})

test('outbox: a control that was used is refused with the name of the first person', async () => {
  const { clock, fake, box } = open()
  const presentation = { blocks: [{ type: 'buttons' as const, buttons: [{ label: 'Go', value: 'go' }] }] }
  await box.plan({ ...to, message: { text: 'Ready?', presentation } })
  await clock.advance(10)
  const token = (fake.screen.get('m1')?.controls[0] ?? '').split(':').at(-1) ?? ''
  const control = await box.controls.find(token)
  assert.ok(control)
  const tap = (id: string, byName: string) => box.controls.use(control, { tap: id, token, messageId: 'm1', by: id, byName })
  assert.deepEqual(await tap('t1', 'Mia'), { ok: true })
  assert.deepEqual(await tap('t1', 'Mia'), { ok: true }, 'the same tap again')
  const second = await tap('t2', 'Bob')
  assert.deepEqual([second.ok, !second.ok && second.code, !second.ok && second.details['by']], [false, 'control_used', 'Mia'])
})

test('outbox: a channel that cannot pin, strip or remove says what it cannot do', async () => {
  const { clock, fake, box } = open({ delivery: { pinSentMessage: false, removeSentMessage: false } })
  const { delivery } = await box.plan({ ...to, message: { text: 'hi', delivery: { pin: { enabled: true, required: true } } } })
  await clock.advance(10)
  const view = await box.get(delivery)
  assert.equal(view.state, 'partly-sent')
  assert.match(view.error?.message ?? '', /this channel cannot pin/)
  assert.equal(fake.effects.filter(({ operation }) => operation === 'pin').length, 0)
  const long = await box.plan({ ...to, address: 'b', message: { text: 'long '.repeat(40).trim() } })
  await clock.advance(10)
  await box.edit(long.delivery, { text: 'short' })
  await clock.advance(10)
  assert.equal(fake.effects.filter(({ operation }) => operation === 'remove').length, 0)
  assert.equal((await box.get(long.delivery)).state, 'sent')
})

test('outbox: a stopped deliverer leaves what waits to the next one', async () => {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const store = memoryStore({ clock })
  const first = openOutbox({ channel: fake.channel, clock, store })
  let release = (): void => {}
  fake.hooks.before = () => new Promise<void>((resolve) => (release = resolve))
  await first.plan({ ...to, message: { text: '1' } })
  await first.plan({ ...to, message: { text: '2' } })
  await clock.advance(10)
  const stopping = first.deliverer.stop(60_000)
  delete fake.hooks.before
  release()
  await clock.advance(10)
  await stopping
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['1'],
  )
  openOutbox({ channel: fake.channel, clock, store })
  await clock.advance(10)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['1', '2'],
  )
})

test('outbox: a tap is told why it is refused; one that could not be stored may be tried again', async () => {
  const clock = simulatedClock()
  const use = async (handled: Handled<typeof initialDelivery>) => {
    const deliveries = { load: async () => initialDelivery, known: async () => initialDelivery, handle: async () => handled }
    const { controls } = outbox({ store: memoryStore({ clock }), deliveries: deliveries as never, clock, ids: countedIds() })
    const control = { delivery: 'd', isReusable: false } as Parameters<typeof controls.use>[0]
    return controls.use(control, { tap: 't', token: 'x', messageId: 'm', by: '7', byName: 'Mia' })
  }
  const refusal = { code: 'control_used' as const, details: { by: 'Ada' } }
  assert.deepEqual(await use({ ok: true, state: initialDelivery, before: initialDelivery, events: [] }), { ok: true })
  assert.deepEqual(await use({ ok: false, why: 'refused', refusal, state: initialDelivery }), { ok: false, ...refusal })
  await assert.rejects(use({ ok: false, why: 'fenced' }), { code: 'busy', retryable: true })
})
