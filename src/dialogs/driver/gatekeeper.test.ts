import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePolicy, samplePolicy } from '../../authority/test/samples.ts'
import type { Agent, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { initialDialog } from '../rules/dialog-state.ts'
import { gatekeeper } from './gatekeeper.ts'
import { ann, callsOnce, eve, gateScene, mia, payTool, peopleOnly } from './test/gate-scene.ts'

test('gate: an undeclared tool asks, waits without work, and runs once after "once"', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('rent', mia)
  assert.deepEqual(here.runs, [])
  const { approval } = await here.parley.questions.get(question)
  assert.match(approval?.shown.text ?? '', /"to": "rent"/)
  // Without a running pump, so that the simulated clock need not fire its backstop for months.
  await here.end()
  await here.clock.advance(90 * 86_400_000)
  await using later = await here.restart()
  assert.equal((await later.parley.questions.get(question)).state, 'open')
  await later.decide(question, 'once', mia)
  assert.deepEqual(later.runs, ['rent'])
  assert.equal(await later.readPreview(dialog), 'paid')
})

test('A14, attack 2: a guest cannot approve, and the attempt is recorded once', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('Eve', eve)
  for (const decision of ['once', 'deny', 'once'] as const)
    await assert.rejects(here.parley.questions.answer(question, { decision }, eve), { code: 'not_addressed' })
  const types = (await here.parley.events.read({ stream: dialog, after: 0, limit: 500 })).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'answer.refused').length, 1)
  assert.deepEqual(here.runs, [])
  await here.decide(question, 'once', mia)
  assert.deepEqual(here.runs, ['Eve'])
})

test('gate: deny tells the agent who denied it, with the note', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('rent', mia)
  await here.parley.questions.answer(question, { decision: 'deny', note: 'too much' }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  assert.equal(await here.readPreview(dialog), 'mia denied this call: too much. It has not run. Do not seek the same effect another way.')
})

test('gate: "always" makes a grant for the same call in every dialog, and revoking it asks again', async () => {
  await using here = gateScene()
  const { question } = await here.openApproval('rent', mia)
  await here.decide(question, 'always', mia)
  await here.open('rent', mia)
  assert.deepEqual(here.runs, ['rent', 'rent'])
  const [grant] = await here.parley.grants.list()
  assert.ok(grant)
  assert.equal((await here.parley.grants.revoke(grant.id, mia)).end?.why, 'revoked')
  await here.openApproval('rent', mia)
  assert.equal(here.runs.length, 2)
})

test('gate: a grant of the owner does not serve a guest', async () => {
  await using here = gateScene()
  const { question } = await here.openApproval('rent', mia)
  await here.decide(question, 'always', mia)
  await here.openApproval('rent', eve)
  assert.deepEqual(here.runs, ['rent'])
})

test('gate: a tool that the owner declared runs at once for the owner and asks for a guest', async () => {
  await using here = gateScene({ gate: { kind: 'code', declared: 'allow' } })
  await here.open('rent', mia)
  assert.deepEqual(here.runs, ['rent'])
  await here.openApproval('Eve', eve)
  assert.deepEqual(here.runs, ['rent'])
})

test('gate: stop withdraws an approval, and a later answer runs nothing, also after a restart', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('rent', mia)
  await here.parley.dialogs.stop(dialog, mia)
  await using next = await here.restart()
  await assert.rejects(next.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  await next.parley.dialogs.resume(dialog, mia)
  await next.clock.advance(100)
  assert.deepEqual(next.runs, [])
})

test('A16: an approval given while no process runs takes effect after the start', async () => {
  await using here = gateScene()
  const { question } = await here.openApproval('rent', mia)
  await here.end()
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await using later = await here.restart()
  await later.clock.advance(100)
  assert.deepEqual(later.runs, ['rent'])
})

test('attack 20: a tool whose definition changed after the approval is asked again', async () => {
  await using here = gateScene()
  const { question } = await here.openApproval('rent', mia)
  await here.end()
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await using changed = await here.restart({ description: 'Pays twice.' })
  await changed.clock.advance(100)
  assert.deepEqual(changed.runs, [])
  const [item] = (await changed.parley.inbox()).items
  assert.ok(item && item.question.id !== question)
  assert.equal(item.question.approval?.isChanged, true)
  await changed.decide(item.question.id, 'once', mia)
  assert.deepEqual(changed.runs, ['rent'])
})

test('attack 20: a changed definition ends standing permissions', async () => {
  await using here = gateScene()
  const { question } = await here.openApproval('rent', mia)
  await here.decide(question, 'always', mia)
  await using changed = await here.restart({ description: 'Pays twice.' })
  await changed.openApproval('rent', mia)
  assert.deepEqual(changed.runs, ['rent'])
  await changed.clock.advance(100)
  assert.equal((await changed.parley.grants.list())[0]?.end?.why, 'changed')
})

