import assert from 'node:assert/strict'
import { test } from 'node:test'
import { team } from '../../src/agents/scripted-team.ts'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { promptSource } from '../../src/agents/minds/prompt-source.ts'
import { noSurroundings } from '../../src/agents/minds/surroundings.ts'
import { modelRuntime } from '../../src/agents/runtimes/model.ts'
import { modelSchema } from '../../src/app/config/schema.ts'
import { foldViews } from '../../src/app/stream-kinds.ts'
import { type Behaviour, modelEmulator } from '../../src/testing/model-emulator.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { helper, toolAgent } from './tool-agent.ts'
import { eventually } from '../fixtures/eventually.ts'

/** Looks until it is stopped. */
const slow = defineAgent({
  name: 'helper',
  about: '',
  async *reply(_, { signal }) {
    yield { type: 'delta', text: 'Looking' }
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  },
})

const step = (name: string) => ({ name: 'start_step', input: { step: name } })

async function built(calls: readonly { name: string; input: object }[]) {
  const under = buildingUnderTest(team([toolAgent(calls), helper], { fast: true }))
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  const status = await under.until(build, isOver)
  const events = await under.stored(build)
  const errors = errorsIn(await makeLog(under.store, build))
  const dialog = await under.store.read(`dlg_${build}`, 0, 500)
  const returned = dialog.filter(({ type }) => type === 'tool.returned').map(({ data }) => String((data as { output: unknown }).output))
  await under.close()
  return { status, events, errors, returned, faults: events.flatMap((event) => (event.type === 'build.faulted' ? [event.data.rule] : [])) }
}

test('a tool call that breaks a rule is refused, and its result says how to fix it', async () => {
  const rest = ['parse', 'research', 'design', 'assemble', 'validate', 'finalize'].map(step)
  const { status, errors, returned, faults, events } = await built([
    step('build_record'),
    { name: 'finish', input: { summary: 'Ready.' } },
    ...rest,
    { name: 'finish', input: { summary: 'Your list is ready.' } },
  ])
  assert.equal(status, 'complete')
  assert.deepEqual(errors, [])
  assert.deepEqual(faults, ['T5'])
  assert.match(returned[1] ?? '', /not taken: .*not done yet: parse.* open: build_record.*faults in a row end/)
  const texts = events.flatMap((event) => (event.type === 'assistant.message.created' ? [event.data.text] : []))
  assert.deepEqual(texts, ['Your list is ready.'], 'nothing of a move that was not taken is seen')
})

test('three broken rules in a row end the build in plain words; one accepted call between them does not', async () => {
  const wrong = step('finalize')
  const { status, errors, faults, events } = await built([step('build_record'), wrong, wrong, step('parse'), wrong, wrong, wrong])
  assert.equal(status, 'failed')
  assert.deepEqual(errors, [])
  assert.deepEqual(faults, ['T2', 'T2', 'T2', 'T2', 'T2'])
  const end = events.findLast(({ type }) => type === 'session.failed')
  assert.equal(end?.type === 'session.failed' && end.data.reason, 'protocol violation')
})

test('an agent that ends its turn without finishing is told twice, then the build fails', async () => {
  const { status, errors, events } = await built([step('build_record')])
  assert.equal(status, 'failed')
  assert.deepEqual(errors, [])
  assert.equal(events.filter(({ type }) => type === 'build.turn.started').length, 3)
  assert.ok(events.some((event) => event.type === 'build.turn.started' && event.data.hint?.includes('still runs')))
})

test('a bad input and an unknown step come back as results, and cost nothing', async () => {
  const { returned, faults } = await built([
    { name: 'start_step', input: { step: 'deploy' } },
    { name: 'ask_many', input: { prompt: 'One?', questions: [{ prompt: 'One?' }] } },
    { name: 'fail', input: { summary: 'I could not find any books.', reason: 'no books' } },
  ])
  assert.match(returned[0] ?? '', /do not fit/)
  assert.match(returned[1] ?? '', /do not fit/)
  assert.deepEqual(faults, [])
})

const isAtRest = ({ status }: { status: string }): boolean => status !== 'working' && status !== 'stopping'

test('cancelling a build stops its dialog and the side dialogs of it', async () => {
  const under = buildingUnderTest(team([toolAgent(), slow], { fast: true }))
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  const tree = () => under.parley.dialogs.tree(`dlg_${build}`).catch(() => [])
  await eventually(async () => (await tree()).length === 2, 'the side dialog')
  await under.parley.builds.cancel(build, owner)
  await eventually(async () => (await tree()).every(isAtRest), 'both dialogs at rest')
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  await under.close()
})

