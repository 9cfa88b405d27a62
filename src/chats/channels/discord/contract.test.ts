import { generateKeyPairSync, sign } from 'node:crypto'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { postRequest } from '../test/account-under-test.ts'
import { testContract } from '../test/test-contract.ts'
import { discordKind } from './kind.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const interaction = {
  id: '1300000000000000001',
  token: 'token-of-a-tap',
  application_id: '1200000000000000001',
  type: 3,
  channel_id: '1100000000000000001',
  user: { id: '1000000000000000001', username: 'mia' },
  message: { id: '1300000000000000002' },
  data: { component_type: 2, custom_id: '0-0-0:value' },
}

function signed(time: number): WebhookRequest {
  const body = JSON.stringify(interaction)
  const seconds = String(Math.floor(time / 1_000))
  const signature = sign(null, Buffer.from(seconds + body), privateKey).toString('hex')
  const headers = { 'content-type': 'application/json', 'x-signature-timestamp': seconds, 'x-signature-ed25519': signature }
  return postRequest(body, headers)
}

testContract({
  kind: discordKind,
  settings: {
    token: 'a-token-of-discord',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    apiRoot: 'http://127.0.0.1:1/api',
  },
  thread: { address: '1100000000000000001:thread:1100000000000000002', chat: '1100000000000000001' },
  messageIds: ['1300000000000000003', '1300000000000000004'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - 6 * 60_000) },
})
