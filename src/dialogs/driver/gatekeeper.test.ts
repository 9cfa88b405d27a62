import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '../../authority/policy.ts'
import { makePolicy, samplePolicy } from '../../authority/test/samples.ts'
import type { Role } from '../../authority/roles.ts'
import type { Agent, AgentOutput, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { openParley, type OpenParley } from '../../app/library.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { teamOf } from '../../testing/team-of.ts'
import { initialDialog } from '../rules/dialog-state.ts'
import { gatekeeper } from './gatekeeper.ts'

const person = (name: string, role: Role, via = 'test'): Caller => ({ by: { kind: 'human', name, id: `person:${name}`, role }, via })
/** Nothing but people: every decision below is that of the default table. */
const peopleOnly = makePolicy({ people: samplePolicy.people })
const mia = person('mia', 'owner')
const ann = person('ann', 'operator')
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
  store: Store
  /** Another process over the same data, with another version of the tool. */
  restart(more?: Partial<Tool>): Promise<Scene>
  end(): Promise<void>
}

const schema = { type: 'object' as const }

function scene(
  policy: Policy | (() => Policy),
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
  const parley = openParley({
    store,
    team: teamOf(callsOnce, [pay]),
    clock,
    policy: () => (typeof policy === 'function' ? policy() : policy),
  })
  return {
    parley,
    clock,
    runs,
    store,
    async restart(other = {}) {
      await parley.close(0)
      return scene(policy, { ...more, ...other }, { clock, backing, runs })
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

test('A14, attack 2: a guest cannot approve, and the attempt is recorded once', async () => {
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

test('A16: an approval given while no process runs takes effect after the start', async () => {
  const here = scene(peopleOnly)
  const { question } = await openApproval(here, 'rent', mia)
  await here.end()
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  const later = await here.restart()
  await later.clock.advance(100)
  assert.deepEqual(later.runs, ['rent'])
  await later.end()
})

test('attack 20: a tool whose definition changed after the approval is asked again', async () => {
  const here = scene(peopleOnly)
  const { question } = await openApproval(here, 'rent', mia)
  await here.end()
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  const changed = await here.restart({ description: 'Pays twice.' })
  await changed.clock.advance(100)
  assert.deepEqual(changed.runs, [])
  const [item] = (await changed.parley.inbox()).items
  assert.ok(item && item.question.id !== question)
  assert.equal(item.question.approval?.isChanged, true)
  await changed.parley.questions.answer(item.question.id, { decision: 'once' }, mia)
  await changed.clock.advance(100)
  assert.deepEqual(changed.runs, ['rent'])
  await changed.end()
})

test('attack 20: a changed definition ends standing permissions', async () => {
  const here = scene(peopleOnly)
  const { question } = await openApproval(here, 'rent', mia)
  await here.parley.questions.answer(question, { decision: 'always' }, mia)
  await here.clock.advance(100)
  const changed = await here.restart({ description: 'Pays twice.' })
  await openApproval(changed, 'rent', mia)
  assert.deepEqual(changed.runs, ['rent'])
  await changed.clock.advance(100)
  assert.equal((await changed.parley.grants.list())[0]?.end?.why, 'changed')
  await changed.end()
})

test('attack 21: a file that changed after the approval is asked again', async () => {
  let hash = 'before'
  const gate: Tool['gate'] = { kind: 'code', bound: () => ({ 'a.txt': hash }) }
  const here = scene(peopleOnly, { gate })
  const { question } = await openApproval(here, 'rent', mia)
  hash = 'after'
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  assert.equal((await here.parley.inbox()).items[0]?.question.approval?.isChanged, true)
  await here.end()
})

test('gate: a grant settles open approvals of the same agent that it covers, and no others', async () => {
  const here = scene(peopleOnly)
  const first = await openApproval(here, 'rent', mia)
  const second = await here.parley.dialogs.open({ text: 'rent' }, mia)
  await here.parley.dialogs.open({ text: 'rent' }, eve)
  await here.clock.advance(100)
  assert.equal((await here.parley.inbox()).count, 3)
  await here.parley.questions.answer(first.question, { decision: 'always' }, mia)
  await here.clock.advance(200)
  assert.deepEqual(here.runs, ['rent', 'rent'])
  assert.equal(await said(here, second.id), 'paid')
  const [left, ...more] = (await here.parley.inbox()).items
  assert.equal(left?.question.approval?.requesters[0]?.name, 'eve')
  assert.equal(more.length, 0)
  await here.end()
})

test('gate: a new rule settles what waits, whether it allows or denies', async () => {
  let policy = peopleOnly
  const here = scene(() => policy)
  const allowed = await openApproval(here, 'rent', mia)
  policy = makePolicy({ people: samplePolicy.people, policy: { rules: [{ allow: 'tool(pay)' }] } })
  here.parley.policyChanged()
  await here.clock.advance(200)
  assert.deepEqual(here.runs, ['rent'])
  assert.equal((await here.parley.questions.get(allowed.question)).closed?.why, 'covered')
  policy = peopleOnly
  const denied = await openApproval(here, 'gift', mia)
  policy = makePolicy({ people: samplePolicy.people, policy: { rules: [{ deny: 'tool(pay)' }] } })
  here.parley.policyChanged()
  await here.clock.advance(200)
  assert.deepEqual(here.runs, ['rent'])
  assert.match(await said(here, denied.dialog), /^Not allowed here:/)
  await here.end()
})

test('A18: a tap between a stop above and its withdrawal runs nothing, also after Continue', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'rent', mia)
  // The latch alone, as a process leaves it that dies before it has withdrawn the approvals below.
  const state = await here.parley.streams.load(dialog)
  const event = { type: 'latch.set', at: here.clock.now(), data: { by: mia.by, via: 'test' } }
  await here.store.commit([{ append: [{ stream: dialog, expect: state.seq, events: [event] }] }])
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  await here.parley.dialogs.resume(dialog, mia)
  await here.clock.advance(100)
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  assert.deepEqual(here.runs, [])
  await here.end()
})

test('A18: the emergency stop withdraws approvals, and a tap while it holds or after it runs nothing', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'rent', mia)
  await here.parley.dialogs.stopAll(mia)
  const view = await here.parley.questions.get(question)
  assert.deepEqual([view.state, view.closed?.why], ['cancelled', 'stopped'])
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  await here.parley.dialogs.resumeAll(mia)
  await here.clock.advance(2_000)
  assert.deepEqual(here.runs, [])
  assert.match(await said(here, dialog), /^Stopped by mia before it ran/)
  await here.end()
})

test('gate: an approval withdrawn with the word of the runtime does not send its call to the gate again', async () => {
  const here = scene(peopleOnly)
  const { dialog, question } = await openApproval(here, 'rent', eve)
  await here.parley.questions.cancel(question, 'covered', mia)
  await here.clock.advance(100)
  const { state, closed } = await here.parley.questions.get(question)
  assert.deepEqual([state, closed?.reason, closed?.why], ['cancelled', 'covered', undefined])
  assert.equal((await here.parley.inbox()).items.length, 0, 'it is not asked again')
  assert.match(await said(here, dialog), /[Ww]ithdrawn/)
  await here.end()
})

test('A12: an operator approves what others caused, not what they caused', async () => {
  const here = scene(peopleOnly)
  const own = await openApproval(here, 'rent', ann)
  await assert.rejects(here.parley.questions.answer(own.question, { decision: 'once' }, ann), { code: 'not_addressed' })
  await here.parley.questions.answer(own.question, { decision: 'once' }, mia)
  await here.clock.advance(100)
  const other = await openApproval(here, 'gift', eve)
  await here.parley.questions.answer(other.question, { decision: 'once' }, ann)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent', 'gift'])
  await here.end()
})

test('attack 4: what the owner wants in a dialog with a guest asks, until the owner trusts the dialog', async () => {
  const here = scene(peopleOnly, { gate: { kind: 'code', declared: 'allow' } })
  const { dialog, question } = await openApproval(here, 'Eve', eve)
  await here.parley.questions.answer(question, { decision: 'deny' }, mia)
  await here.clock.advance(100)
  const asked = await openApproval(here, 'rent', mia, dialog)
  await here.parley.questions.answer(asked.question, { decision: 'deny' }, mia)
  await here.clock.advance(100)
  const upTo = await here.store.head(dialog)
  await assert.rejects(here.parley.dialogs.trust(dialog, { upTo }, ann), { code: 'owner_only' })
  await here.parley.dialogs.trust(dialog, { upTo }, mia)
  await here.parley.dialogs.say(dialog, 'rent', mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent'])
  await here.end()
})

test('gate: a guest has at most 3 open approvals, and an approved call is not counted against it', async () => {
  const here = scene(peopleOnly)
  const opened: string[] = []
  for (const to of ['a', 'b', 'c', 'd']) opened.push((await here.parley.dialogs.open({ text: to }, eve)).id)
  await here.clock.advance(200)
  const { items } = await here.parley.inbox()
  assert.equal(items.length, 3)
  const denied = await Promise.all(opened.map((dialog) => said(here, dialog)))
  assert.equal(denied.filter((text) => text === 'Not asked: 3 approvals already wait.').length, 1)
  await here.parley.questions.answer(items[0]?.question.id ?? '', { decision: 'once' }, mia)
  await here.clock.advance(100)
  assert.equal(here.runs.length, 1)
  await here.end()
})

test('gate: what a guest writes while an approval waits does not change whose call it is', async () => {
  const here = scene(peopleOnly, { gate: { kind: 'code', declared: 'ask' } })
  const { dialog, question } = await openApproval(here, 'rent', mia)
  await here.parley.dialogs.say(dialog, 'hello', eve)
  await here.parley.questions.answer(question, { decision: 'chat' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent'])
  const [grant] = await here.parley.grants.list()
  assert.equal(grant?.role, 'owner')
  await here.end()
})

test('A13: two keys are two people', async () => {
  const here = scene(makePolicy({ people: samplePolicy.people, policy: { approvers: ['bob'], rules: [{ ask: 'tool(pay)', keys: 2 }] } }))
  const { question } = await openApproval(here, 'rent', mia)
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'already_allowed' })
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  await here.parley.questions.answer(question, { decision: 'once' }, ann)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent'])
  await here.end()
})

test('gate: after the third approval of a kind that the preset "workspace" covers, the card offers to switch', async () => {
  const make = { kind: 'run' as const, words: [{ value: 'make', isLiteral: true }] }
  const here = scene(peopleOnly, {
    gate: {
      kind: 'run',
      isSandboxed: true,
      subjects: () => ({ subjects: [make], unsure: [] }),
      show: () => ({ kind: 'run', target: '', server: '', text: 'make', facts: [] }),
    },
  })
  const offers: unknown[] = []
  for (let count = 0; count < 4; count += 1) {
    const { question } = await openApproval(here, 'build', mia)
    offers.push((await here.parley.questions.get(question)).approval?.offersWorkspace)
    await here.parley.questions.answer(question, { decision: 'once' }, mia)
    await here.clock.advance(100)
  }
  assert.deepEqual(offers, [undefined, undefined, undefined, true])
  await here.end()
})

test('gate: of two approvals of a turn the first one decided runs at once, and the agent goes on after the second', async () => {
  const runs: string[] = []
  const clock = simulatedClock()
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: schema,
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    run: async (input) => (runs.push((input as { to: string }).to), 'paid'),
  }
  let generations = 0
  const parley = openParley({
    store: memoryStore({ clock, backing: memoryBacking() }),
    clock,
    policy: () => peopleOnly,
    team: teamOf(
      async function* (input) {
        generations += 1
        if (input.context.at(-1)?.kind === 'human')
          for (const to of ['a', 'b']) yield { type: 'call', call: to, name: 'pay', input: { to } }
        else yield { type: 'text', text: 'both done' }
      },
      [pay],
    ),
  })
  const { id } = await parley.dialogs.open({ text: 'go' }, mia)
  await clock.advance(100)
  const [first, second] = (await parley.inbox()).items.map(({ question }) => question)
  assert.equal(first?.approval?.turn, second?.approval?.turn)
  await parley.questions.answer(first?.id ?? '', { decision: 'once' }, mia)
  await clock.advance(100)
  assert.deepEqual([runs.length, generations], [1, 1])
  assert.equal((await parley.dialogs.get(id)).status, 'waiting')
  await parley.questions.answer(second?.id ?? '', { decision: 'deny' }, mia)
  await clock.advance(100)
  assert.deepEqual([runs.length, generations], [1, 2])
  assert.equal((await parley.dialogs.get(id)).preview, 'both done')
  await parley.close(0)
})

test('gate: a call that is approved while another one runs is run before the agent goes on', async () => {
  const runs: string[] = []
  const clock = simulatedClock()
  let isApproved = false
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: schema,
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    async run(input) {
      runs.push((input as { to: string }).to)
      // The other decision arrives before this call has a result.
      if (!isApproved) {
        isApproved = true
        const open = (await parley.inbox()).items[0]?.question.id ?? ''
        await parley.questions.answer(open, { decision: 'once' }, mia)
      }
      return 'paid'
    },
  }
  const parley = openParley({
    store: memoryStore({ clock, backing: memoryBacking() }),
    clock,
    policy: () => peopleOnly,
    team: teamOf(
      async function* (input) {
        const calls = input.context.filter((item) => item.kind === 'call')
        if (calls.length === 0) for (const to of ['a', 'b']) yield { type: 'call', call: to, name: 'pay', input: { to } }
        else yield { type: 'text', text: calls.map(({ result }) => String(result?.output)).join(' ') }
      },
      [pay],
    ),
  })
  const { id } = await parley.dialogs.open({ text: 'go' }, mia)
  await clock.advance(100)
  await parley.questions.answer((await parley.inbox()).items[0]?.question.id ?? '', { decision: 'once' }, mia)
  await clock.advance(100)
  assert.deepEqual(runs.toSorted(), ['a', 'b'])
  assert.equal((await parley.dialogs.get(id)).preview, 'paid paid')
  await parley.close(0)
})