test('the dialog of a build is not among those of people; by its id, in its tree and for stop all it is there', async () => {
  const under = buildingUnderTest(team([toolAgent(), slow], { fast: true }))
  const { dialogs, builds } = under.parley
  const { build_id: build } = await builds.open({ prompt: 'A list' }, owner)
  const dialog = `dlg_${build}`
  const tree = () => dialogs.tree(dialog).catch(() => [])
  await eventually(async () => (await tree())[1]?.status === 'working', 'the work of the helper')
  assert.deepEqual((await dialogs.list()).items, [])
  assert.deepEqual((await dialogs.list({ search: 'list' })).items, [])
  assert.deepEqual(
    (await dialogs.list({ of: 'builds' })).items.map(({ id }) => id),
    [dialog],
  )
  assert.equal((await dialogs.get(dialog)).id, dialog)
  assert.equal((await tree())[0]?.id, dialog, 'the root comes first')
  for (const row of (await foldViews(under.store)).values()) assert.deepEqual(await under.store.row(row.view, row.key), row)

  assert.equal((await dialogs.stopAll(owner)).count, 1, 'the helper works, the builder waits for it')
  await builds.cancel(build, owner)
  await eventually(async () => (await tree()).every(isAtRest), 'both dialogs at rest')
  await dialogs.resumeAll(owner)
  await eventually(async () => (await tree()).every(({ status }) => status === 'stopped'), 'the end of all work on an ended build')
  assert.deepEqual(await dialogs.resumeAll(owner), { count: 0 })
  await under.close()
})

test('what the dialog of a build spends counts against its budget', async () => {
  const base = team([toolAgent(), helper], { fast: true })
  const spending = { budgets: { dialog: { tokens: 12_000 } }, promptOverheadTokens: 1_000, maxOutputTokens: 1_000 }
  const bounded: Team = {
    ...base,
    agent(name) {
      const agent = base.agent(name)
      return agent && { ...agent, spending }
    },
  }
  const under = buildingUnderTest(bounded)
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  assert.equal(await under.until(build, isOver), 'failed')
  const ended = (await under.stored(build)).find(({ type }) => type === 'build.failed')
  assert.equal(ended?.type === 'build.failed' && ended.data.code, 'budget_spent')
  await under.close()
})

test('a model builds with the tools, over the wire it speaks, and reads answers in words', async (t) => {
  const emulator = await modelEmulator()
  t.after(() => emulator.close())
  const model = modelSchema.parse({ provider: 'openai-compatible', baseUrl: emulator.url, model: 'm' })
  const runtime = modelRuntime({ model, member: {} })
  const prompt = promptSource({ name: 'ada', member: {}, model, around: noSurroundings(() => []), runtime })
  const agent = { name: 'ada', runtime, prompt, tools: [] }
  const models: Team = { default: 'ada', agent: (name) => (name === 'ada' ? agent : undefined), list: () => [{ name: 'ada', about: '' }] }
  const call = (name: string, input: object): Behaviour => ({
    does: 'reply',
    pieces: [],
    calls: [{ id: name, name, args: [JSON.stringify(input)] }],
  })
  const steps = (...names: string[]): Behaviour[] => names.map((name) => call('start_step', { step: name }))
  emulator.next(
    ...steps('build_record', 'parse', 'research'),
    call('ask', { prompt: 'Which region?', options: [{ label: 'Europe' }, { label: 'US' }] }),
    { does: 'reply', pieces: ['Waiting.'] },
    ...steps('design'),
    call('ask_many', {
      prompt: 'Two details.',
      questions: [{ prompt: 'Its name?' }, { prompt: 'How big?', options: [{ label: 'Small' }, { label: 'Large' }] }],
    }),
    { does: 'reply', pieces: ['Waiting.'] },
    ...steps('assemble', 'validate', 'finalize'),
    call('say', { text: 'Almost there.' }),
    call('finish', { summary: 'Your list is ready.', output: '# List' }),
    { does: 'reply', pieces: ['Done.'] },
  )
  const under = buildingUnderTest(models)
  t.after(() => under.close())
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  await under.until(build, (status) => status === 'waiting')
  const asked = (await under.parley.builds.events.read(build)).findLast(({ type }) => type === 'question.requested')
  assert.ok(asked?.type === 'question.requested')
  await under.parley.builds.answer(build, { question: asked.payload.question_id, answer: 'US' }, owner)
  const findSet = async () => (await under.parley.builds.events.read(build)).findLast(({ type }) => type === 'questions.requested')
  while (!(await findSet())) await under.until(build, (status) => status === 'waiting')
  const set = await findSet()
  assert.ok(set?.type === 'questions.requested')
  const [name = '', size = ''] = set.payload.questions.map(({ question_id }) => question_id)
  await under.parley.builds.answerAll(build, { answers: { [name]: 'Mira', [size]: 'Large' } }, owner)
  assert.equal(await under.until(build, isOver), 'complete')
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  const first = JSON.stringify(emulator.requests[0]?.body)
  for (const tool of ['start_step', 'say', 'ask', 'ask_many', 'finish', 'fail']) assert.ok(first.includes(`"name":"${tool}"`), tool)
  assert.doesNotMatch(first, /"name":"askHuman"/)
  // The emulated model reads what a real one would: each question with its answer, and no id that it never chose.
  const lastUser = (index: number): string => {
    const body = emulator.requests[index]?.body as { messages: { role: string; content: unknown }[] } | undefined
    return JSON.stringify(body?.messages.findLast(({ role }) => role === 'user')?.content)
  }
  assert.match(lastUser(5), /Which region\? → US/)
  assert.match(lastUser(8), /Its name\? → Mira\\nHow big\? → Large/)
  for (const index of [5, 8]) assert.doesNotMatch(lastUser(index), /\bo[12]\b|q-/)
})
