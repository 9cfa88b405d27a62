import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../ports/log.ts'
import { type DeliveryState, type DeliveryStatus, initialDelivery } from './delivery-state.ts'
import { notifyDelivered } from './notify-delivered.ts'

const part = (messageId: string) => ({ messageId, sentAt: 5, hasControls: false, medium: null })
const arrived: DeliveryState = {
  ...initialDelivery,
  status: 'sent',
  delivery: 'd',
  channel: 'c',
  address: 'a',
  reply: { dialog: 'dlg', turn: 2 },
  shown: [part('m1'), part('m2')],
}

async function listNotified(state: DeliveryState): Promise<unknown[]> {
  const notified: unknown[] = []
  const hooks = { replyDelivered: async (reply: unknown) => void notified.push(reply) }
  await notifyDelivered({ hooks, getKind: (channel) => `kind of ${channel}`, log: silentLog }, state)
  return notified
}

test('plugins are notified of a reply that arrived, with the messages it is shown in', async () => {
  assert.deepEqual(await listNotified(arrived), [
    { dialog: 'dlg', turn: 2, channel: 'c', kind: 'kind of c', address: 'a', delivery: 'd', messageIds: ['m1', 'm2'] },
  ])
})

test('plugins are notified neither of a draft, nor of a message that is no reply, nor of one that did not arrive', async () => {
  assert.deepEqual(await listNotified({ ...arrived, isDraft: true }), [], 'a draft')
  assert.deepEqual(await listNotified({ ...arrived, reply: null }), [], 'no reply')
  const others: DeliveryStatus[] = ['open', 'partly-sent', 'unknown', 'failed', 'parked', 'dismissed']
  for (const status of others) assert.deepEqual(await listNotified({ ...arrived, status }), [], status)
})

test('a plugin that fails is in the log, and nothing else happens', async () => {
  const lines: unknown[] = []
  const hooks = { replyDelivered: () => Promise.reject(new Error('plugin')) }
  await notifyDelivered({ hooks, getKind: () => 'k', log: (level) => void lines.push(level) }, arrived)
  assert.deepEqual(lines, ['warn'])
})
