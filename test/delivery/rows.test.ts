import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountConfig } from '../../src/chats/test/account-config.ts'
import { loopbackKind, webhookPost } from '../../src/chats/test/loopback-kind.ts'
import { openMessaging } from '../../src/chats/open-messaging.ts'
import { documentKind } from '../../src/plugins/host/document-kind.ts'
import { pluginStorage } from '../../src/plugins/host/plugin-storage.ts'
import type { GenerationInput, AgentOutput } from '../../src/ports/agent-runtime.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import { bookkeepingViews } from '../../src/app/stream-kinds.ts'
import { openParley } from '../../src/app/library.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { streamHandler } from '../../src/streams/stream-handler.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { teamWith, you } from '../dialogs/team-scene.ts'
import { loopbackChannel } from '../../src/chats/outbox/test/loopback-channel.ts'
import { messageFrom, newWorld, openSide, tapOn } from '../../src/chats/inbound/test/inbound-under-test.ts'
import { assertRowsFold } from './rows-fold.ts'

const buttons = { blocks: [{ type: 'buttons' as const, buttons: [{ label: 'Go', value: 'go' }] }] }

test('what comes in and goes out: every row is what the log says, however it ended', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const fake = loopbackChannel({ now: clock.now })
  const world = newWorld()
  const store = memoryStore({ clock, backing })
  const side = openSide({ channel: fake.channel, clock, world, store, list: { people: ['7'] } })
  const { box, bindings, receive } = side
  const stranger = { address: 's', from: { id: '8', name: 'Sol' } }

  // People: let in by a list, asked and declined, asked and let in, blocked and heard again.
  await receive.inbounds('fake', [messageFrom('1', 'hello'), messageFrom('2', 'may I?', stranger)])
  await receive.inbounds('fake', [messageFrom('3', 'me too', { address: 't', from: { id: '9', name: 'Tam' } })])
  await clock.advance(1_000)
  const [one, other] = await bindings.list('requested')
  await bindings.decline(one?.pairing?.code ?? '', 'owner')
  await bindings.accept(other?.pairing?.code ?? '', 'owner')
  await clock.advance(1_000)
  await bindings.block({ channel: 'fake', address: 'a' }, 'owner')
  await bindings.unblock({ channel: 'fake', address: 'a' }, 'owner')

  // Deliveries: sent with a button that is tapped, refused and let be, refused and tried again, edited, pinned.
  const questionDelivery = await box.plan({
    channel: 'fake',
    address: 'q',
    message: { text: 'Ready?', presentation: buttons },
    about: 'a question',
  })
  await clock.advance(5_000)
  const [receipt] = (await box.get(questionDelivery.delivery)).receipts
  const messageId = receipt?.messageId ?? ''
  await receive.inbounds('fake', [tapOn('1', messageId, fake.screen.get(messageId)?.controls[0] ?? '', { address: 'q' })])
  await clock.advance(5_000)
  const stuck: string[] = []
  for (const text of ['lost', 'found']) {
    fake.faults.push({ failure: { code: 'forbidden' } })
    stuck.push((await box.plan({ channel: 'fake', address: 'q', message: { text } })).delivery)
    await clock.advance(5_000)
  }
  const [lost = '', found = ''] = stuck
  assert.equal((await box.dismiss(lost, 'owner')).state, 'dismissed')
  await box.retry(found, 'owner')
  await box.plan({ channel: 'fake', address: 'q', message: { text: 'Read this', delivery: { pin: true } } })
  await clock.advance(5_000)
  await box.edit(found, { text: 'found, at last' })
  await clock.advance(5_000)

  // Unclaimed messages: one stays, one is dismissed.
  await receive.inbounds('fake', [tapOn('2', messageId, 'nonsense', { address: 'q' })])
  await clock.advance(5_000)
  assert.equal((await bindings.unclaimed()).length, 1)
  await assertRowsFold(store, backing)
  for (const unclaimed of await bindings.unclaimed()) await bindings.dismissUnclaimed(unclaimed, 'owner')

  // Documents of a plugin: written, changed, taken away.
  const documents = pluginStorage('notes', { store, clock, documents: streamHandler(documentKind, store, groupCommitter(store)) })
  await documents.put('kept', { n: 1 }, 0)
  await documents.put('kept', { n: 2 }, 1)
  await documents.put('gone', { n: 1 }, 0)
  await documents.put('gone', null, 1)

  await assertRowsFold(store, backing)
  assert.deepEqual(
    ['bindings', 'places', 'deliveries', 'deliveries-about', 'controls', 'plugin-documents'].filter(
      (view) => !backing.rows.get(view)?.size,
    ),
    [],
    'each of them had something to compare',
  )
  await Promise.all([side.stop(0), box.deliverer.stop(0)])
})

test('a dialog that is told in chats: bookkeeping of the telling is named, the rest is what the log says', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const store = memoryStore({ clock, backing })
  const ids = countedIds()
  const fake = loopbackChannel({ now: clock.now })
  const ask = { text: 'Tea?', items: [{ id: 'tea', text: 'Tea?', kind: 'text' as const }] }
  function* brain({ context }: GenerationInput): Generator<AgentOutput> {
    if (context.at(-1)?.kind === 'question') yield { type: 'text', text: 'Thank you.' }
    else yield { type: 'question', ask }
  }
  const committer = groupCommitter(store)
  const parley = openParley({ store, committer, team: teamWith({ ada: brain }), clock, ids, isTold: () => true })
  const kinds = { fake: loopbackKind(fake.channel) }
  const parts = { store, committer, dialogs: parley.streams, parley, clock, ids, log: silentLog, metrics: noMetrics }
  const messaging = openMessaging({ ...parts, kinds: () => kinds })
  await messaging.replace({ fake: accountConfig({ allow: { people: ['*'] } }) })
  const write = (id: string, text: string) => messaging.webhook('fake', webhookPost(messageFrom(id, text)))

  assert.ok((await write('1', 'hello')) instanceof Response)
  await clock.advance(10_000)
  const rowCounts = bookkeepingViews.flatMap((view) =>
    (backing.rows.get(view)?.size ?? 0) > 0 ? [[view, backing.rows.get(view)?.size]] : [],
  )
  assert.deepEqual(Object.fromEntries(rowCounts), { announced: 1, 'asked-at': 1 }, 'no turn is marked as running at rest')
  await assertRowsFold(store, backing)
  const [question] = (await parley.questions.list({ state: 'open' })).items
  await parley.questions.answer(question?.id ?? '', { text: 'Yes' }, you)
  await clock.advance(10_000)
  assert.equal(fake.sends().at(-1)?.text, 'Thank you.')
  await assertRowsFold(store, backing)
  await messaging.close(0)
  await parley.close(0)
})
