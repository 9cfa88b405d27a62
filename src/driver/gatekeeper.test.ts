import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '../authority/policy.ts'
import { policyOf, samplePolicy } from '../authority/test/samples.ts'
import type { Role } from '../authority/roles.ts'
import type { AgentOutput, GenerationInput, Tool } from '../ports/agent-runtime.ts'
import type { Caller } from '../ports/parley.ts'
import { openParley, type OpenParley } from '../runtime.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../testing/simulated-clock.ts'
import { teamOf } from '../testing/team-of.ts'

const person = (name: string, role: Role, via = 'test'): Caller => ({ by: { kind: 'human', name, id: `person:${name}`, role }, via })
/** Nothing but people: every decision below is that of the default table. */
const peopleOnly = policyOf({ people: samplePolicy.people })
const mia = person('mia', 'owner')
const eve: Caller = { by: { kind: 'human', name: 'eve', id: 'telegram:main:9', role: 'guest' }, via: 'telegram' }

/** Calls the tool once for each message and says what came of it. */
async function* callsOnce(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = input.context.at(-1)
  if (last?.kind === 'human') yield { type: 'call', call: 'c', name: 'pay', input: { to: last.text } }
  else {
    const call = input.context.findLast((item) => item.kind === 'call')
    yield { type: 'text', text: call?.kind === 'call' ? String(call.result?.output) : 'nothing' }
  }
}

type Scene = {
  parley: OpenParley
  clock: SimulatedClock
  runs: string[]
  /** Another process over the same data. */
  restart(): Promise<Scene>
  end(): Promise<void>
}

const schema = { type: 'object' as const }

function scene(
  policy: Policy,
  more: Partial<Tool> = {},
  given?: { clock: SimulatedClock; backing: ReturnType<typeof memoryBacking>; runs: string[] },
): Scene {
  const { clock, backing, runs } = given ?? { clock: simulatedClock(), backing: memoryBacking(), runs: [] }
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: schema,
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    run: async (input) => {
      runs.push((input as { to: string }).to)
      return 'paid'
    },
    ...more,
  }
  const store = memoryStore({ clock, backing })
  const parley = openParley({ store, team: teamOf(callsOnce, [pay]), clock, policy: () => policy })
  return {
    parley,
    clock,
    runs,
    async restart() {
      await parley.close(0)
      return scene(policy, more, { clock, backing, runs })
    },
    end: () => parley.close(0),
  }
}

async function openApproval(
  { parley, clock }: Scene,
  text: string,
  caller: Caller,
  dialog?: string,
): Promise<{ dialog: string; question: string }> {
  const id = dialog ?? (await parley.dialogs.open({ text }, caller)).id
  if (dialog !== undefined) await parley.dialogs.say(dialog, text, caller)
  await clock.advance(100)
  const [item] = (await parley.inbox()).items
  assert.ok(item?.kind === 'question' && item.question.approval, 'an approval is open')
  return { dialog: id, question: item.question.id }
}

const said = async ({ parley }: Scene, dialog: string): Promise<string> => (await parley.dialogs.get(dialog)).preview

test('gate: an undeclared tool asks, waits without work, and runs once after "once"', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'rent', mia)
  assert.deepEqual(here.runs, [])
  const { approval } = await here.parley.questions.get(question)
  assert.match(approval?.shown.text ?? '', /"to": "rent"/)
  // Without a running pump, so that the simulated clock need not fire its backstop for months.
  await here.end()
  await here.clock.advance(90 * 86_400_000)
  const later = await here.restart()
  assert.equal((await later.parley.questions.get(question)).state, 'open')
  await later.parley.questions.answer(question, { decision: 'once' }, mia)
  await later.clock.advance(100)
  assert.deepEqual(later.runs, ['rent'])
  assert.equal(await said(later, dialog), 'paid')
  await later.end()
})

test('gate: a guest cannot approve, and the attempt is recorded once', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'Eve', eve)
  for (const decision of ['once', 'deny', 'once'] as const)
    await assert.rejects(here.parley.questions.answer(question, { decision }, eve), { code: 'not_addressed' })
  const types = (await here.parley.events.read({ stream: dialog, after: 0, limit: 500 })).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'answer.refused').length, 1)
  assert.deepEqual(here.runs, [])
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['Eve'])
  await here.end()
})

test('gate: deny tells the agent who denied it, with the note', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'rent', mia)
  await here.parley.questions.answer(question, { decision: 'deny', note: 'too much' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  assert.equal(await said(here, dialog), 'mia denied this call: too much. It has not run. Do not seek the same effect another way.')
  await here.end()
})

test('gate: "always" makes a grant for the same call in every dialog, and revoking it asks again', async () => {
  const here = scene(peopleOnly)
  const { question } = await openApproval(here, 'rent', mia)
  await here.parley.questions.answer(question, { decision: 'always' }, mia)
  await here.clock.advance(100)
  await here.parley.dialogs.open({ text: 'rent' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent', 'rent'])
  const [grant] = await here.parley.grants.list()
  assert.ok(grant)
  assert.equal((await here.parley.grants.revoke(grant.id, mia)).end?.why, 'revoked')
  await openApproval(here, 'rent', mia)
  assert.equal(here.runs.length, 2)
  await here.end()
})

test('gate: a grant of the owner does not serve a guest', async () => {
  const here = scene(peopleOnly)
  const { question } = await openApproval(here, 'rent', mia)
  await here.parley.questions.answer(question, { decision: 'always' }, mia)
  await here.clock.advance(100)
  await openApproval(here, 'rent', eve)
  assert.deepEqual(here.runs, ['rent'])
  await here.end()
})

test('gate: a tool that the owner declared runs at once for the owner and asks for a guest', async () => {
  const here = scene(peopleOnly, { gate: { kind: 'code', declared: 'allow' } })
  await here.parley.dialogs.open({ text: 'rent' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent'])
  await openApproval(here, 'Eve', eve)
  assert.deepEqual(here.runs, ['rent'])
  await here.end()
})

test('gate: stop withdraws an approval, and a later answer runs nothing, also after a restart', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'rent', mia)
  await here.parley.dialogs.stop(dialog, mia)
  const next = await here.restart()
  await assert.rejects(next.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  await next.parley.dialogs.resume(dialog, mia)
  await next.clock.advance(100)
  assert.deepEqual(next.runs, [])
  await next.end()
})

test('gate: an approval survives a restart and is asked again when the tool has changed', async () => {
  const here = scene(peopleOnly)
  const { question } = await openApproval(here, 'rent', mia)
  await here.end()
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  const changed = await here.restart()
  await changed.clock.advance(60_000)
  assert.deepEqual(changed.runs, ['rent'])
  await changed.end()
})

test('gate: two keys are two people', async () => {
  const here = scene(policyOf({ people: samplePolicy.people, policy: { approvers: ['bob'], rules: [{ ask: 'tool(pay)', keys: 2 }] } }))
  const { question } = await openApproval(here, 'rent', mia)
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'not_addressed' })
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  await here.parley.questions.answer(question, { decision: 'once' }, person('ann', 'operator'))
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent'])
  await here.end()
})