test('gate: the agent reads the call and its outcome, never the approval as a question of its own', async () => {
  const seen: GenerationInput[] = []
  const clock = simulatedClock()
  const backing = memoryBacking()
  const pay: Tool = {
    name: 'pay',
    description: '',
    inputSchema: schema,
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    run: async () => 'paid',
  }
  const parley = openParley({
    store: memoryStore({ clock, backing }),
    clock,
    policy: () => peopleOnly,
    team: teamOf(
      async function* (input) {
        seen.push(input)
        yield* callsOnce(input)
      },
      [pay],
    ),
  })
  const { id } = await parley.dialogs.open({ text: 'rent' }, mia)
  await clock.advance(100)
  const question = (await parley.inbox()).items[0]?.question.id ?? ''
  await parley.questions.answer(question, { decision: 'once' }, mia)
  await clock.advance(100)
  assert.equal((await parley.dialogs.get(id)).preview, 'paid')
  assert.deepEqual(
    seen.map(({ context }) => context.map((item) => item.kind)),
    [['human'], ['human', 'call']],
  )
  await parley.close(0)
})

test('attack 20: a grant with an edited scope is still bound to the script that was looked at', async () => {
  let hash = 'first'
  const python = { kind: 'run' as const, words: ['python3', 'x.py'].map((value) => ({ value, isLiteral: true })) }
  const here = scene(peopleOnly, {
    gate: { kind: 'run', subjects: () => ({ subjects: [python], unsure: [] }), bound: () => ({ 'x.py': hash }) },
  })
  const { question } = await openApproval(here, 'go', mia)
  await here.parley.questions.answer(question, { decision: 'always', scope: 'run(python3 x.py)' }, mia)
  await here.clock.advance(100)
  await here.parley.dialogs.open({ text: 'go' }, mia)
  await here.clock.advance(100)
  assert.equal(here.runs.length, 2)
  hash = 'changed'
  await openApproval(here, 'go', mia)
  assert.equal(here.runs.length, 2)
  await here.end()
})

