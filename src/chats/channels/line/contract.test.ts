import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'
import { lineKind } from './kind.ts'
import { lineLimits } from './limits.ts'

const channelSecret = 'a-channel-secret-of-line'
const schema = platformSchema('line')
const source = { type: 'user', userId: `U${'ab'.repeat(16)}` }

function signed(timestamp: number): WebhookRequest {
  const message = { id: '560', type: 'text', text: 'hello' }
  const event = { type: 'message', mode: 'active', timestamp, source, webhookEventId: '01EVENT', replyToken: 'r', message }
  const body = JSON.stringify({ destination: 'U', events: [event] })
  const headers = { 'x-line-signature': createHmac('sha256', channelSecret).update(body).digest('base64') }
  return { method: 'POST', path: '/', query: {}, headers, body: new TextEncoder().encode(body) }
}

const subject: ChannelSubject = {
  kind: lineKind,
  settings: { token: 'a-channel-access-token-of-line', channelSecret, apiRoot: 'http://127.0.0.1:1' },
  thread: null,
  messageIds: ['460000000000000001', '460000000000000002'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - lineLimits.replayMs - 60_000) },
  ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }),
}

for (const { id, behaviour, run } of channelContract)
  test(`line ${id}: ${behaviour}`, async (t) => {
    if (!schema && id === 'render:accepted')
      t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
    await run(subject)
  })
