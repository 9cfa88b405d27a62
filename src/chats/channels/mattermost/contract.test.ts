import { test } from 'node:test'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'
import { mattermostKind } from './kind.ts'

const schema = platformSchema('mattermost')

/** Taps are verified with the key of the server, so genuine ones are in the tests of `open.ts`. */
const subject: ChannelSubject = {
  kind: mattermostKind,
  settings: { url: 'http://127.0.0.1:1', token: 'a-token-of-mattermost' },
  thread: { address: 'sampleofachannel0123456789:thread:rootofathread0000000000001', chat: 'sampleofachannel0123456789' },
  messageIds: ['idofapost00000000000000001', 'idofapost00000000000000002'],
  ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }),
}

for (const { id, behaviour, run } of channelContract)
  test(`mattermost ${id}: ${behaviour}`, async (t) => {
    if (!schema && id === 'render:accepted')
      t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
    await run(subject)
  })