test('A2: when a tool runs, the decision about its call is in the store', async () => {
  const decisions: unknown[] = []
  const run: Tool['run'] = async (_input, { dialog, call }) => {
    const events = await here.store.read(dialog, 0, 100)
    const dataOf = (wanted: string): { call?: string; gate?: { decision: string }; decision?: string } =>
      events.find(({ type }) => type === wanted)?.data ?? {}
    assert.equal(dataOf('tool.called').call, call)
    decisions.push([dataOf('tool.called').gate?.decision, dataOf('question.answered').decision])
    return 'paid'
  }
  let here = scene(peopleOnly, { run, gate: { kind: 'code', declared: 'allow' } })
  await here.parley.dialogs.open({ text: 'rent' }, mia)
  await here.clock.advance(100)
  await here.end()
  here = scene(peopleOnly, { run })
  const { question } = await openApproval(here, 'rent', mia)
  assert.deepEqual(decisions, [['allow', undefined]])
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(decisions, [
    ['allow', undefined],
    ['ask', 'once'],
  ])
  await here.end()
})

test('A11: an approved tool gets exactly the input that was shown', async () => {
  const inputs: unknown[] = []
  const here = scene(peopleOnly, { run: async (input) => void inputs.push(input) })
  const text = 'rent \u202E"\\ 世 🏠'
  const { question } = await openApproval(here, text, mia)
  const shown = (await here.parley.questions.get(question)).approval?.shown.text ?? ''
  assert.ok(shown.includes('⟨U+202E⟩'), 'a character that turns text around is written out')
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(inputs, [{ to: text }])
  assert.deepEqual(JSON.parse(shown.replaceAll('⟨U+202E⟩', '\u202E')), inputs[0])
  await here.end()
})

