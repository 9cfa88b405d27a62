import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { team } from '../../src/agents/scripted-team.ts'
import type { DialogCommand } from '../../src/dialogs/rules/decide-dialog.ts'
import { openParley } from '../../src/app/library.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { ada, researcher } from '../../src/app/demo/index.ts'

const batch = 100

/** A root with so many side dialogs, written into a data folder before a server opens it. */
export async function seedTree(data: string, sides: number): Promise<string> {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const store = sqliteStore({ path: join(data, 'parley.db') })
  const parley = openParley({ store, team: team([ada, researcher]) })
  const root = 'dlg_seededroot'
  const at = Date.now()
  const by = { kind: 'human', name: 'owner' } as const
  const open = (title: string, parent: string | null): DialogCommand => ({
    type: 'open-dialog',
    at,
    agent: parent === null ? 'ada' : 'researcher',
    by,
    language: 'en',
    title,
    ...(parent === null ? {} : { origin: { root, parent, mode: 'fresh', session: null } }),
  })
  await parley.streams.handle(root, [open('A large piece of work', null)])
  for (let from = 0; from < sides; from += batch) {
    const orders = Array.from({ length: Math.min(batch, sides - from) }, (_, index) => {
      const number = String(from + index + 1).padStart(4, '0')
      return { stream: `dlg_side${number}`, commands: [open(`Part ${number} of it`, root)] }
    })
    const written = await parley.streams.handleAll(async () => ({ orders }))
    if (!written.ok) throw new Error(`the tree was not written: ${written.why}`)
  }
  await parley.close(100)
  await store.close()
  return root
}
