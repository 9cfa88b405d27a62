import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParley, type OpenParley } from '../../app/library.ts'
import type { Agent, AgentOutput, GenerationInput, PromptSource, Spending, Team } from '../../ports/agent-runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { findNotice } from './budget.ts'

const owner: Caller = { by: { kind: 'human', name: 'Mia', id: 'person:owner', role: 'owner' }, via: 'test' }
const operator: Caller = { by: { kind: 'human', name: 'Ann', id: 'person:ann', role: 'operator' }, via: 'test' }

type Model = Agent['runtime']['generate']

/** Words, and a request for another generation. */
function* more(): Generator<AgentOutput> {
  yield { type: 'text', text: 'Going on.' }
  yield { type: 'again' }
}

const source: PromptSource = {
  maker: 'm',
  about: '',
  persona: () => '',
  answersIn: null,
  teammates: () => [{ name: 'bob', about: '' }],
  notes: () => [],
  memories: () => null,
  taskdoc: () => null,
  sections: () => [],
  window: () => ({ windowTokens: 1_000_000, inputLimitTokens: 1_000_000, maxOutputTokens: null }),
  zoneOffset: () => 0,
}

function teamWith(generate: Model, spending: Spending, names = ['ada', 'bob']): Team {
  return {
    default: 'ada',
    agent: (name) => (names.includes(name) ? { name, runtime: { generate }, tools: [], prompt: source, spending } : undefined),
    list: () => names.map((name) => ({ name, about: '' })),
  }
}

type Scene = { parley: OpenParley; other: OpenParley; store: Store; clock: SimulatedClock }

/** Two processes on one database. */
async function withModel(
  generate: Model,
  spending: Spending,
  play: (scene: Scene) => Promise<void>,
  place?: { timeZone: string; start: number },
): Promise<void> {
  const { timeZone = 'UTC', start } = place ?? {}
  const clock = simulatedClock(start)
  const backing = memoryBacking()
  const team = teamWith(generate, spending)
  const stores = [memoryStore({ clock, backing }), memoryStore({ clock, backing })] as const
  const [parley, other] = [openParley({ store: stores[0], team, clock, timeZone }), openParley({ store: stores[1], team, clock, timeZone })]
  try {
    await play({ parley, other, store: stores[0], clock })
  } finally {
    await Promise.all([parley.close(0), other.close(0)])
    await Promise.all(stores.map((store) => store.close()))
  }
}

const tokens = (limit: number): Spending => ({
  budgets: { dialog: { tokens: limit } },
  maxOutputTokens: 1_000,
  promptOverheadTokens: 2_000,
})

const used = (inputTokens: number, outputTokens: number): AgentOutput => ({
  type: 'usage',
  model: 'm',
  usage: { inputTokens, outputTokens },
})

const openQuestions = async (parley: OpenParley): Promise<QuestionView[]> => (await parley.inbox()).items.map(({ question }) => question)

const decide = (parley: OpenParley, { id }: QuestionView, decision: string, by = owner): Promise<unknown> =>
  parley.questions.answer(id, { answers: { decision } }, by)

/** Works until it is told to stop: every generation asks for another. */
const tireless = (cost: AgentOutput): Model =>
  async function* () {
    yield cost
    yield* more()
  }

async function untilIdle({ clock, parley, other }: Pick<Scene, 'clock' | 'parley' | 'other'>): Promise<void> {
  await clock.advance(10)
  for (let round = 0; round < 1_000 && parley.driver.runningTurns + other.driver.runningTurns > 0; round += 1) await clock.advance(100)
  assert.equal(parley.driver.runningTurns + other.driver.runningTurns, 0)
}

test('a spent budget asks the owner with the numbers of the tree, and work waits for the answer', async () => {
  await withModel(tireless(used(900, 100)), tokens(20_000), async (scene) => {
    const { parley } = scene
    const { id } = await parley.dialogs.open({ text: 'go' }, owner)
    await untilIdle(scene)
    const questions = await openQuestions(parley)
    const spent = questions.find(({ ask }) => /does not cover the next step/.test(ask.text)) ?? assert.fail('no question')
    assert.equal((await parley.dialogs.get(id)).status, 'waiting')
    const { tokens: total } = (await parley.dialogs.get(id)).spent
    assert.ok(total > 18_000 && total <= 20_000, `${total} spent`)
    assert.ok(spent.ask.text.includes(`${total.toLocaleString('en')} of 20,000 tokens`), spent.ask.text)
    await assert.rejects(decide(parley, spent, 'half', operator), { code: 'owner_only' })
    await decide(parley, spent, 'half')
    await untilIdle(scene)
    const raised = (await parley.dialogs.get(id)).spent.tokens
    assert.ok(raised > 27_000 && raised <= 30_000, `${raised} spent after the raise`)
  })
})

