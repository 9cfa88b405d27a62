import { createHmac } from 'node:crypto'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { postRequest } from '../test/account-under-test.ts'
import { testContract } from '../test/test-contract.ts'
import { slackKind } from './kind.ts'

const signingSecret = 'a-signing-secret-of-slack'
const event = { type: 'message', channel: 'C0TEAM', user: 'U0MIA', text: 'hello', ts: '1700000000.000100' }

function signed(time: number): WebhookRequest {
  const body = JSON.stringify({ type: 'event_callback', event })
  const seconds = String(Math.floor(time / 1_000))
  const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-slack-request-timestamp': seconds, 'x-slack-signature': signature }
  return postRequest(body, headers)
}

testContract({
  kind: slackKind,
  settings: { token: 'xoxb-a-token-of-slack', signingSecret, apiRoot: 'http://127.0.0.1:1/api/' },
  thread: { address: 'C0TEAM:thread:1700000000.000100', chat: 'C0TEAM' },
  messageIds: ['1700000000.000200', '1700000000.000300'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - 6 * 60_000) },
})
