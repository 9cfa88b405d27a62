import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { slackKind } from './kind.ts'

const signingSecret = 'a-signing-secret-of-slack'
const schema = platformSchema('slack')
const event = { type: 'message', channel: 'C0TEAM', user: 'U0MIA', text: 'hello', ts: '1700000000.000100' }

function signed(time: number): WebhookRequest {
  const body = JSON.stringify({ type: 'event_callback', event })
  const seconds = String(Math.floor(time / 1_000))
  const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-slack-request-timestamp': seconds, 'x-slack-signature': signature }
  return { method: 'POST', path: '/', query: {}, headers, body: new TextEncoder().encode(body) }
}

const subject: ChannelSubject = {
  kind: slackKind,
  settings: { token: 'xoxb-a-token-of-slack', signingSecret, apiRoot: 'http://127.0.0.1:1/api/' },
  thread: { address: 'C0TEAM:thread:1700000000.000100', chat: 'C0TEAM' },
  messageIds: ['1700000000.000200', '1700000000.000300'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - 6 * 60_000) },
  ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }),
}

for (const { id, behaviour, run } of channelContract)
  test(`slack ${id}: ${behaviour}`, async (t) => {
    if (!schema && id === 'render:accepted')
      t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
    await run(subject)
  })