test('a notice is due from 80 % on, of the first budget that has so much, and never names more than 100 %', () => {
  const state = (key: string, spent: number) => ({
    facts: { kind: 'budget', scope: 'day', key, unit: 'tokens', limit: 100, spent } as const,
    reserved: 0,
    missing: null,
  })
  const notice = (...spent: number[]) => {
    const due = findNotice(spent.map((each, at) => state(`k${at}`, each)))
    return due && [due.facts.key, due.percent]
  }
  assert.deepEqual([notice(), notice(79), notice(80), notice(10, 90, 95), notice(130)], [null, null, ['k0', 80], ['k1', 90], ['k0', 100]])
})

test('at 80 % the owner and the agent are told once and work continues; the question of a spent budget replaces the notice', async () => {
  const read: GenerationInput[] = []
  await withModel(
    async function* (input) {
      read.push(input)
      yield used(900, 100)
      yield* more()
    },
    tokens(20_000),
    async (scene) => {
      const { id } = await scene.parley.dialogs.open({ text: 'go' }, owner)
      await untilIdle(scene)
      const events = await scene.store.read(id, 0, 500)
      const asked = events.flatMap(({ type, data }) => (type === 'question.asked' ? [(data as { ask: { text: string } }).ask.text] : []))
      assert.equal(asked.filter((words) => words.startsWith('80 % of the budget of this dialog')).length, 1)
      assert.deepEqual(
        (await openQuestions(scene.parley)).map(({ ask }) => ask.text.slice(0, 42)),
        ['The budget of this dialog does not cover t'],
      )
      const notes = read.at(-1)?.prompt?.items.flatMap((item) => (item.kind === 'note' && item.note.kind === 'budget' ? [item.note] : []))
      assert.deepEqual(notes, [{ kind: 'budget', percent: 80 }])
      assert.equal(events.filter(({ type }) => type === 'budget.noticed').length, 1)
    },
  )
})

test('"Stop here" fails the dialog, and Retry asks again', async () => {
  await withModel(tireless(used(9_000, 900)), tokens(20_000), async (scene) => {
    const { parley } = scene
    const { id } = await parley.dialogs.open({ text: 'go' }, owner)
    await untilIdle(scene)
    const [question] = (await openQuestions(parley)).filter(({ ask }) => ask.items[0]?.kind === 'choice')
    assert.ok(question)
    await decide(parley, question, 'leave')
    const { status, failure } = await parley.dialogs.get(id)
    assert.deepEqual([status, failure?.code], ['failed', 'budget_spent'])
    assert.match(failure?.message ?? '', /^The dialog budget does not allow another step: 19800 of 20000 tokens are spent\.$/)
    await parley.dialogs.resume(id, owner)
    await untilIdle(scene)
    assert.equal((await parley.dialogs.get(id)).status, 'waiting')
  })
})

test('five parallel sides in two processes use at least 90 % of a budget and not more than all of it', async () => {
  const limit = 200_000
  const model: Model = async function* (input) {
    yield used(2_900, 100)
    if (input.isSide || input.generation > 1) return yield* more()
    for (let side = 0; side < 5; side += 1)
      yield { type: 'call', call: `c${side}`, name: 'tellaskSessionless', input: { targetAgentId: 'bob', tellaskContent: 'work' } }
  }
  await withModel(model, tokens(limit), async (scene) => {
    const { id } = await scene.parley.dialogs.open({ text: 'go' }, owner)
    await untilIdle(scene)
    const tree = await scene.parley.dialogs.tree(id)
    const total = tree.reduce((sum, { spent }) => sum + spent.tokens, 0)
    assert.equal(tree.length, 6)
    assert.ok(total >= 0.9 * limit && total <= limit, `${total} of ${limit}`)
    // One question stands for all dialogs that wait at the same budget.
    const spent = (await openQuestions(scene.parley)).filter(({ ask }) => ask.text.startsWith('The budget of this dialog does not cover'))
    assert.equal(spent.length, 1)
    assert.ok(spent[0])
    await decide(scene.parley, spent[0], 'double')
    await untilIdle(scene)
    const after = (await scene.parley.dialogs.tree(id)).reduce((sum, each) => sum + each.spent.tokens, 0)
    assert.ok(after >= 0.9 * 2 * limit && after <= 2 * limit, `${after} after the raise: every side continues`)
  })
})

