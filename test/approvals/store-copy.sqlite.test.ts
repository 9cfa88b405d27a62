import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AgentOutput, GenerationInput, Tool } from '../../src/ports/agent-runtime.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { teamOf } from '../../src/testing/team-of.ts'
import { eventually } from '../fixtures/eventually.ts'

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
  await eventually(async () => (await here.parley.inbox()).count === 1, 'the approval')
  await here.close()
  cpSync(join(dir, 'here'), join(dir, 'there'), { recursive: true })

  const there = start(join(dir, 'there'), pay)
  const question = (await there.parley.inbox()).items[0]?.question.id ?? ''
  await assert.rejects(there.parley.questions.answer(question, { decision: 'once' }, guest), { code: 'not_addressed' })
  assert.equal(runs, 0)
  await there.parley.questions.answer(question, { decision: 'once' }, owner)
  await eventually(async () => (await there.parley.dialogs.get(id)).status === 'ready' && runs > 0, 'the reply')
  assert.equal(runs, 1)
  await there.close()
})
