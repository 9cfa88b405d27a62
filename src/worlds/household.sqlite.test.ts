import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sqliteStore } from '../store/sqlite/sqlite-store.ts'
import { crashingStore } from '../testing/crashing-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { expected, playThrough } from './test/play-through.ts'

/** Every commit with PARLEY_KILL_STEP=1, as the campaigns do; the default meets each part of the play. */
const step = Number(process.env['PARLEY_KILL_STEP'] ?? 23)

for (const when of ['before', 'after'] as const)
  test(`household on SQLite: killed ${when} a commit, the end is the same`, async (t) => {
    let points = 0
    for (let commit = when === 'before' ? 1 : 2; ; commit += step) {
      const folder = mkdtempSync(join(tmpdir(), 'parley-household-'))
      const clock = simulatedClock()
      const path = join(folder, 'parley.db')
      const dying = crashingStore(sqliteStore({ path, clock }), { when, commit })
      try {
        assert.deepEqual(
          await playThrough((run) => (run === 0 ? dying : sqliteStore({ path, clock })), clock),
          expected,
          `killed at commit ${commit}`,
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
      if (!dying.crashed) break
      points += 1
    }
    t.diagnostic(`killed at ${points} commits`)
    assert.ok(points > 2)
  })
