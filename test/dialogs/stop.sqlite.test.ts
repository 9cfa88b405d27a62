import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openParley } from '../../src/app/library.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { runawayTeam } from './runaway.ts'
import { you } from './team-scene.ts'

for (const thinkMs of [0, 1_000]) {
  for (const how of ['the root', 'everything'] as const) {
    test(`runaway on disk, models that take ${thinkMs} ms: one stop of ${how} holds in this process, in another and after a restart`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-stop-'))
      t.after(() => rmSync(folder, { recursive: true }))
      const clock = simulatedClock()
      const ids = countedIds()
      const { team, meter } = runawayTeam(clock, thinkMs)
      const open = () => {
        const store = sqliteStore({ path: join(folder, 'parley.db'), clock })
        return { store, parley: openParley({ store, team, clock, ids }) }
      }
      const close = async ({ store, parley }: ReturnType<typeof open>): Promise<void> => {
        await parley.close(100)
        await store.close()
      }
      const [one, two] = [open(), open()]
      const { id } = await one.parley.dialogs.open({ text: 'go' }, you)
      if (thinkMs > 0) await clock.advance(4_500)
      else while (meter.calls < 40) await new Promise(setImmediate)
      await (how === 'the root' ? one.parley.dialogs.stop(id, you) : one.parley.dialogs.stopAll(you))
      // The other process learns of the stop when it next reads the store: at its next turn, generation or claim.
      const inFlight = meter.inFlight
      const { calls } = meter
      await clock.advance(60_000)
      assert.ok(meter.calls <= calls + 1, `${meter.calls - calls} model calls began after the stop`)
      assert.equal(meter.inFlight, 0, `${inFlight} were in flight`)
      const stopped = meter.calls
      await Promise.all([close(one), close(two)])
      const again = open()
      await clock.advance(60_000)
      assert.equal(meter.calls, stopped, 'after a restart')
      await (how === 'the root' ? again.parley.dialogs.resume(id, you) : again.parley.dialogs.resumeAll(you))
      await clock.advance(thinkMs > 0 ? 3_000 : 1)
      assert.ok(meter.calls > stopped)
      await again.parley.dialogs.stopAll(you)
      await close(again)
    })
  }
}
