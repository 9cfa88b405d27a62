import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caller } from './call.ts'
import type { Http } from './http.ts'

/** Records requests instead of sending them. */
function recording() {
  const requests: unknown[][] = []
  const http: Http = {
    get: async (...request) => requests.push(['GET', ...request]) as never,
    send: async (...request) => requests.push(request) as never,
  }
  return { call: caller(http), requests }
}

test('call: path parameters are encoded and leave the body', async () => {
  const { call, requests } = recording()
  await call('dialogs.say', { id: 'a/b', text: 'Hello' }, { key: 'k' })
  assert.deepEqual(requests, [['POST', '/v1/dialogs/a%2Fb/messages', { text: 'Hello' }, { key: 'k' }]])
})

test('call: the other fields of a read are its query', async () => {
  const { call, requests } = recording()
  await call('builds.events', { id: 'b1', include: 'all', after: 7 })
  assert.deepEqual(requests, [['GET', '/v1/builds/b1/events', { include: 'all', after: 7 }, undefined]])
})

test('call: a deletion has no body', async () => {
  const { call, requests } = recording()
  await call('tokens.revoke', { id: 't1' })
  assert.deepEqual(requests, [['DELETE', '/v1/tokens/t1', undefined, undefined]])
})

test('call: input and result have the types of the route', async () => {
  const { call } = recording()
  // @ts-expect-error The body of a message is a text.
  await call('dialogs.say', { id: 'd1', text: 7 })
  // @ts-expect-error There is no such operation.
  assert.throws(() => call('dialogs.shout', {}), TypeError)
  const receipt = await call('dialogs.say', { id: 'd1', text: 'Hello' })
  const read: (said: { dialog: string; message: string; seq: number }) => void = () => {}
  read(receipt)
})
