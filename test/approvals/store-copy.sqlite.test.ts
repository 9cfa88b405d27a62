import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentOutput, GenerationInput, Tool } from '../../src/ports/agent-runtime.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { teamOf } from '../../src/testing/team-of.ts'

const owner: Caller = { by: { kind: 'human', name: 'owner', id: 'person:owner', role: 'owner' }, via: 'cli' }
const guest: Caller = { by: { kind: 'human', name: 'eve', id: 'telegram:main:9', role: 'guest' }, via: 'telegram' }

async function* pays({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  if (context.at(-1)?.kind === 'human') yield { type: 'call', call: 'c', name: 'pay', input: { to: 'Eve' } }
  else yield { type: 'text', text: 'done' }
}

type Process = { parley: OpenParley; close(): Promise<void> }

function start(dir: string, pay: Tool): Process {
  const store = sqliteStore({ path: join(dir, 'parley.db') })
  const parley = openParley({ store, team: teamOf(pays, [pay]) })
  return {
    parley,
    async close() {
      await parley.close(0)
      await store.close()
    },
  }
}

/** Polls: real stores have no simulated clock. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await condition()) return
    await sleep(10)
  }
  assert.fail('it did not happen')
}

test('A16: an approval in a copy of the data folder is answered there, runs there, and by the right person only', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-approval-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  let runs = 0
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: {},
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    run: async () => (runs += 1),
  }
  const here = start(join(dir, 'here'), pay)
  const { id } = await here.parley.dialogs.open({ text: 'pay me' }, guest)
  await until(async () => (await here.parley.inbox()).count === 1)
  await here.close()
  cpSync(join(dir, 'here'), join(dir, 'there'), { recursive: true })

  const there = start(join(dir, 'there'), pay)
  const question = (await there.parley.inbox()).items[0]?.question.id ?? ''
  await assert.rejects(there.parley.questions.answer(question, { decision: 'once' }, guest), { code: 'not_addressed' })
  assert.equal(runs, 0)
  await there.parley.questions.answer(question, { decision: 'once' }, owner)
  await until(async () => (await there.parley.dialogs.get(id)).status === 'ready' && runs > 0)
  assert.equal(runs, 1)
  await there.close()
})
