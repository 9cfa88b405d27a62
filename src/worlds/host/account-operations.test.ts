import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ids, randomIds } from '../../ports/ids.ts'
import { silentLog } from '../../ports/log.ts'
import { noMetrics } from '../../ports/metrics.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { worldsHost } from './worlds-host.ts'

function openHost(ids: Ids, store = memoryStore({ clock: simulatedClock() })) {
  const host = worldsHost({ store, committer: groupCommitter(store), clock: simulatedClock(), log: silentLog, metrics: noMetrics, ids })
  return {
    store,
    async openCode(member: string): Promise<string> {
      const opened = await host.call('', 'account.open', { member, language: 'en' })
      assert.ok(opened.ok)
      return opened.value.identity.agentCode
    },
  }
}

const fixedIds = (...names: string[]): Ids => ({ ...randomIds, next: () => names.shift() ?? 'none' })

test('openAccount: the same member gets another code on another host, and keeps it on the same', async () => {
  const [one, two] = [openHost(randomIds), openHost(randomIds)]
  const code = await one.openCode('local:ada')
  assert.notEqual(code, await two.openCode('local:ada'))
  assert.equal(await openHost(randomIds, one.store).openCode('local:ada'), code)
})

test('openAccount: draws again when the code is taken', async () => {
  const { openCode } = openHost(fixedIds('a', 'a', 'b'))
  assert.notEqual(await openCode('local:ada'), await openCode('local:mira'))
})
