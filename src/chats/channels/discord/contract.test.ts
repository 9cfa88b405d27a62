import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { discordKind } from './kind.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const schema = platformSchema('discord')
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
  return { method: 'POST', path: '/', query: {}, headers, body: new TextEncoder().encode(body) }
}

const subject: ChannelSubject = {
  kind: discordKind,
  settings: {
    token: 'a-token-of-discord',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    apiRoot: 'http://127.0.0.1:1/api',
  },
  thread: { address: '1100000000000000001:thread:1100000000000000002', chat: '1100000000000000001' },
  messageIds: ['1300000000000000003', '1300000000000000004'],
  webhook: { message: signed(Date.now()), replayed: signed(Date.now() - 6 * 60_000) },
  ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }),
}

for (const { id, behaviour, run } of channelContract)
  test(`discord ${id}: ${behaviour}`, async (t) => {
    if (!schema && id === 'render:accepted')
      t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
    await run(subject)
  })
