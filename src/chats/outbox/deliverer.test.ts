import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryLimits } from './delivery-limits.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const to = { channel: 'fake', address: 'a' }
const unreachable = { failure: { code: 'unreachable', retryable: true } } as const

function open(options: Parameters<typeof loopbackChannel>[0] = {}) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now, ...options })
  return { clock, fake, box: openOutbox({ channel: fake.channel, clock }) }
}

test('a message is sent once, its receipt and its losses are kept, and no work is left', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({
    ...to,
    message: { text: 'Hello', presentation: { tone: 'danger', blocks: [{ type: 'text', text: 'Look' }] } },
  })
  await clock.advance(10)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['Hello\n\nLook'],
  )
  const view = await box.get(delivery)
  assert.equal(view.state, 'sent')
  assert.deepEqual(view.receipts, [{ messageId: 'm1', at: view.plannedAt }])
  assert.deepEqual(
    view.losses.map(({ what, from }) => ({ what, from })),
    [{ what: 'tone', from: 'danger' }],
  )
  assert.deepEqual(await box.list({ state: 'sent' }), [view])
  assert.equal(await box.store.nextDue('deliver'), null)
  assert.equal(await box.store.countRows('outbox'), 0)
})

test('the same name plans the same delivery', async () => {
  const { clock, fake, box } = open()
  const first = await box.plan({ ...to, message: { text: 'once' }, once: 'reply-1' })
  const second = await box.plan({ ...to, message: { text: 'once' }, once: 'reply-1' })
  assert.deepEqual(second, { delivery: first.delivery, isNew: false })
  await clock.advance(10)
  assert.equal(fake.sends().length, 1)
})

test('one address is served in order, another one does not wait for it', async () => {
  const { clock, fake, box } = open()
  fake.faults.push(unreachable)
  for (const text of ['1', '2', '3']) await box.plan({ ...to, message: { text } })
  await clock.advance(0)
  await box.plan({ ...to, address: 'b', message: { text: 'other' } })
  await clock.advance(10)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['other'],
  )
  await clock.advance(5_000)
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['other', '1', '2', '3'],
  )
})

test('a long text goes on in further messages, and continues where it stopped', async () => {
  const { clock, fake, box } = open()
  fake.faults.push('ok', unreachable)
  const text = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')
  const { delivery } = await box.plan({ ...to, message: { text } })
  await clock.advance(10)
  assert.equal((await box.get(delivery)).parts.sent, 1)
  assert.match((await box.get(delivery)).error?.message ?? '', /unreachable/)
  await clock.advance(2_000)
  const view = await box.get(delivery)
  assert.equal(view.state, 'sent')
  assert.equal(view.parts.sent, fake.sends().length)
  assert.equal(
    fake
      .sends()
      .map((sent) => sent.text)
      .join(' ')
      .replaceAll(/\s+/g, ' '),
    text,
  )
  assert.ok(view.losses.some(({ what }) => what === 'message'))
})

test('what the platform asks for is waited for, and waiting is no failed try', async () => {
  const { clock, fake, box } = open()
  for (let times = 0; times < deliveryLimits.tries + 3; times += 1)
    fake.faults.push({ failure: { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 } })
  const { delivery } = await box.plan({ ...to, message: { text: 'patience' } })
  const start = clock.now()
  await clock.advance(6_000)
  assert.equal(fake.calls.length, 1)
  await clock.advance(7_000 * (deliveryLimits.tries + 4))
  assert.equal((await box.get(delivery)).state, 'sent')
  const [sent] = fake.sends()
  assert.equal((sent?.at ?? 0) - start, 7_000 * (deliveryLimits.tries + 3))
})

test('after too many tries it is parked, others go on, and a person can send it after all', async () => {
  const { clock, fake, box } = open()
  for (let times = 0; times < deliveryLimits.tries; times += 1) fake.faults.push(unreachable)
  const { delivery } = await box.plan({ ...to, message: { text: 'stuck' } })
  await box.plan({ ...to, message: { text: 'next' } })
  await clock.advance(20 * 60_000)
  const view = await box.get(delivery)
  assert.equal(view.state, 'parked')
  assert.match(view.error?.message ?? '', new RegExp(`tried ${deliveryLimits.tries} times`))
  assert.match(view.error?.hint ?? '', new RegExp(delivery))
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['next'],
  )
  await box.retry(delivery, 'owner')
  await clock.advance(10)
  assert.equal((await box.get(delivery)).state, 'sent')
  await assert.rejects(box.retry(delivery, 'owner'), { code: 'delivery_not_stuck' })
  await assert.rejects(box.retry('dlv_none', 'owner'), { code: 'delivery_not_found' })
})