test('attack 21: a file that changed after the approval is asked again', async () => {
  let hash = 'before'
  const gate: Tool['gate'] = { kind: 'code', bound: () => ({ 'a.txt': hash }) }
  await using here = gateScene({ gate })
  const { question } = await here.openApproval('rent', mia)
  hash = 'after'
  await here.decide(question, 'once', mia)
  assert.deepEqual(here.runs, [])
  assert.equal((await here.parley.inbox()).items[0]?.question.approval?.isChanged, true)
})

test('gate: a grant settles open approvals of the same agent that it covers, and no others', async () => {
  await using here = gateScene()
  const first = await here.openApproval('rent', mia)
  const second = await here.parley.dialogs.open({ text: 'rent' }, mia)
  await here.open('rent', eve)
  assert.equal((await here.parley.inbox()).count, 3)
  await here.parley.questions.answer(first.question, { decision: 'always' }, mia)
  await here.clock.advance(200)
  assert.deepEqual(here.runs, ['rent', 'rent'])
  assert.equal(await here.readPreview(second.id), 'paid')
  const [left, ...more] = (await here.parley.inbox()).items
  assert.equal(left?.question.approval?.requesters[0]?.name, 'eve')
  assert.equal(more.length, 0)
})

test('gate: a new rule settles what waits, whether it allows or denies', async () => {
  let policy = peopleOnly
  await using here = gateScene({ policy: () => policy })
  const allowed = await here.openApproval('rent', mia)
  policy = makePolicy({ people: samplePolicy.people, policy: { rules: [{ allow: 'tool(pay)' }] } })
  here.parley.policyChanged()
  await here.clock.advance(200)
  assert.deepEqual(here.runs, ['rent'])
  assert.equal((await here.parley.questions.get(allowed.question)).closed?.why, 'covered')
  policy = peopleOnly
  const denied = await here.openApproval('gift', mia)
  policy = makePolicy({ people: samplePolicy.people, policy: { rules: [{ deny: 'tool(pay)' }] } })
  here.parley.policyChanged()
  await here.clock.advance(200)
  assert.deepEqual(here.runs, ['rent'])
  assert.match(await here.readPreview(denied.dialog), /^Not allowed here:/)
})

test('A18: a tap between a stop above and its withdrawal runs nothing, also after Continue', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('rent', mia)
  // The latch alone, as a process leaves it that dies before it has withdrawn the approvals below.
  const state = await here.parley.streams.load(dialog)
  const event = { type: 'latch.set', at: here.clock.now(), data: { by: mia.by, via: 'test' } }
  await here.store.commit([{ append: [{ stream: dialog, expect: state.seq, events: [event] }] }])
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  await here.parley.dialogs.resume(dialog, mia)
  await here.clock.advance(100)
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  assert.deepEqual(here.runs, [])
})

test('A18: the emergency stop withdraws approvals, and a tap while it holds or after it runs nothing', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('rent', mia)
  await here.parley.dialogs.stopAll(mia)
  const view = await here.parley.questions.get(question)
  assert.deepEqual([view.state, view.closed?.why], ['cancelled', 'stopped'])
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'question_closed' })
  await here.parley.dialogs.resumeAll(mia)
  await here.clock.advance(2_000)
  assert.deepEqual(here.runs, [])
  assert.match(await here.readPreview(dialog), /^Stopped by mia before it ran/)
})

test('gate: an approval withdrawn with the word of the runtime does not send its call to the gate again', async () => {
  await using here = gateScene()
  const { dialog, question } = await here.openApproval('rent', eve)
  await here.parley.questions.cancel(question, 'covered', mia)
  await here.clock.advance(100)
  const { state, closed } = await here.parley.questions.get(question)
  assert.deepEqual([state, closed?.reason, closed?.why], ['cancelled', 'covered', undefined])
  assert.equal((await here.parley.inbox()).items.length, 0, 'it is not asked again')
  assert.match(await here.readPreview(dialog), /[Ww]ithdrawn/)
})

test('A12: an operator approves what others caused, not what they caused', async () => {
  await using here = gateScene()
  const own = await here.openApproval('rent', ann)
  await assert.rejects(here.parley.questions.answer(own.question, { decision: 'once' }, ann), { code: 'not_addressed' })
  await here.decide(own.question, 'once', mia)
  const other = await here.openApproval('gift', eve)
  await here.decide(other.question, 'once', ann)
  assert.deepEqual(here.runs, ['rent', 'gift'])
})

