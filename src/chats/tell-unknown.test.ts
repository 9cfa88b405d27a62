import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialDelivery, type DeliveryState } from './outbox/delivery-state.ts'
import type { DeliveryPlan } from './outbox/outbox.ts'
import { tellUnknown } from './tell-unknown.ts'

const intended = {
  part: 0,
  revision: 0,
  key: 'k',
  at: 0,
  isRepeatable: false,
  keyUntil: 0,
  covers: 1,
  hasControls: false,
  medium: null,
  isDraft: false,
}
const unclear: DeliveryState = {
  ...initialDelivery,
  status: 'unknown',
  delivery: 'dlv_1',
  channel: 'tg',
  address: '7',
  message: { text: 'Two\nlines' },
  total: 1,
  intended,
}

async function tell(...states: DeliveryState[]): Promise<DeliveryPlan[]> {
  const plans: DeliveryPlan[] = []
  const outbox = { plan: async (plan: DeliveryPlan) => (plans.push(plan), { delivery: 'dlv_2', isNew: true }) }
  for (const state of states) await tellUnknown({ outbox, languageAt: async ({ address }) => (address === '8' ? 'zh' : 'en') }, state)
  return plans
}

test('people read in the chat that a message may be missing, each unclear part under one name', async () => {
  const [first, again, chinese] = await tell(unclear, unclear, { ...unclear, address: '8' })
  assert.equal(first?.message.text, 'A message of mine may not have arrived here: “Two lines”. If you do not see it, ask me again.')
  assert.deepEqual([first?.channel, first?.address, first?.once], ['tg', '7', again?.once])
  assert.match(chinese?.message.text ?? '', /可能没有送达/)
})

test('people read that a part may be missing, once for each', async () => {
  const part = { part: 1, covers: 1, hasControls: false, why: 'no answer' }
  const shown = [{ messageId: 'm1', sentAt: 0, hasControls: false, medium: null }]
  const [plan, last] = await tell({ ...unclear, total: 3, intended: null, unclear: [part] }, { ...unclear, total: 3, shown })
  assert.match(plan?.message.text ?? '', /^A part of a message of mine may not have arrived here; the other parts were sent/)
  assert.match(last?.message.text ?? '', /^A part of a message/)
  assert.notEqual(plan?.once, last?.once)
})

test('what arrived is not told, nor a notice that is unclear itself', async () => {
  assert.deepEqual(await tell({ ...unclear, status: 'sent' }, { ...unclear, about: 'unknown:dlv_0' }), [])
})