test('a refusal is final at once and says why', async () => {
  const { clock, fake, box } = open()
  fake.faults.push({ failure: { code: 'forbidden', why: 'the person blocked this account' } })
  const { delivery } = await box.plan({ ...to, message: { text: 'no' } })
  await clock.advance(60_000)
  assert.equal(fake.calls.length, 1)
  const view = await box.get(delivery)
  assert.equal(view.state, 'failed')
  assert.match(view.error?.message ?? '', /blocked this account/)
})

test('no response: without idempotency keys the delivery is reported as unknown; with keys it is retried under the same key', async () => {
  for (const idempotencyKey of [false, true]) {
    const { clock, fake, box } = open({ delivery: { idempotency: idempotencyKey ? { keyForMs: 5 * 60_000 } : null } })
    fake.faults.push({ lost: true })
    const { delivery } = await box.plan({ ...to, message: { text: 'hm' } })
    await clock.advance(30 * 60_000)
    assert.equal(fake.sends().length, 1)
    assert.equal((await box.get(delivery)).state, idempotencyKey ? 'sent' : 'unknown')
    assert.equal(fake.calls.length, idempotencyKey ? 2 : 1)
  }
})

test('a key is not trusted for ever', async () => {
  const { clock, fake, box } = open({ delivery: { idempotency: { keyForMs: 5 * 60_000 } } })
  fake.faults.push({
    failure: { code: 'unreachable', retryable: true, maybeSent: true, retryAfterMs: deliveryLimits.repeatKeyWithinMs + 1_000 },
  })
  const { delivery } = await box.plan({ ...to, message: { text: 'hm' } })
  await clock.advance(30 * 60_000)
  assert.equal((await box.get(delivery)).state, 'unknown')
  assert.equal(fake.calls.length, 1)
})

test('what waited too long is reported, not sent', async () => {
  const { clock, fake, box } = open()
  fake.faults.push({ failure: { code: 'rate_limited', retryable: true, retryAfterMs: deliveryLimits.staleAfterMs + 1_000 } })
  const { delivery } = await box.plan({ ...to, message: { text: 'good morning' } })
  await clock.advance(deliveryLimits.staleAfterMs + 60_000)
  const view = await box.get(delivery)
  assert.equal(view.state, 'parked')
  assert.match(view.error?.message ?? '', /waited too long/)
  assert.equal(fake.sends().length, 0)
})

test('the platform’s rates are kept before it complains', async () => {
  const clock = simulatedClock()
  const rates = [
    { of: 'address' as const, count: 1, perMs: 1_000 },
    { of: 'group' as const, count: 5, perMs: 60_000 },
    { of: 'account' as const, count: 3, perMs: 1_000 },
  ]
  const topics = {
    parent: (text: string) => (text.includes(':topic') ? text.replace(/:topic.*/, '') : null),
    isGroup: (text: string) => text.startsWith('g'),
  }
  const fake = loopbackChannel({ now: clock.now, delivery: { rates }, address: topics })
  const box = openOutbox({ channel: fake.channel, clock })
  for (let index = 0; index < 8; index += 1) {
    await box.plan({ ...to, address: `g:topic:${index % 2}`, message: { text: `${index}` } })
    await box.plan({ ...to, address: `p${index}`, message: { text: `${index}` } })
  }
  await clock.advance(10 * 60_000)
  assert.equal(fake.sends().length, 16)
  const most = (of: (address: string) => boolean, perMs: number): number => {
    const times = fake
      .sends()
      .filter(({ address }) => of(address))
      .map(({ at }) => at)
    return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + perMs).length))
  }
  assert.equal(
    most((address) => address.startsWith('g'), 1_000),
    1,
  )
  assert.ok(most((address) => address.startsWith('g'), 60_000) <= 5)
  assert.ok(most(() => true, 1_000) <= 3)
})

test('an edit changes what is there, adds what became longer and removes what became shorter', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'short' } })
  await clock.advance(10)
  await box.edit(delivery, { text: 'long '.repeat(40).trim() })
  await clock.advance(10)
  assert.equal(fake.screen.size, 2)
  await box.edit(delivery, { text: 'short again' })
  await clock.advance(10)
  assert.deepEqual(
    [...fake.screen.values()].map(({ text }) => text),
    ['short again'],
  )
  assert.deepEqual(
    fake.effects.map(({ operation }) => operation),
    ['send', 'edit', 'send', 'edit', 'remove'],
  )
  assert.equal((await box.get(delivery)).state, 'sent')
})

