import { testContract } from '../test/test-contract.ts'
import { mattermostKind } from './kind.ts'

/** Taps are verified with the key of the server, so genuine ones are in the tests of `open.ts`. */
testContract({
  kind: mattermostKind,
  settings: { url: 'http://127.0.0.1:1', token: 'a-token-of-mattermost' },
  thread: { address: 'sampleofachannel0123456789:thread:rootofathread0000000000001', chat: 'sampleofachannel0123456789' },
  messageIds: ['idofapost00000000000000001', 'idofapost00000000000000002'],
})