test('attack 4: what the owner wants in a dialog with a guest asks, until the owner trusts the dialog', async () => {
  await using here = gateScene({ gate: { kind: 'code', declared: 'allow' } })
  const { dialog, question } = await here.openApproval('Eve', eve)
  await here.decide(question, 'deny', mia)
  const asked = await here.openApproval('rent', mia, dialog)
  await here.decide(asked.question, 'deny', mia)
  const upTo = await here.store.head(dialog)
  await assert.rejects(here.parley.dialogs.trust(dialog, { upTo }, ann), { code: 'owner_only' })
  await here.parley.dialogs.trust(dialog, { upTo }, mia)
  await here.parley.dialogs.say(dialog, 'rent', mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, ['rent'])
})

test('gate: a guest has at most 3 open approvals, and an approved call is not counted against it', async () => {
  await using here = gateScene()
  const opened: string[] = []
  for (const to of ['a', 'b', 'c', 'd']) opened.push((await here.parley.dialogs.open({ text: to }, eve)).id)
  await here.clock.advance(200)
  const { items } = await here.parley.inbox()
  assert.equal(items.length, 3)
  const denied = await Promise.all(opened.map((dialog) => here.readPreview(dialog)))
  assert.equal(denied.filter((text) => text === 'Not asked: 3 approvals already wait.').length, 1)
  await here.decide(items[0]?.question.id ?? '', 'once', mia)
  assert.equal(here.runs.length, 1)
})

test('gate: what a guest writes while an approval waits does not change whose call it is', async () => {
  await using here = gateScene({ gate: { kind: 'code', declared: 'ask' } })
  const { dialog, question } = await here.openApproval('rent', mia)
  await here.parley.dialogs.say(dialog, 'hello', eve)
  await here.decide(question, 'chat', mia)
  assert.deepEqual(here.runs, ['rent'])
  const [grant] = await here.parley.grants.list()
  assert.equal(grant?.role, 'owner')
})

test('A13: two keys are two people', async () => {
  await using here = gateScene({
    policy: () => makePolicy({ people: samplePolicy.people, policy: { approvers: ['bob'], rules: [{ ask: 'tool(pay)', keys: 2 }] } }),
  })
  const { question } = await here.openApproval('rent', mia)
  await here.parley.questions.answer(question, { decision: 'once' }, mia)
  await assert.rejects(here.parley.questions.answer(question, { decision: 'once' }, mia), { code: 'already_allowed' })
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  await here.decide(question, 'once', ann)
  assert.deepEqual(here.runs, ['rent'])
})

test('gate: after the third approval of a kind that the preset "workspace" covers, the card offers to switch', async () => {
  const make = { kind: 'run' as const, words: [{ value: 'make', isLiteral: true }] }
  await using here = gateScene({
    gate: {
      kind: 'run',
      isSandboxed: true,
      subjects: () => ({ subjects: [make], unsure: [] }),
      show: () => ({ kind: 'run', target: '', server: '', text: 'make', facts: [] }),
    },
  })
  const offers: unknown[] = []
  for (let count = 0; count < 4; count += 1) {
    const { question } = await here.openApproval('build', mia)
    offers.push((await here.parley.questions.get(question)).approval?.offersWorkspace)
    await here.decide(question, 'once', mia)
  }
  assert.deepEqual(offers, [undefined, undefined, undefined, true])
})

test('gate: of two approvals of a turn the first one decided runs at once, and the agent goes on after the second', async () => {
  let generations = 0
  await using here = gateScene({
    async *generate(input) {
      generations += 1
      if (input.context.at(-1)?.kind === 'human') for (const to of ['a', 'b']) yield { type: 'call', call: to, name: 'pay', input: { to } }
      else yield { type: 'text', text: 'both done' }
    },
  })
  const id = await here.open('go', mia)
  const [first, second] = (await here.parley.inbox()).items.map(({ question }) => question)
  assert.equal(first?.approval?.turn, second?.approval?.turn)
  await here.decide(first?.id ?? '', 'once', mia)
  assert.deepEqual([here.runs.length, generations], [1, 1])
  assert.equal((await here.parley.dialogs.get(id)).status, 'waiting')
  await here.decide(second?.id ?? '', 'deny', mia)
  assert.deepEqual([here.runs.length, generations], [1, 2])
  assert.equal(await here.readPreview(id), 'both done')
})

test('gate: a call that is approved while another one runs is run before the agent goes on', async () => {
  const paid: string[] = []
  const getOpen = async (): Promise<string> => (await here.parley.inbox()).items[0]?.question.id ?? ''
  await using here = gateScene({
    async *generate(input) {
      const calls = input.context.filter((item) => item.kind === 'call')
      if (calls.length === 0) for (const to of ['a', 'b']) yield { type: 'call', call: to, name: 'pay', input: { to } }
      else yield { type: 'text', text: calls.map(({ result }) => String(result?.output)).join(' ') }
    },
    async run(input) {
      // The other decision arrives before this call has a result.
      if (paid.push((input as { to: string }).to) === 1) await here.parley.questions.answer(await getOpen(), { decision: 'once' }, mia)
      return 'paid'
    },
  })
  const id = await here.open('go', mia)
  await here.decide(await getOpen(), 'once', mia)
  assert.deepEqual(paid.toSorted(), ['a', 'b'])
  assert.equal(await here.readPreview(id), 'paid paid')
})

