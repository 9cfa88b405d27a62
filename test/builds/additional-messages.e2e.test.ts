import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { team } from '../../src/agents/scripted-team.ts'
import { asks, ends, running, starts, wholeBuild } from '../../src/builds/rules/test/agent-script.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { commandTeam } from './command-team.ts'
import { toolAgent } from './tool-agent.ts'

const told = /System note: the person adds: In blue, please\n(?:eu|Which region\? → Europe)\n?$/

/** Plays a build with one question, during which the person adds a message. */
async function played(agents: Team) {
  const under = buildingUnderTest(agents)
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  await under.until(build, (status) => status === 'waiting')
  await under.parley.builds.instruct(build, 'In blue,\nplease', owner)
  const asked = (await under.parley.builds.events.read(build)).findLast(({ type }) => type === 'question.requested')
  const question = asked?.type === 'question.requested' ? asked.payload.question_id : ''
  await under.parley.builds.answer(build, { question, answer: 'Europe' }, owner)
  assert.equal(await under.until(build, isOver), 'complete')
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  const dialog = await under.store.read(`dlg_${build}`, 0, 500)
  assert.equal(
    under.told.some(({ message }) => message.includes('additional message')),
    false,
    'nothing went unheard',
  )
  await under.close()
  return dialog
}

test('an additional message reaches a program with the answer it waits for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-wish-'))
  const program = fileURLToPath(new URL('./fixtures/replay-agent.mjs', import.meta.url))
  const lines = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')
  writeFileSync(join(folder, 'turn-1'), lines([running, starts('build_record'), asks()]))
  writeFileSync(join(folder, 'turn-2'), lines([ends('build_record'), ...wholeBuild.slice(3)]))
  await played(commandTeam({ command: [process.execPath, program, folder] }))
  const [, second = '{}', ...more] = readFileSync(join(folder, 'told.jsonl'), 'utf8').trim().split('\n')
  assert.match((JSON.parse(second) as { given: string }).given, told)
  assert.deepEqual(more, [])
  rmSync(folder, { recursive: true, force: true })
})

test('an additional message reaches a script with the answer it waits for', async () => {
  const messages: string[] = []
  const script = defineAgent({
    name: 'ada',
    about: '',
    *reply() {
      yield { type: 'text', text: '' }
    },
    *build({ input, message }) {
      messages.push(message)
      yield* input.type === 'BUILD_REQUEST' ? [running, starts('build_record'), asks()] : [ends('build_record'), ...wholeBuild.slice(3)]
    },
  })
  await played(team([script], { fast: true }))
  assert.match(messages[1] ?? '', told)
  assert.equal(messages.length, 2)
})

test('an additional message reaches an agent with tools with the answer it waits for', async () => {
  const step = (name: string) => ({ name: 'start_step', input: { step: name } })
  const calls = [
    step('build_record'),
    { name: 'ask', input: { prompt: 'Which region?', options: [{ label: 'Europe' }, { label: 'US' }] } },
    ...['parse', 'research', 'design', 'assemble', 'validate', 'finalize'].map(step),
    { name: 'finish', input: { summary: 'Your list is ready.' } },
  ]
  const dialog = await played(team([toolAgent(calls)], { fast: true }))
  const texts = dialog.flatMap(({ data }) => ('text' in data && 'via' in data && data.via === 'build' ? [String(data.text)] : []))
  assert.match(texts[1] ?? '', told)
})

test('a message that comes in the last turn is logged for the operator', async () => {
  const { promise: added, resolve: add } = Promise.withResolvers<void>()
  const script = defineAgent({
    name: 'ada',
    about: '',
    *reply() {
      yield { type: 'text', text: '' }
    },
    async *build() {
      yield running
      await added
      yield* wholeBuild.slice(1)
    },
  })
  const under = buildingUnderTest(team([script], { fast: true }))
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  await under.until(build, (status) => status === 'running')
  await under.parley.builds.instruct(build, 'In blue', owner)
  add()
  assert.equal(await under.until(build, isOver), 'complete')
  const unheard = under.told.find(({ message }) => message.includes('additional message'))
  assert.deepEqual(unheard?.fields.wishes, ['In blue'])
  await under.close()
})