test('A11: an approval holds for the same input, tool and files only', async () => {
  const files = { 'a.sh': 'hash-1' }
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: schema,
    afterCrash: 'ask',
    gate: { kind: 'code', bound: () => ({ ...files }) },
    check: (input) => ({ input }),
    run: async () => 'paid',
  }
  const agentWith = (tool: Tool): Agent => ({ name: 'ada', runtime: { generate: callsOnce }, tools: [tool] })
  const gate = gatekeeper(
    {
      policy: () => peopleOnly,
      listGrants: async () => [],
      openApprovals: async () => 0,
      approvedBefore: async () => false,
      endGrants: () => {},
    },
    countedIds(),
  )
  const call = { call: 'c', name: 'pay', input: { to: 'rent' } }
  const judged = await gate.judge(agentWith(pay), call, { dialog: 'd', state: initialDialog, now: 0, waiting: 0 })
  assert.ok(judged?.decision === 'ask' && judged.asked.approval)
  const { approval } = judged.asked
  const holds = (tool: Tool, input: unknown = call.input): Promise<boolean> =>
    gate.stillHolds(agentWith(tool), { ...call, input }, approval)
  assert.ok(await holds(pay))
  assert.ok(await holds({ ...pay, afterCrash: 'repeat' }), 'not a part of the definition')
  assert.ok(!(await holds(pay, { to: 'Eve' })))
  assert.ok(!(await holds({ ...pay, description: 'Pays twice.' })))
  files['a.sh'] = 'hash-2'
  assert.ok(!(await holds(pay)))
})

