import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelSchema } from '../../src/config/channels-schema.ts'
import type { Connect } from '../../src/messaging/connections.ts'
import { openMessaging } from '../../src/messaging/open-messaging.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import type { Parley } from '../../src/ports/parley.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { streamHandler } from '../../src/streams/stream-handler.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { dialogKind } from '../../src/views/dialog-kind.ts'
import { fakeChannel } from './fake-channel.ts'

const connect: Connect = ({ name, config }) => ({
  name,
  kind: 'fake',
  config,
  channel: fakeChannel().channel,
  state: 'connected',
  account: '@fake',
  problem: null,
  ready: Promise.resolve(),
  check: async () => ({ account: '@fake' }),
  close: async () => {},
})

test('an account that nobody of the team answers is a problem in words, until the name is right', async (t) => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const committer = groupCommitter(store)
  const team = ['ada', 'researcher']
  const messaging = openMessaging({
    store,
    committer,
    dialogs: streamHandler(dialogKind, store, committer),
    // Nothing is said here.
    parley: {} as Parley,
    clock,
    ids: countedIds(),
    log: silentLog,
    metrics: noMetrics,
    kinds: () => ({ fake: connect }),
    agents: () => team,
  })
  t.after(() => messaging.close(0))
  const wrong = 'there is no agent called adda; there are ada, researcher'
  await messaging.replace({ fake: channelSchema.parse({ agent: 'adda' }), other: channelSchema.parse({ kind: 'fake' }) })
  assert.deepEqual(messaging.problems(), [`channels.fake.agent: ${wrong}`])
  assert.deepEqual(
    messaging.channels.list().map(({ problem }) => problem),
    [wrong, null],
  )
  team.push('adda')
  assert.deepEqual(messaging.problems(), [])
})
