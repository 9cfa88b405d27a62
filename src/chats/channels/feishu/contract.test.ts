import { createCipheriv, createHash } from 'node:crypto'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { postRequest } from '../test/account-under-test.ts'
import { testContract } from '../test/test-contract.ts'
import { feishuKind } from './kind.ts'
import { feishuLimits } from './limits.ts'
import { feishuFaults } from './test/schema-faults.ts'

const encryptKey = 'an-encrypt-key-of-feishu'
const schema = platformSchema('feishu')
const chat = 'oc_a0553eda9014c201e6969b478895c230'

function signed(time: number): WebhookRequest {
  const event = {
    schema: '2.0',
    header: { event_id: 'ev_1', event_type: 'im.message.receive_v1', create_time: String(time), app_id: 'cli_0123456789abcdef' },
    event: {
      sender: { sender_id: { open_id: 'ou_7d8a6e6df7621556ce0d21922b676706' }, sender_type: 'user' },
      message: { message_id: 'om_0001', chat_id: chat, chat_type: 'group', message_type: 'text', content: '{"text":"hello"}' },
    },
  }
  const iv = Buffer.alloc(16, 7)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(encryptKey).digest(), iv)
  const encrypt = Buffer.concat([iv, cipher.update(JSON.stringify(event)), cipher.final()]).toString('base64')
  const body = JSON.stringify({ encrypt })
  const seconds = String(Math.floor(time / 1_000))
  const headers = {
    'x-lark-request-timestamp': seconds,
    'x-lark-request-nonce': 'n',
    'x-lark-signature': createHash('sha256').update(`${seconds}n${encryptKey}${body}`).digest('hex'),
  }
  return postRequest(body, headers)
}

testContract({
  kind: feishuKind,
  settings: { appId: 'cli_0123456789abcdef', appSecret: 'an-app-secret-of-feishu', encryptKey, apiRoot: 'http://127.0.0.1:1' },
  thread: { address: `${chat}:thread:om_dc13264520392913993dd051dba21dcf`, chat },
  messageIds: ['om_dc13264520392913993dd051dba21dc1', 'om_dc13264520392913993dd051dba21dc2'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - feishuLimits.replayMs - 60_000) },
  ...(schema && { validate: (request) => feishuFaults(schema.validate, request) }),
})
