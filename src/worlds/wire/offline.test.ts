import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { randomIds } from '../../ports/ids.ts'
import { silentLog } from '../../ports/log.ts'
import { noMetrics } from '../../ports/metrics.ts'
import type { HostPush, WorldsHost } from '../../ports/worlds.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { type RunningHost, worldsHost } from '../host/worlds-host.ts'
import { sha256 } from '../keys/statements.ts'
import { turnHash } from '../rules/turn-chain.ts'
import { dayMs } from '../rules/world-limits.ts'
import { wireLimits } from './wire-limits.ts'
import { wirePairOn } from './test/wire-pair.ts'

const request = 'crq_1'

/** Ada has opened a conversation over the wire; Mira has gone before she could read it. */
async function openTalk(t: TestContext) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const start = (): RunningHost => {
    const started = worldsHost({ store, committer: groupCommitter(store), clock, log: silentLog, ids: randomIds, metrics: noMetrics })
    started.start()
    return started
  }
  let running = start()
  t.after(() => running.stop(0))
  const host: WorldsHost = {
    call: (account, name, input) => running.call(account, name, input),
    connect: (account, member) => running.connect(account, member),
  }
  const { join } = wirePairOn(t, clock, store, host, wireLimits)
  const [ada, mira] = [await join('ada'), await join('mira')]
  for (const { wired, agent } of [ada, mira]) {
    assert.ok((await wired.call(agent, 'account.name', { displayName: 'Reader' })).ok)
    assert.ok((await wired.call(agent, 'account.describe', { profile: '' })).ok)
  }
  const stopAda = ada.connect()
  const stop = mira.connect()
  await Promise.all([ada.online(), mira.online()])
  const draft = { request, agentCode: mira.code, displayName: null, world: null, purpose: 'Books', hasBrief: true, trace: null }
  assert.ok((await ada.wired.call(ada.agent, 'requests.submit', draft)).ok)
  assert.ok((await mira.wired.call(mira.agent, 'requests.accept', { request })).ok)
  const opening = await awaitDelivery(clock, ada.pushes)
  stop()
  await eventually(async () => {
    const view = await host.call(ada.agent, 'requests.get', { request })
    return view.ok && !view.value.counterparty.isOnline
  }, 'Mira is offline')
  await clock.advance(1_000)
  const value = { from: ada.code, to: mira.code, intent: request, turn: 1, previous: opening.request.head, text: 'Hello!' }
  const link = { turn: 1, previous: value.previous, hash: turnHash(value, sha256), signature: null }
  const reply = { request, delivery: opening.delivery, text: value.text, author: 'agent', asksOwner: false, asksEnd: false, link } as const
  assert.ok((await ada.wired.call(ada.agent, 'deliveries.reply', reply)).ok)
  /** Nobody is there and the host is off, or the test would see every heartbeat of a month. Then all return but Mira. */
  async function pass(ms: number): Promise<void> {
    stopAda()
    await clock.advance(1_000)
    await running.stop(0)
    await clock.advance(ms)
    running = start()
    ada.connect()
    await ada.online()
  }
  return { clock, ada, mira, pass }
}

async function awaitDelivery(clock: ReturnType<typeof simulatedClock>, pushes: readonly HostPush[]) {
  const push = await eventually(async () => {
    await clock.advance(10)
    return pushes.findLast((each) => each.type === 'delivery')
  }, 'a delivery')
  assert.ok(push.type === 'delivery')
  return push.delivery
}

test('wire: a member who is away for 29 days finds the turn and can answer', async (t) => {
  const { clock, mira, pass } = await openTalk(t)
  await pass(29 * dayMs)
  mira.connect()
  await mira.online()
  const delivery = await awaitDelivery(clock, mira.pushes)
  assert.deepEqual(
    delivery.turns.map(({ turn, text }) => ({ turn, text })),
    [{ turn: 1, text: 'Hello!' }],
  )
  assert.equal(delivery.request.end, null)
  assert.equal(mira.pushes.filter((each) => each.type === 'delivery').length, 1)
})

test('wire: a member who is away for 31 days finds the conversation closed, and why', async (t) => {
  const { clock, ada, mira, pass } = await openTalk(t)
  await pass(31 * dayMs)
  await clock.advance(1_000)
  mira.connect()
  await mira.online()
  const view = await mira.wired.call(mira.agent, 'requests.get', { request })
  assert.ok(view.ok)
  assert.deepEqual([view.value.end?.reason, view.value.end?.by], ['member_offline', 'recipient'])
  await eventually(async () => {
    await clock.advance(10)
    return ada.pushes.some((push) => push.type === 'request.updated' && push.request.end?.reason === 'member_offline')
  }, 'Ada is told')
})
