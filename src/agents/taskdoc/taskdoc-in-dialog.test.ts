import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import { openParley } from '../../runtime.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { textFiles } from '../minds/text-files.ts'
import { defineAgent } from '../runtimes/scripted.ts'
import { team } from '../scripted-team.ts'
import { taskdocs } from './taskdoc.ts'
import { taskdocTools } from './taskdoc-tools.ts'

test('a tree shares its task document: the main dialog changes it, a side dialog may only say what it wants', async () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-shared-taskdoc-'))
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const tools = taskdocTools(taskdocs(root, textFiles(clock)))
  const change = (content: string): AgentOutput => ({
    type: 'call',
    call: 'c',
    name: 'change_mind',
    input: { selector: 'progress', content },
  })
  const ada = defineAgent({
    name: 'ada',
    about: '',
    tools,
    *reply({ context }) {
      const now = context.at(-1)
      if (now?.kind === 'human') yield change('begun')
      else if (now?.kind === 'call' && now.name === 'change_mind')
        yield { type: 'call', call: 't', name: 'tellaskSessionless', input: { targetAgentId: 'bob', tellaskContent: 'go' } }
      else if (now?.kind === 'call') yield { type: 'text', text: String(now.result?.output) }
    },
  })
  const bob = defineAgent({
    name: 'bob',
    about: '',
    tools,
    *reply({ context, taskdoc }) {
      const now = context.at(-1)
      if (now?.kind === 'prompt') yield change('taken over')
      else if (now?.kind === 'call') yield { type: 'text', text: `${taskdoc}: ${String(now.result?.output)}` }
    },
  })
  const parley = openParley({ store, team: team([ada, bob], { clock, fast: true }), clock })
  const by = { kind: 'human', name: 'you', id: 'person:you', role: 'owner' } as const
  const at = clock.now()
  await parley.streams.handle('dlg_1', () => [
    { type: 'open-dialog', at, agent: 'ada', by, language: 'en', taskdoc: 'plan.tsk' },
    { type: 'say', at, message: 'msg_1', text: 'hello', by },
  ])
  await clock.advance(500)
  const { preview } = await parley.dialogs.get('dlg_1')
  assert.match(preview, /plan\.tsk: It failed: Only the main dialog changes the task document/)
  assert.equal(readFileSync(join(root, 'plan.tsk/progress.md'), 'utf8'), 'begun')
  await parley.close()
  await store.close()
  rmSync(root, { recursive: true })
})