test('an edit of something gone fails, or is sent afresh when that was asked for', async () => {
  for (const orSend of [false, true]) {
    const { clock, fake, box } = open()
    const { delivery } = await box.plan({ ...to, message: { text: 'draft' } })
    await clock.advance(10)
    fake.faults.push({ failure: { code: 'gone' } })
    await box.edit(delivery, { text: 'final' }, { orSend })
    await clock.advance(10)
    assert.equal((await box.get(delivery)).state, orSend ? 'sent' : 'failed')
    assert.deepEqual(
      [...fake.screen.values()].map(({ text }) => text),
      [orSend ? 'final' : 'draft'],
    )
  }
})

test('an edit that changes nothing is no failure', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'same' } })
  await clock.advance(10)
  fake.faults.push({ failure: { code: 'not_modified' } })
  await box.edit(delivery, { text: 'same' })
  await clock.advance(10)
  assert.equal((await box.get(delivery)).state, 'sent')
})

test('the deliveries about one thing are found again', async () => {
  const { box } = open()
  const { delivery } = await box.plan({ ...to, message: { text: 'one' }, about: 'question:q_1' })
  await box.plan({ ...to, message: { text: 'two' }, about: 'question:q_2' })
  assert.deepEqual(
    (await box.about('question:q_1')).map(({ id }) => id),
    [delivery],
  )
})

test('a channel that cannot change what it sent says so, or sends afresh when that was asked for', async () => {
  for (const orSend of [false, true]) {
    const { clock, fake, box } = open({ delivery: { editing: { ability: 'none' }, streaming: 'none' } })
    const { delivery } = await box.plan({ ...to, message: { text: 'draft' } })
    await clock.advance(10)
    await box.edit(delivery, { text: 'final' }, { orSend })
    await clock.advance(10)
    const view = await box.get(delivery)
    assert.equal(view.state, orSend ? 'sent' : 'failed')
    if (!orSend) assert.match(view.error?.message ?? '', /cannot change what it sent/)
    assert.deepEqual(
      fake.sends().map(({ text }) => text),
      orSend ? ['draft', 'final'] : ['draft'],
    )
  }
})

test('a message that breaks a renderer is reported and does not delay others', async () => {
  const { clock, fake, box } = open()
  const { render } = fake.channel
  fake.channel.render = (adapted, target) => {
    if (JSON.stringify(adapted).includes('poison')) throw new Error('cannot spell that')
    return render(adapted, target)
  }
  const { delivery } = await box.plan({ ...to, message: { text: 'poison' } })
  await box.plan({ ...to, message: { text: 'fine' } })
  await clock.advance(10)
  assert.equal((await box.get(delivery)).state, 'failed')
  assert.deepEqual(
    fake.sends().map(({ text }) => text),
    ['fine'],
  )
})

test('a channel that is not connected yet is waited for', async () => {
  const { clock, fake, box } = open()
  const { delivery } = await box.plan({ ...to, channel: 'other', message: { text: 'later' } })
  await clock.advance(60_000)
  assert.equal((await box.get(delivery)).state, 'waiting')
  assert.equal(fake.calls.length, 0)
  await clock.advance(deliveryLimits.staleAfterMs)
  assert.equal((await box.get(delivery)).state, 'parked')
})

test('a pin by hand waits a moment for its turn, or says when to come back', async () => {
  const { clock, fake, box } = open({ delivery: { rates: [{ of: 'address', count: 1, perMs: 20_000 }] } })
  const pin = () => box.perform(to, ({ pin: request }) => request({ address: 'a', messageId: 'm1' }, false))
  const first = await pin()
  assert.ok('receipt' in first)
  const second = pin()
  await clock.advance(10)
  assert.equal(fake.calls.length, 1)
  const third = await pin()
  assert.ok('failure' in third && third.failure.code === 'rate_limited' && (third.failure.retryAfterMs ?? 0) > 30_000)
  await clock.advance(20_000)
  assert.ok('receipt' in (await second))
  const nowhere = await box.perform({ channel: 'none', address: 'a' }, ({ unpin }) => unpin({ address: 'a', messageId: 'm1' }))
  assert.ok('failure' in nowhere && /not connected/.test(nowhere.failure.why))
})

test('a clock that was set back by hours delays neither a planned nor a postponed message', async () => {
  const { clock, fake, box } = open()
  fake.faults.push({ failure: { code: 'rate_limited', retryable: true, retryAfterMs: 30_000 } })
  const postponed = await box.plan({ ...to, message: { text: 'postponed' } })
  await clock.advance(10)
  const planned = await box.plan({ ...to, address: 'b', message: { text: 'planned' } })
  clock.stepBack(5 * 60 * 60_000)
  await clock.advance(2_000)
  assert.equal((await box.get(planned.delivery)).state, 'sent')
  assert.equal((await box.get(postponed.delivery)).state, 'waiting')
  await clock.advance(31_000)
  assert.equal((await box.get(postponed.delivery)).state, 'sent')
})