test('A23: an ordinary answer of the owner opens nothing', async () => {
  const clock = simulatedClock()
  const runs: string[] = []
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: schema,
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    run: async () => runs.push('paid'),
  }
  const options = [
    { value: 'once', label: 'Allow once' },
    { value: 'always', label: 'Always allow' },
  ]
  async function* asksFirst({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
    const last = context.at(-1)
    if (last?.kind === 'human')
      yield { type: 'question', ask: { text: 'May I pay?', items: [{ id: 'decision', text: '', kind: 'choice', options }] } }
    else if (last?.kind === 'question') yield { type: 'call', call: 'c', name: 'pay', input: {} }
    else yield { type: 'text', text: 'done' }
  }
  const parley = openParley({ store: memoryStore({ clock }), team: teamOf(asksFirst, [pay]), clock, policy: () => peopleOnly })
  const { id } = await parley.dialogs.open({ text: 'rent' }, mia)
  await clock.advance(100)
  const [question] = (await parley.dialogs.get(id)).questions
  assert.equal(question?.approval, undefined)
  await parley.questions.answer(question?.id ?? '', { answers: { decision: 'always' } }, mia)
  await clock.advance(100)
  assert.deepEqual(runs, [])
  assert.equal((await parley.dialogs.get(id)).questions.find(({ state }) => state === 'open')?.approval?.tool, 'pay')
  assert.deepEqual(await parley.grants.list(), [])
  await parley.close(0)
})
