import { after } from 'node:test'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { teamsEmulator } from '../../../testing/teams-emulator/teams-emulator.ts'
import { postRequest } from '../test/account-under-test.ts'
import { testContract } from '../test/test-contract.ts'
import { teamsKind } from './kind.ts'

// The keys can be fetched; the login and the connector cannot be reached.
const teams = await teamsEmulator()
after(() => teams.close())
const unreachable = 'http://127.0.0.1:1'

function signed(): WebhookRequest {
  const activity = teams.makeActivity('a:1mia', teams.person('Mia'), { type: 'message', text: 'hello' })
  const headers = { authorization: `Bearer ${teams.signToken()}` }
  return postRequest(JSON.stringify(activity), headers)
}

testContract({
  kind: teamsKind,
  settings: {
    appId: teams.appId,
    appPassword: teams.appPassword,
    openIdUrl: teams.openIdUrl,
    loginRoot: unreachable,
    apiRoot: unreachable,
  },
  thread: { address: '19:sample@thread.tacv2:thread:1700000000001', chat: '19:sample@thread.tacv2' },
  messageIds: ['1700000000002', '1700000000003'],
  // The token does not cover the body, so a changed body is not noticed; an old token is tested in open.test.ts.
  webhook: { message: signed() },
})
