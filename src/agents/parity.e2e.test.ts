import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { openParley } from '../app/library.ts'
import { readConfig } from '../app/config/load.ts'
import { ada } from '../app/demo/index.ts'
import type { AgentOutput } from '../ports/agent-runtime.ts'
import type { Caller } from '../shapes/parley.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { sampleInput } from '../testing/agent-contract.ts'
import { programOutput } from './runtimes/program-output.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { teamFrom } from './team.ts'

const owner: Caller = { by: { kind: 'human', name: 'Mia', id: 'person:owner', role: 'owner' }, via: 'test' }

const yaml = `team:
  members:
    echo: { runtime: command, command: [cat], input: json }
    booker: { runtime: command, command: [python3, ./booker.py], input: json }
    kit: { runtime: scripted, module: ./kit.mjs, about: Shows its input. }
sandbox: off
`

const readGuide = (path: string): string => readFileSync(join(import.meta.dirname, '../../docs/guides', path), 'utf8')

/** The first block of this language in a guide that has the text. */
function findExample(guide: string, language: string, text: string): string {
  const blocks = [...guide.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, name, body = '']) => (name === language ? [body] : []))
  return blocks.find((body) => body.includes(text)) ?? assert.fail(`no ${language} with ${text}`)
}

const kit = `export default {
  name: 'kit',
  about: '',
  tools: [],
  *reply({ context, tools, surroundings, reminders, course }) {
    const question = context.find((item) => item.kind === 'question')
    if (question?.outcome) yield { type: 'text', text: 'The answer is ' + question.outcome.answers.answer }
    else if (context.at(-1).text === 'ask') yield { type: 'call', call: 'c1', name: 'askHuman', input: { tellaskContent: 'Which one?' } }
    else yield { type: 'text', text: JSON.stringify({ tools: tools.map(({ name }) => name), surroundings, reminders, course }) }
  },
}`

