import { createHmac } from 'node:crypto'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { postRequest } from '../test/account-under-test.ts'
import { testContract } from '../test/test-contract.ts'
import { lineKind } from './kind.ts'
import { lineLimits } from './limits.ts'

const channelSecret = 'a-channel-secret-of-line'
const source = { type: 'user', userId: `U${'ab'.repeat(16)}` }

function signed(timestamp: number): WebhookRequest {
  const message = { id: '560', type: 'text', text: 'hello' }
  const event = { type: 'message', mode: 'active', timestamp, source, webhookEventId: '01EVENT', replyToken: 'r', message }
  const body = JSON.stringify({ destination: 'U', events: [event] })
  const headers = { 'x-line-signature': createHmac('sha256', channelSecret).update(body).digest('base64') }
  return postRequest(body, headers)
}

testContract({
  kind: lineKind,
  settings: { token: 'a-channel-access-token-of-line', channelSecret, apiRoot: 'http://127.0.0.1:1' },
  thread: null,
  messageIds: ['460000000000000001', '460000000000000002'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - lineLimits.replayMs - 60_000) },
})