test('a long first prompt is estimated in tokens, and then by the count of the provider', async () => {
  const allowed: number[] = []
  await withModel(
    async function* ({ allowance, generation }) {
      allowed.push(allowance?.inputTokens ?? 0)
      yield used(15_000, 10)
      if (generation < 3) yield* more()
    },
    tokens(5_000_000),
    async (scene) => {
      await scene.parley.dialogs.open({ text: 'x'.repeat(45_000) }, owner)
      await untilIdle(scene)
      assert.equal(allowed.length, 3)
      assert.ok((allowed[0] ?? 0) > 17_000 && (allowed[0] ?? 0) < 19_000, `${allowed[0]} tokens for 45 kB`)
      assert.ok(
        allowed.slice(1).every((count) => count >= 15_000 && count < 15_100),
        allowed.join(', '),
      )
    },
  )
})

test('a budget of a day ends at midnight in the time zone of the owner', async () => {
  const spending: Spending = { ...tokens(0), budgets: { day: { tokens: 10_000 } } }
  await withModel(
    tireless(used(4_000, 500)),
    spending,
    async (scene) => {
      const { id } = await scene.parley.dialogs.open({ text: 'go' }, owner)
      await untilIdle(scene)
      const [question] = await openQuestions(scene.parley)
      assert.match(question?.ask.text ?? '', /^The budget of \d{4}-\d\d-\d\d does not cover/)
      const midnight = question?.expiresAt ?? assert.fail('it does not expire')
      const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', hour: '2-digit', minute: '2-digit' })
      assert.equal(time.format(midnight), '00:00')
      const before = (await scene.parley.dialogs.get(id)).spent.tokens
      await scene.clock.advance(midnight - scene.clock.now() + 1_000)
      await untilIdle(scene)
      assert.equal((await scene.parley.dialogs.get(id)).spent.tokens, 2 * before)
    },
    { timeZone: 'Pacific/Auckland', start: Date.UTC(2026, 0, 1, 10, 50) },
  )
})

test('budgets of an agent and of the owner count over dialogs, and the first that is spent applies', async () => {
  const spending: Spending = {
    ...tokens(0),
    budgets: { dialog: { tokens: 100_000 }, agent: { tokens: 12_000 }, owner: { tokens: 30_000 } },
  }
  await withModel(tireless(used(2_000, 500)), spending, async (scene) => {
    const { parley } = scene
    const first = await parley.dialogs.open({ text: 'go' }, owner)
    const second = await parley.dialogs.open({ text: 'go' }, owner)
    await untilIdle(scene)
    const total = async (): Promise<number> => {
      const both = await Promise.all([parley.dialogs.get(first.id), parley.dialogs.get(second.id)])
      return both.reduce((sum, { spent }) => sum + spent.tokens, 0)
    }
    assert.ok((await total()) <= 12_000)
    const spent = (await openQuestions(parley)).find(({ ask }) => ask.text.startsWith('The budget of @ada does not cover')) ?? assert.fail()
    await decide(parley, spent, 'double')
    await untilIdle(scene)
    assert.ok((await total()) > 12_000 && (await total()) <= 24_000)
  })
})

test('spending from before a budget was set counts against it', async () => {
  const spending: { -readonly [Key in keyof Spending]: Spending[Key] } = { ...tokens(0), budgets: {} }
  await withModel(
    async function* () {
      yield used(8_000, 900)
      yield { type: 'text', text: 'done' }
    },
    spending,
    async (scene) => {
      const { parley, store } = scene
      const { id } = await parley.dialogs.open({ text: 'go' }, owner)
      await untilIdle(scene)
      // As in a database from before there were sums.
      await store.commit([{ rows: [{ view: 'budget', key: `dialog ${id}`, body: null }] }])
      spending.budgets = { dialog: { tokens: 10_000 } }
      await parley.dialogs.say(id, 'more', owner)
      await untilIdle(scene)
      assert.match((await openQuestions(parley))[0]?.ask.text ?? '', /does not cover the next step: 8,900 of 10,000 tokens are spent/)
    },
  )
})
