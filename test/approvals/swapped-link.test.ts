import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { defineTool } from '../../src/agents/tool.ts'
import { directoryRules } from '../../src/agents/workspace/directory-rules.ts'
import { projectProtection } from '../../src/agents/workspace/project-protection.ts'
import { readTools } from '../../src/agents/workspace/read-tools.ts'
import { writeTools } from '../../src/agents/workspace/write-tools.ts'
import { configSchema } from '../../src/app/config/schema.ts'
import { openParley } from '../../src/app/library.ts'
import { parsePolicy } from '../../src/authority/parse-policy.ts'
import type { AgentOutput, GenerationInput } from '../../src/ports/agent-runtime.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { teamOf } from '../../src/testing/team-of.ts'
import { caller } from './tool-scene.ts'

// The calls of one generation are judged together and run together: one of them may move a link under another.

const parsed = parsePolicy({
  people: { mia: { role: 'owner' } },
  policy: { rules: [{ allow: 'write(notes/**)' }, { deny: 'write(closed/**)' }, { deny: 'read(closed/**)' }] },
})
assert.ok('policy' in parsed)
const { policy } = parsed

const secret = 'the secret of the closed folder'

for (const [name, input] of [
  ['read_file', { path: 'notes/day/a.md' }],
  ['list_dir', { path: 'notes/day' }],
  ['search_text', { path: 'notes/day', text: 'secret' }],
  ['write_file', { path: 'notes/day/a.md', content: 'mine', overwrite: true }],
  ['edit_file', { path: 'notes/day/a.md', old_text: 'secret', new_text: 'mine' }],
] as const)
  test(`a link that another call of the generation makes does not lead ${name} past a rule`, async (t) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-swapped-link-')))
    mkdirSync(join(root, 'notes/day'), { recursive: true })
    mkdirSync(join(root, 'closed'))
    writeFileSync(join(root, 'parley.yaml'), '')
    for (const folder of ['notes/day', 'closed']) writeFileSync(join(root, folder, 'a.md'), folder === 'closed' ? secret : 'no secret')
    writeFileSync(join(root, 'closed/only-here.md'), secret)
    const layout = projectProtection({
      file: join(root, 'parley.yaml'),
      dataDir: join(root, '.parley'),
      config: configSchema.parse({}),
    })
    const rules = directoryRules(root, { writeDirs: ['**'] }, layout)
    const moveLink = defineTool({
      name: 'move_link',
      description: 'Puts a link to the closed folder in the place of a folder.',
      input: z.object({}),
      afterCrash: 'repeat',
      gate: 'allow',
      run() {
        rmSync(join(root, 'notes/day'), { recursive: true })
        symlinkSync('../closed', join(root, 'notes/day'))
        return 'moved'
      },
    })
    async function* calls({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
      if (context.at(-1)?.kind === 'human') {
        yield { type: 'call', call: 'first', name: 'move_link', input: {} }
        yield { type: 'call', call: 'second', name, input }
      } else yield { type: 'text', text: 'done' }
    }
    const clock = simulatedClock()
    const store = memoryStore({ clock })
    const tools = [moveLink, ...readTools(rules), ...writeTools(rules, () => true)]
    const parley = openParley({ store, clock, team: teamOf(calls, tools), policy: () => policy })
    t.after(async () => {
      await parley.close(0)
      await store.close()
      rmSync(root, { recursive: true })
    })
    const mia = caller('mia', 'owner')
    const { id } = await parley.dialogs.open({}, mia)
    await parley.dialogs.say(id, 'go', mia)
    for (let round = 0; round < 8_000 && (await parley.dialogs.get(id)).status !== 'ready'; round += 1) {
      await clock.advance(5)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const log = await parley.events.read({ stream: id, after: 0, limit: 100 })
    const results = log.flatMap(({ type, data }) =>
      type === 'tool.returned' ? [data as { call: string; ok: boolean; output: string }] : [],
    )
    const order = log.flatMap(({ type, data }) => (type === 'tool.called' ? [(data as { call: string }).call] : []))
    const isDone = order.map((call) => results.find((each) => each.call === call)?.ok)
    assert.deepEqual(isDone, [true, false], JSON.stringify(results))
    assert.doesNotMatch(JSON.stringify(results), /only-here|the secret of/)
    assert.equal(readFileSync(join(root, 'closed/a.md'), 'utf8'), secret)
    assert.deepEqual(readdirSync(join(root, 'closed')), ['a.md', 'only-here.md'])
  })
