import { after, test } from 'node:test'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { WebhookRequest } from '../../../ports/channel-kind.ts'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'
import { teamsEmulator } from '../../../testing/teams-emulator/teams-emulator.ts'
import { teamsKind } from './kind.ts'

const schema = platformSchema('teams')
// The keys can be fetched; the login and the connector cannot be reached.
const teams = await teamsEmulator()
after(() => teams.close())
const unreachable = 'http://127.0.0.1:1'

function signed(): WebhookRequest {
  const activity = teams.makeActivity('a:1mia', teams.person('Mia'), { type: 'message', text: 'hello' })
  const headers = { authorization: `Bearer ${teams.signToken()}` }
  return { method: 'POST', path: '/', query: {}, headers, body: new TextEncoder().encode(JSON.stringify(activity)) }
}

const subject: ChannelSubject = {
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
  ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }),
}

for (const { id, behaviour, run } of channelContract)
  test(`teams ${id}: ${behaviour}`, async (t) => {
    if (!schema && id === 'render:accepted')
      t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
    await run(subject)
  })
