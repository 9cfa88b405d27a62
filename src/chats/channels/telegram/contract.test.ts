import { postRequest } from '../test/account-under-test.ts'
import { testContract } from '../test/test-contract.ts'
import { telegramKind } from './kind.ts'

const secret = 'a-secret-of-the-webhook'
const update = {
  update_id: 1,
  message: { message_id: 9, date: 1, chat: { id: 7, type: 'private' }, from: { id: 7, first_name: 'Mia' }, text: 'hello' },
}

testContract({
  kind: telegramKind,
  settings: { token: '1:a-token-of-telegram', apiRoot: 'http://127.0.0.1:1', webhook: { url: 'https://parley.example/', secret } },
  thread: { address: '-1001:topic:7', chat: '-1001' },
  messageIds: ['1001', '1002'],
  webhook: {
    message: postRequest(JSON.stringify(update), { 'x-telegram-bot-api-secret-token': secret }),
  },
})
