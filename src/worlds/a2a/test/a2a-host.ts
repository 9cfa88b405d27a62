import type { TestContext } from 'node:test'
import { systemClock } from '../../../ports/clock.ts'
import { randomIds } from '../../../ports/ids.ts'
import { silentLog } from '../../../ports/log.ts'
import { noMetrics } from '../../../ports/metrics.ts'
import type { Store } from '../../../ports/store.ts'
import { memoryStore } from '../../../store/memory/memory-store.ts'
import { groupCommitter } from '../../../streams/committer.ts'
import { worldsHost } from '../../host/worlds-host.ts'
import { newKey } from '../../keys/test/signed-talk.ts'
import { turnHash } from '../../rules/turn-chain.ts'
import { sha256 } from '../../keys/statements.ts'
import { hostEndpoint } from '../../wire/host-endpoint.ts'
import { hostServer } from '../../wire/host-server.ts'
import { keptHeads } from '../../wire/heads.ts'
import { wireLimits } from '../../wire/wire-limits.ts'
import { a2aEndpoint } from '../a2a-endpoint.ts'

/** A host with its server, and one ordinary account, Mira, whose owner is this test. */
export async function a2aHost(t: TestContext, store: Store = memoryStore({ clock: systemClock }), port = 0) {
  const committer = groupCommitter(store)
  const base = { store, committer, clock: systemClock, log: silentLog }
  const host = worldsHost({ ...base, ids: randomIds, metrics: noMetrics })
  host.start()
  let origin = ''
  const key = newKey()
  const endpoint = hostEndpoint({ ...base, host, heads: keptHeads(base), limits: wireLimits, origins: () => [origin] })
  const a2a = await a2aEndpoint({ ...base, host, key, origin: () => origin, version: '1.0.0' })
  const server = await hostServer({ ...base, endpoint, a2a: a2a.fetch, limits: wireLimits, port, hostname: '127.0.0.1' })
  origin = `http://127.0.0.1:${server.port}`
  const close = async (): Promise<void> => {
    a2a.close()
    await server.close()
    await host.stop(0)
  }
  t.after(close)
  const opened = await host.call('', 'account.open', { member: 'local:mira', language: 'en' })
  if (!opened.ok) throw new Error(opened.refusal.code)
  const mira = { agent: opened.value.agent, code: opened.value.identity.agentCode }
  await host.call(mira.agent, 'account.name', { displayName: 'Mira' })
  await host.call(mira.agent, 'account.describe', { profile: 'Librarian for maps.' })
  t.after(host.connect(mira.agent, { receive: async () => {} }))

  /** Mira answers the delivery that waits for her. */
  async function answer(request: string, text: string, asksEnd = false): Promise<void> {
    const [view, waiting] = await Promise.all([
      host.call(mira.agent, 'requests.get', { request }),
      host.call(mira.agent, 'deliveries.get', { request }),
    ])
    if (!view.ok || !waiting.ok || !waiting.value.delivery) throw new Error('no delivery waits for Mira')
    const { turns, head, counterparty } = view.value
    const value = { from: mira.code, to: counterparty.agentCode, intent: request, turn: turns + 1, previous: head, text }
    const link = { turn: value.turn, previous: head, hash: turnHash(value, sha256), signature: null }
    const { delivery } = waiting.value.delivery
    const result = await host.call(mira.agent, 'deliveries.reply', {
      request,
      delivery,
      text,
      author: 'agent',
      asksOwner: false,
      asksEnd,
      link,
    })
    if (!result.ok) throw new Error(result.refusal.code)
  }
  return { host, origin, mira, answer, key, port: server.port, close, store }
}