async function withProject(
  play: (scene: {
    parley: ReturnType<typeof openParley>
    clock: ReturnType<typeof simulatedClock>
    echo: () => Promise<Record<string, unknown>>
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parity-'))
  const clock = simulatedClock()
  writeFileSync(join(folder, 'kit.mjs'), kit)
  writeFileSync(join(folder, 'booker.py'), findExample(readGuide('write-an-agent.md'), 'python', 'askHuman'))
  mkdirSync(join(folder, 'plan.tsk'))
  writeFileSync(join(folder, 'plan.tsk/goals.md'), 'Bake bread.')
  mkdirSync(join(folder, '.minds/memory/team_shared'), { recursive: true })
  writeFileSync(join(folder, '.minds/memory/team_shared/oven.md'), 'The oven is slow.')
  writeFileSync(join(folder, '.minds/env.md'), 'We are in a kitchen.')
  const file = join(folder, 'parley.yaml')
  const { config, problems } = readConfig(yaml, file, {})
  assert.deepEqual(problems, [])
  const built = await teamFrom(config, { file, demo: ada, fast: true, dataDir: join(folder, 'data') })
  assert.deepEqual(built.problems, [])
  const parley = openParley({ store: memoryStore({ clock }), team: built.team, clock })
  const echo = async (): Promise<Record<string, unknown>> => {
    let text = ''
    const runtime = built.team.agent('echo')?.runtime ?? assert.fail()
    const input = { ...sampleInput, agent: 'echo', role: 'owner' as const, taskdoc: 'plan.tsk', reminders: ['buy flour'], course: 3 }
    for await (const output of runtime.generate(input, AbortSignal.timeout(60_000))) if (output.type === 'delta') text += output.text
    return JSON.parse(text) as Record<string, unknown>
  }
  try {
    await play({ parley, clock, echo })
  } finally {
    await parley.close(0)
    await built.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a program reads reminders, course, teammates, task document, memories and background', async () => {
  await withProject(async ({ echo }) => {
    const { reminders, course, teammates, taskdoc, memories, background, isSide } = await echo()
    assert.deepEqual([reminders, course, isSide], [['buy flour'], 3, false])
    assert.deepEqual(teammates, [
      { name: 'booker', about: '' },
      { name: 'kit', about: 'Shows its input.' },
    ])
    assert.match((taskdoc as { text: string }).text, /Bake bread\./)
    assert.match(String(memories), /The oven is slow\./)
    assert.deepEqual(background, ['We are in a kitchen.'])
  })
})

test('the JSON schema of the guide describes what a program reads, in both languages', async () => {
  await withProject(async ({ echo }) => {
    const given = await echo()
    for (const path of ['write-an-agent.md', 'zh/write-an-agent.md']) {
      const schema = JSON.parse(findExample(readGuide(path), 'json', 'contextDropped')) as { properties: object }
      const check = new Ajv({ strict: false }).compile({ ...schema, additionalProperties: false })
      assert.ok(check(given), `${path}: ${JSON.stringify(check.errors)}`)
      const unnamed = Object.keys(schema.properties).filter((name) => !(name in given) && name !== 'notes')
      assert.deepEqual(unnamed, [], path)
    }
  })
})

const outputs: Record<AgentOutput['type'], true> = {
  delta: true,
  thinking: true,
  text: true,
  reasoning: true,
  presentation: true,
  call: true,
  question: true,
  title: true,
  usage: true,
  epoch: true,
  again: true,
}

/** False for a line that is words. */
function isOutput(type: string): boolean {
  const output = programOutput({ maxBytes: 1_000, nextCall: String })
  try {
    return [...output.take(Buffer.from(`{"type":"${type}"}\n`)), ...output.end()].some((one) => one.type !== 'delta')
  } catch {
    return true
  }
}

test('the JSON schema of the guide has every output of a program, in both languages', () => {
  const types = Object.keys(outputs).filter(isOutput).toSorted()
  for (const path of ['write-an-agent.md', 'zh/write-an-agent.md']) {
    const { oneOf } = JSON.parse(findExample(readGuide(path), 'json', 'oneOf')) as {
      oneOf: { properties: { type: { const?: string; enum?: string[] } } }[]
    }
    const described = oneOf.flatMap(({ properties: { type } }) => type.enum ?? type.const ?? [])
    assert.deepEqual(described.toSorted(), types, path)
  }
})

test('the Python program of the guide asks a person and uses the answer', async () => {
  await withProject(async ({ parley, clock }) => {
    const { id } = await parley.dialogs.open({ agent: 'booker', text: 'Book a room.' }, owner)
    const [item] = await settled(async () => (await parley.inbox()).items, clock)
    assert.equal(item?.question.ask.text, 'Which city?')
    await parley.questions.answer(item?.question.id ?? '', { text: 'Berlin' }, owner)
    await settled(async () => ((await parley.dialogs.get(id)).status === 'ready' ? [id] : []), clock)
    assert.equal((await parley.dialogs.get(id)).preview, 'Booked in Berlin')
  })
})

/** The program runs in real time, the dialog in simulated time. */
async function settled<Item>(look: () => Promise<readonly Item[]>, clock: ReturnType<typeof simulatedClock>): Promise<readonly Item[]> {
  return eventually(async () => {
    await clock.advance(100)
    const found = await look()
    return found.length > 0 ? found : null
  }, 'the program')
}

test('a script reads the same, and the tools of a task document are offered only where there is one', async () => {
  await withProject(async ({ parley, clock }) => {
    const read = async (
      taskdoc?: string,
    ): Promise<{ tools: string[]; surroundings: { taskdoc: string | null; memories: string | null } }> => {
      const { id } = await parley.dialogs.open({ agent: 'kit', text: 'show', ...(taskdoc === undefined ? {} : { taskdoc }) }, owner)
      await clock.advance(1_000)
      const events = await parley.events.read({ stream: id, after: 0, limit: 100 })
      const said = events.findLast(({ type }) => type === 'message.said')?.data as { text: string }
      return JSON.parse(said.text) as Awaited<ReturnType<typeof read>>
    }
    const without = await read()
    assert.ok(!without.tools.includes('change_mind') && !without.tools.includes('recall_taskdoc'))
    assert.match(without.surroundings.memories ?? '', /The oven is slow\./)
    const withDocument = await read('plan.tsk')
    assert.ok(withDocument.tools.includes('change_mind') && withDocument.tools.includes('recall_taskdoc'))
    assert.match(withDocument.surroundings.taskdoc ?? '', /Bake bread\./)
  })
})

test('a call of askHuman by a script asks a person, and the answer comes back', async () => {
  await withProject(async ({ parley, clock }) => {
    const { id } = await parley.dialogs.open({ agent: 'kit', text: 'ask' }, owner)
    await clock.advance(1_000)
    const [item] = (await parley.inbox()).items
    assert.equal(item?.question.ask.text, 'Which one?')
    await parley.questions.answer(item?.question.id ?? '', { text: 'the red one' }, owner)
    await clock.advance(1_000)
    assert.equal((await parley.dialogs.get(id)).preview, 'The answer is the red one')
  })
})

test('a task document that is missing, outside or none is refused with the reason', async () => {
  await withProject(async ({ parley }) => {
    for (const [taskdoc, why] of [
      ['none.tsk', /there is no such folder/],
      ['../other.tsk', /has "\.\." in it/],
      ['plan', /ends with "\.tsk"/],
    ] as const)
      await assert.rejects(
        parley.dialogs.open({ agent: 'kit', text: 'hi', taskdoc }, owner),
        (error: { code: string; message: string }) => {
          assert.equal(error.code, 'bad_taskdoc')
          assert.match(error.message, why)
          return true
        },
      )
  })
})
