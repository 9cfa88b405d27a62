import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DeliveryView } from '../../src/shapes/messaging.ts'
import type { Store } from '../../src/ports/store.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { type CrashPoint, SimulatedCrash, crashingStore } from '../../src/testing/crashing-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { loopbackChannel } from '../../src/chats/outbox/test/loopback-channel.ts'
import { openOutbox } from '../../src/chats/outbox/test/outbox-under-test.ts'
import { assertRowsFold } from './rows-fold.ts'

const long = Array.from({ length: 25 }, (_, index) => `word${index}`).join(' ')
const texts = ['first', long, 'last']

/** Three messages to one address and one edit, dying at the given points and starting again on the same data. */
async function play(points: CrashPoint[], idempotencyKey: boolean) {
  const backing = memoryBacking()
  const clock = simulatedClock()
  const ids = countedIds()
  const fake = loopbackChannel({ now: clock.now, delivery: { idempotency: idempotencyKey ? { keyForMs: 5 * 60_000 } : null } })
  let crashes = 0
  let store: Store & { readonly crashed?: boolean } = open()
  let box = openOutbox({ channel: fake.channel, clock, store, ids })

  function open(): Store & { readonly crashed?: boolean } {
    const inside = memoryStore({ clock, backing })
    const point = points[crashes]
    return point ? crashingStore(inside, point) : inside
  }
  function restart(): void {
    crashes += 1
    void box.deliverer.stop(0)
    store = open()
    box = openOutbox({ channel: fake.channel, clock, store, ids })
  }
  /** A caller that retries until the request is acknowledged. */
  async function surely<Result>(act: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error
        restart()
      }
    }
  }
  async function rest(): Promise<void> {
    for (let waits = 0; waits < 200; waits += 1) {
      await clock.advance(1_000)
      if (store.crashed) restart()
      else if ((await surely(() => store.countRows('outbox'))) === 0) return
    }
    assert.fail('something is stuck')
  }

  const planned: string[] = []
  for (const [index, text] of texts.entries()) {
    const { delivery } = await surely(() =>
      box.plan({ channel: 'fake', address: 'a', message: { text, ...(index === 2 && { delivery: { pin: true } }) }, once: `m${index}` }),
    )
    planned.push(delivery)
  }
  await rest()
  const [first = ''] = planned
  await surely(() => box.edit(first, { text: 'first, edited' }))
  await rest()
  const views = await Promise.all(planned.map((id) => surely(() => box.get(id))))
  const final = memoryStore({ clock, backing })
  assert.equal(await final.nextDue('deliver'), null, 'no work is left over')
  await assertRowsFold(final, backing)
  await box.deliverer.stop(0)
  return { views, fake, crashes }
}

type Outcome = Awaited<ReturnType<typeof play>>

function check({ views, fake }: Outcome, idempotencyKey: boolean): void {
  const sends = fake.sends()
  const keys = sends.map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length, 'nothing was doubled')
  const order = sends.map(({ key }) => key.replaceAll(/\/\d+\//g, '/'))
  assert.deepEqual(order, order.toSorted(), 'the order of the address holds')
  const receipts = new Set(views.flatMap((view) => view.receipts.map(({ messageId }) => messageId)))
  const unclear = views.filter(({ state }) => state === 'unknown')
  if (idempotencyKey) assert.deepEqual(unclear, [])
  for (const view of views) if (view.state !== 'unknown') checkShown(view, fake)
  const orphans = sends.filter(({ id }) => !receipts.has(id))
  for (const { key } of orphans)
    assert.ok(
      unclear.some(({ id }) => key.startsWith(`${id}/`)),
      `${key} was sent without a record`,
    )
}

function checkShown(view: DeliveryView, { screen }: Outcome['fake']): void {
  assert.equal(view.state, 'sent')
  const parts = view.receipts
    .map(({ messageId }) => screen.get(messageId)?.text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
  assert.ok([...texts.slice(1), 'first, edited'].includes(parts), `shown: ${parts}`)
  if (view.pin !== 'none') assert.equal(screen.get(view.receipts[0]?.messageId ?? '')?.pinned, true)
}

for (const idempotencyKey of [false, true])
  test(`killed before or after any commit ${idempotencyKey ? 'with' : 'without'} keys: nothing lost, nothing doubled, the rest reported`, async () => {
    check(await play([], idempotencyKey), idempotencyKey)
    let points = 0
    let unclear = 0
    for (let commit = 1; ; commit += 1) {
      const outcomes = [await play([{ when: 'before', commit }], idempotencyKey), await play([{ when: 'after', commit }], idempotencyKey)]
      if (outcomes.every(({ crashes }) => crashes === 0)) break
      for (const outcome of outcomes) {
        check(outcome, idempotencyKey)
        unclear += outcome.views.filter(({ state }) => state === 'unknown').length
      }
      points += 1
    }
    assert.ok(points >= 10, `only ${points} commit points were met`)
    assert.equal(unclear > 0, !idempotencyKey)
  })

test('killed again and again at random commits, the same holds', async () => {
  const point = fc.record({ when: fc.constantFrom('before' as const, 'after' as const), commit: fc.integer({ min: 1, max: 6 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(point, { maxLength: 5 }), fc.boolean(), async (points, keyed) => check(await play(points, keyed), keyed)),
    { numRuns: 40 },
  )
})
