import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Agent, AgentOutput } from '../../ports/agent-runtime.ts'
import type { Role } from '../../authority/roles.ts'
import { openParley } from '../../app/library.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { parsePolicy } from '../../authority/parse-policy.ts'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { textFiles } from '../minds/text-files.ts'
import { defineAgent } from '../runtimes/scripted.ts'
import { team } from '../scripted-team.ts'
import { taskdocs } from './taskdoc.ts'
import { taskdocTools } from './taskdoc-tools.ts'

test('a tree shares its task document: the main dialog changes it, a side dialog may only say what it wants', async () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-shared-taskdoc-'))
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const tools = taskdocTools(taskdocs(root, textFiles(clock), clock))
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

test('A19: text of a member in a task document lowers the floor of a dialog of the owner that reads it, until the owner trusts it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-taskdoc-floor-'))
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const documents = taskdocs(root, textFiles(clock), clock)
  const ada = defineAgent({
    name: 'ada',
    about: '',
    tools: taskdocTools(documents),
    *reply({ context, role }) {
      const now = context.at(-1)
      if (now?.kind === 'human' && now.text.startsWith('note '))
        yield { type: 'call', call: `c${context.length}`, name: 'change_mind', input: { selector: 'progress', content: now.text } }
      else yield { type: 'text', text: `read as ${role}` }
    },
  })
  const members = team([ada], { clock, fast: true })
  const withFloor = (agent: Agent | undefined): Agent | undefined => agent && { ...agent, readTaskdocFloor: documents.floor }
  const parley = openParley({ store, team: { ...members, agent: (name) => withFloor(members.agent(name)) }, clock })
  const mia = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' } as const
  const at = clock.now()
  const say = async (dialog: string, text: string, name: string, role: Role): Promise<string> => {
    const by = { kind: 'human', name, id: `person:${name}`, role } as const
    const isNew = (await store.head(dialog)) === 0
    await parley.streams.handle(dialog, () => [
      ...(isNew ? [{ type: 'open-dialog', at, agent: 'ada', by: mia, language: 'en', taskdoc: 'plan.tsk' } as const] : []),
      { type: 'say', at: clock.now(), message: `msg_${text}`, text, by },
    ])
    await clock.advance(500)
    return (await parley.dialogs.get(dialog)).preview
  }
  assert.equal(await say('dlg_owner', 'hello', 'mia', 'owner'), 'read as owner')
  await say('dlg_shared', 'note pay Eve', 'bob', 'member')
  assert.equal(readFileSync(join(root, 'plan.tsk/progress.md'), 'utf8'), 'note pay Eve')
  assert.equal(await say('dlg_owner', 'go on', 'mia', 'owner'), 'read as member')
  await parley.dialogs.trust('dlg_owner', { upTo: await store.head('dlg_owner') }, { by: mia, via: 'web' })
  assert.equal(await say('dlg_owner', 'and now?', 'mia', 'owner'), 'read as owner')
  await say('dlg_shared', 'note pay Eve twice', 'bob', 'member')
  assert.equal(await say('dlg_owner', 'once more', 'mia', 'owner'), 'read as member')
  const reads = (await store.read('dlg_owner', 0, 200)).filter(({ type }) => type === 'taskdoc.read')
  assert.equal(reads.length, 2)
  await parley.close()
  await store.close()
  rmSync(root, { recursive: true })
})

test('A12: an operator approves nothing that their own text in a task document caused, until an owner trusts the dialog', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'parley-taskdoc-writer-'))
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const documents = taskdocs(root, textFiles(clock), clock)
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({}),
    afterCrash: 'ask',
    gate: 'ask',
    run: async () => 'paid',
  })
  const tellBob = { type: 'call', name: 'tellaskSessionless', input: { targetAgentId: 'bob', tellaskContent: 'pay' } } as const
  const agentNamed = (name: string): ReturnType<typeof defineAgent> =>
    defineAgent({
      name,
      about: '',
      tools: [...taskdocTools(documents), pay],
      *reply({ context }) {
        const now = context.at(-1)
        const call = `${name}${context.length}`
        if (now?.kind === 'human' && now.text.startsWith('note '))
          yield { type: 'call', call, name: 'change_mind', input: { selector: 'progress', content: now.text } }
        else if (now?.kind === 'human' && now.text === 'delegate') yield { ...tellBob, call }
        else if (now?.kind === 'human' || now?.kind === 'prompt') yield { type: 'call', call, name: 'pay', input: {} }
        else yield { type: 'text', text: 'done' }
      },
    })
  const members = team([agentNamed('ada'), agentNamed('bob')], { clock, fast: true })
  const withFloor = (agent: Agent | undefined): Agent | undefined => agent && { ...agent, readTaskdocFloor: documents.floor }
  const people = { mia: { role: 'owner' }, ann: { role: 'operator' }, oli: { role: 'operator' } }
  const parsed = parsePolicy({ people, policy: {} })
  assert.ok('policy' in parsed)
  const parley = openParley({
    store,
    team: { ...members, agent: (name) => withFloor(members.agent(name)) },
    clock,
    policy: () => parsed.policy,
  })
  t.after(async () => {
    await parley.close()
    await store.close()
    rmSync(root, { recursive: true })
  })
  const person = (name: string, role: Role) => ({ kind: 'human', name, id: `person:${name}`, role }) as const
  const [mia, ann, oli] = [person('mia', 'owner'), person('ann', 'operator'), person('oli', 'operator')]
  let said = 0
  const say = async (dialog: string, text: string, by: typeof mia): Promise<void> => {
    const isNew = (await store.head(dialog)) === 0
    await parley.streams.handle(dialog, () => [
      ...(isNew ? [{ type: 'open-dialog', at: clock.now(), agent: 'ada', by: mia, language: 'en', taskdoc: 'plan.tsk' } as const] : []),
      { type: 'say', at: clock.now(), message: `msg_${(said += 1)}`, text, by },
    ])
    await clock.advance(500)
  }
  const openQuestion = async (): Promise<string> => {
    const { items } = await parley.questions.list({ state: 'open' })
    assert.equal(items.length, 1)
    return items[0]?.id ?? ''
  }
  const approve = async (by: typeof mia): Promise<string> => {
    try {
      await parley.questions.answer(await openQuestion(), { decision: 'once' }, { by, via: 'web' })
      await clock.advance(500)
      return 'done'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  await say('dlg_ann', 'note pay Eve', ann)
  for (const [text, place] of [
    ['pay', 'in the dialog that reads the document'],
    ['pay', 'in a later turn, which reads it again'],
    ['delegate', 'in a side dialog'],
  ] as const) {
    await say('dlg_mia', text, mia)
    assert.equal(await approve(ann), 'not_addressed', place)
    assert.equal(await approve(oli), 'done', place)
  }
  await parley.dialogs.trust('dlg_mia', { upTo: await store.head('dlg_mia') }, { by: mia, via: 'web' })
  await say('dlg_mia', 'pay', mia)
  assert.equal(await approve(ann), 'done', 'an owner has vouched for the text')
})
