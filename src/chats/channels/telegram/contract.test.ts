import { test } from 'node:test'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { telegramKind } from './kind.ts'

const secret = 'a-secret-of-the-webhook'
const update = {
  update_id: 1,
  message: { message_id: 9, date: 1, chat: { id: 7, type: 'private' }, from: { id: 7, first_name: 'Mia' }, text: 'hello' },
}
const schema = platformSchema('telegram')

const subject: ChannelSubject = {
  kind: telegramKind,
  settings: { token: '1:a-token-of-telegram', apiRoot: 'http://127.0.0.1:1', webhook: { url: 'https://parley.example/', secret } },
  thread: { address: '-1001:topic:7', chat: '-1001' },
  messageIds: ['1001', '1002'],
  webhook: {
    message: {
      method: 'POST',
      path: '/',
      query: {},
      headers: { 'x-telegram-bot-api-secret-token': secret },
      body: new TextEncoder().encode(JSON.stringify(update)),
    },
  },
  ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }),
}

for (const { id, behaviour, run } of channelContract)
  test(`telegram ${id}: ${behaviour}`, async (t) => {
    if (!schema && id === 'render:accepted')
      t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
    await run(subject)
  })
