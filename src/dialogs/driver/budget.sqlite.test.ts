import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openParley } from '../../app/library.ts'
import type { Spending, Team } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts'

const owner: Caller = { by: { kind: 'human', name: 'Mia', id: 'person:owner', role: 'owner' }, via: 'test' }

test('two servers on one file keep the budget of a day together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'))
  const limit = 60_000
  let metered = 0
  const spending: Spending = { budgets: { day: { tokens: limit } }, maxOutputTokens: 500, promptOverheadTokens: 500 }
  const team: Team = {
    default: 'ada',
    list: () => [{ name: 'ada', about: '' }],
    agent: (name) => ({
      name,
      tools: [],
      spending,
      runtime: {
        async *generate() {
          metered += 1_000
          await sleep(Math.random() * 4)
          yield { type: 'usage', model: 'm', usage: { inputTokens: 900, outputTokens: 100 } }
          yield { type: 'again' }
        },
      },
    }),
  }
  const path = join(folder, 'parley.db')
  const stores = [sqliteStore({ path }), sqliteStore({ path })]
  const servers = stores.map((store) => openParley({ store, team, timeZone: 'UTC' }))
  try {
    for (const server of servers) for (let count = 0; count < 4; count += 1) await server.dialogs.open({ text: 'go' }, owner)
    const deadline = Date.now() + 120_000
    const isWaiting = async (): Promise<boolean> => {
      const all = (await Promise.all(servers.map(({ dialogs }) => dialogs.list({ status: 'waiting' })))).flatMap(({ items }) => items)
      return new Set(all.map(({ id }) => id)).size === 8
    }
    while (!(await isWaiting()) && Date.now() < deadline) await sleep(20)
    assert.ok(await isWaiting(), 'every dialog waits for the owner')
    assert.ok(metered <= limit && metered >= 0.9 * limit, `${metered} of ${limit}`)
  } finally {
    await Promise.all(servers.map((server) => server.close(1_000)))
    await Promise.all(stores.map((store) => store.close()))
    rmSync(folder, { recursive: true, force: true })
  }
})
