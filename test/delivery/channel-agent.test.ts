import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { accountConfig } from '../../src/chats/test/account-config.ts'
import { loopbackKind } from '../../src/chats/test/loopback-kind.ts'
import { openMessaging } from '../../src/chats/open-messaging.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import type { Caller, Parley } from '../../src/shapes/parley.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { streamHandler } from '../../src/streams/stream-handler.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { dialogKind } from '../../src/dialogs/rows/dialog-kind.ts'
import { loopbackChannel } from '../../src/chats/outbox/test/loopback-channel.ts'

const fake = loopbackChannel()

function open(t: TestContext, team: readonly string[]) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const committer = groupCommitter(store)
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
    kinds: () => ({ fake: loopbackKind(fake.channel) }),
    agents: () => team,
  })
  t.after(() => messaging.close(0))
  return { clock, messaging }
}

test('an account whose agent is not in the team is a problem until the name is right', async (t) => {
  const team = ['ada', 'researcher']
  const { messaging } = open(t, team)
  const wrong = 'there is no agent called adda; there are ada, researcher'
  await messaging.replace({ fake: accountConfig({ agent: 'adda' }), other: accountConfig({ kind: 'fake' }) })
  assert.deepEqual(messaging.problems(), [`channels.fake.agent: ${wrong}`])
  assert.deepEqual(
    messaging.channels.list().map(({ problem }) => problem),
    [wrong, null],
  )
  team.push('adda')
  assert.deepEqual(messaging.problems(), [])
})

test('channels.test: a repeated request sends no second message', async (t) => {
  const { clock, messaging } = open(t, [])
  await messaging.replace({ fake: accountConfig({}) })
  const callerWithKey: Caller = { by: { kind: 'human', name: 'owner' }, via: 'api', once: { key: 'k', request: 'test' } }
  const first = await messaging.channels.test('fake', callerWithKey, '42')
  await clock.advance(100)
  const again = await messaging.channels.test('fake', callerWithKey, '42')
  await clock.advance(100)
  assert.equal(again.delivery?.id, first.delivery?.id)
  assert.equal(fake.sends().length, 1)
})