test('gate: the agent reads the call and its outcome, never the approval as a question of its own', async () => {
  const seen: GenerationInput[] = []
  await using here = gateScene({
    async *generate(input) {
      seen.push(input)
      yield* callsOnce(input)
    },
  })
  const { dialog, question } = await here.openApproval('rent', mia)
  await here.decide(question, 'once', mia)
  assert.equal(await here.readPreview(dialog), 'paid')
  assert.deepEqual(
    seen.map(({ context }) => context.map((item) => item.kind)),
    [['human'], ['human', 'call']],
  )
})

test('attack 20: a grant with an edited scope is still bound to the script that was looked at', async () => {
  let hash = 'first'
  const python = { kind: 'run' as const, words: ['python3', 'x.py'].map((value) => ({ value, isLiteral: true })) }
  await using here = gateScene({
    gate: { kind: 'run', subjects: () => ({ subjects: [python], unsure: [] }), bound: () => ({ 'x.py': hash }) },
  })
  const { question } = await here.openApproval('go', mia)
  await here.parley.questions.answer(question, { decision: 'always', scope: 'run(python3 x.py)' }, mia)
  await here.clock.advance(100)
  await here.open('go', mia)
  assert.equal(here.runs.length, 2)
  hash = 'changed'
  await here.openApproval('go', mia)
  assert.equal(here.runs.length, 2)
})

test('A2: when a tool runs, the decision about its call is in the store', async () => {
  const decisions: unknown[] = []
  const run: Tool['run'] = async (_input, { dialog, call }) => {
    const events = await here.store.read(dialog, 0, 100)
    const readData = (wanted: string): { call?: string; gate?: { decision: string }; decision?: string } =>
      events.find(({ type }) => type === wanted)?.data ?? {}
    assert.equal(readData('tool.called').call, call)
    decisions.push([readData('tool.called').gate?.decision, readData('question.answered').decision])
    return 'paid'
  }
  let here = gateScene({ run, gate: { kind: 'code', declared: 'allow' } })
  await here.open('rent', mia)
  await here.end()
  here = gateScene({ run })
  const { question } = await here.openApproval('rent', mia)
  assert.deepEqual(decisions, [['allow', undefined]])
  await here.decide(question, 'once', mia)
  assert.deepEqual(decisions, [
    ['allow', undefined],
    ['ask', 'once'],
  ])
  await here.end()
})

test('A11: an approved tool gets exactly the input that was shown', async () => {
  const inputs: unknown[] = []
  await using here = gateScene({ run: async (input) => void inputs.push(input) })
  const text = 'rent \u202E"\\ 世 🏠'
  const { question } = await here.openApproval(text, mia)
  const shown = (await here.parley.questions.get(question)).approval?.shown.text ?? ''
  assert.ok(shown.includes('⟨U+202E⟩'), 'a character that turns text around is written out')
  await here.decide(question, 'once', mia)
  assert.deepEqual(inputs, [{ to: text }])
  assert.deepEqual(JSON.parse(shown.replaceAll('⟨U+202E⟩', '\u202E')), inputs[0])
})

test('A11: an approval holds for the same input, tool and files only', async () => {
  const files = { 'a.sh': 'hash-1' }
  const pay: Tool = { ...payTool, gate: { kind: 'code', bound: () => ({ ...files }) } }
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
  const options = [
    { value: 'once', label: 'Allow once' },
    { value: 'always', label: 'Always allow' },
  ]
  await using here = gateScene({
    async *generate({ context }) {
      const last = context.at(-1)
      if (last?.kind === 'human')
        yield { type: 'question', ask: { text: 'May I pay?', items: [{ id: 'decision', text: '', kind: 'choice', options }] } }
      else if (last?.kind === 'question') yield { type: 'call', call: 'c', name: 'pay', input: {} }
      else yield { type: 'text', text: 'done' }
    },
  })
  const id = await here.open('rent', mia)
  const [question] = (await here.parley.dialogs.get(id)).questions
  assert.equal(question?.approval, undefined)
  await here.parley.questions.answer(question?.id ?? '', { answers: { decision: 'always' } }, mia)
  await here.clock.advance(100)
  assert.deepEqual(here.runs, [])
  assert.equal((await here.parley.dialogs.get(id)).questions.find(({ state }) => state === 'open')?.approval?.tool, 'pay')
  assert.deepEqual(await here.parley.grants.list(), [])
})
