import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParley } from '../app/library.ts'
import type { Caller } from '../shapes/parley.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { countedIds } from '../testing/counted-ids.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { teamOf } from '../testing/team-of.ts'

const mia: Caller = { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }, via: 'web' }
const { by, via } = mia

test('lists leave archived dialogs out, across pages, and a message brings one back', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const team = teamOf(async function* () {
    yield { type: 'text', text: 'ok' }
  })
  const parley = openParley({ store, team, clock, ids: countedIds() })
  const opened: string[] = []
  for (let index = 0; index < 7; index += 1) {
    opened.unshift((await parley.dialogs.open({ text: `talk ${index}` }, mia)).id)
    await clock.advance(100)
  }
  const [newest = '', second = '', ...others] = opened
  for (const dialog of others.slice(0, 3)) await parley.dialogs.apply(dialog, { type: 'archive-dialog', isArchived: true, by, via }, mia)
  const list = async (query: { archived?: boolean; pinned?: boolean }): Promise<string[]> => {
    const ids: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page = await parley.dialogs.list({ ...query, limit: 2, ...(after === '' ? {} : { after }) })
      ids.push(...page.items.map(({ id }) => id))
      after = page.next
    }
    return ids
  }
  assert.deepEqual(await list({}), [newest, second, ...others.slice(3)])
  assert.deepEqual(await list({ archived: true }), others.slice(0, 3))
  const { updatedAt } = await parley.dialogs.get(second)
  const pinned = await parley.dialogs.apply(second, { type: 'pin-dialog', isPinned: true, by, via }, mia)
  assert.equal(pinned.isPinned, true)
  assert.equal(pinned.updatedAt, updatedAt)
  assert.deepEqual(await list({ pinned: true }), [second])
  assert.deepEqual(await list({ pinned: false }), [newest, ...others.slice(3)])
  await parley.dialogs.say(others[0] ?? '', 'once more', mia)
  assert.deepEqual(await list({ archived: true }), others.slice(1, 3))
  await parley.close(1_000)
  await store.close()
})
