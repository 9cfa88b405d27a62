import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Spent } from '../rules/dialog-events.ts'
import { ParleyError } from '../../errors.ts'
import type { Agent, AgentOutput, GenerationInput, Spending, Team } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { openParley, type OpenParley } from '../../app/library.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { computeCost, hear, nothingHeard } from './generation-cost.ts'

const you: Caller = { by: { kind: 'human', name: 'Mia' }, via: 'test' }

const bounded: Spending = { budgets: { dialog: { tokens: 60_000 } }, maxOutputTokens: 1_000, promptOverheadTokens: 2_000 }

function teamWith(generate: Agent['runtime']['generate'], spending: Spending | undefined): Team {
  const names = ['ada', 'bob']
  return {
    default: 'ada',
    agent: (name) => (names.includes(name) ? { name, runtime: { generate }, tools: [], spending } : undefined),
    list: () => names.map((name) => ({ name, about: '' })),
  }
}

type Scene = { parley: OpenParley; store: Store; clock: SimulatedClock; restart(): Promise<void>; kill(): Promise<void> }

async function withModel(
  generate: Agent['runtime']['generate'],
  spending: Spending | undefined,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const team = teamWith(generate, spending)
  const open = (): Pick<Scene, 'store' | 'parley'> => {
    const store = memoryStore({ clock, backing })
    return { store, parley: openParley({ store, team, clock }) }
  }
  const scene: Scene = {
    ...open(),
    clock,
    async kill() {
      await scene.store.close()
      await scene.parley.close(0).catch(() => {})
    },
    async restart() {
      Object.assign(scene, open())
      await clock.advance(1_100)
    },
  }
  try {
    await play(scene)
  } finally {
    await scene.parley.close(0).catch(() => {})
    await scene.store.close()
  }
}

async function spentIn(store: Store, dialog: string, type: string): Promise<(Spent | undefined)[]> {
  const events = (await store.read(dialog, 0, 500)).filter((event) => event.type === type)
  return events.map(({ data }) => (data as { spent?: Spent }).spent)
}

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }))

test('a failed generation counts the last usage that was heard', async () => {
  await withModel(
    async function* () {
      yield { type: 'usage', model: 'm', usage: { inputTokens: 100, outputTokens: 20 } }
      throw new ParleyError('model_garbled', { why: 'x' })
    },
    bounded,
    async ({ parley, store, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      await clock.advance(100)
      assert.deepEqual(await spentIn(store, id, 'turn.failed'), [{ tokens: 120, money: 0 }])
      assert.equal((await parley.dialogs.get(id)).spent.tokens, 120)
    },
  )
})

test('a failed generation without usage counts its whole allowance, also when it is retried', async () => {
  const allowed: number[] = []
  await withModel(
    async function* ({ allowance }) {
      allowed.push((allowance?.inputTokens ?? 0) + (allowance?.outputTokens ?? 0))
      yield { type: 'delta', text: 'Half' }
      throw new ParleyError('model_garbled', { why: 'x' }, { retryable: allowed.length === 1 })
    },
    bounded,
    async ({ parley, store, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      await clock.advance(5_000)
      assert.equal(allowed.length, 2)
      assert.deepEqual(await spentIn(store, id, 'generation.failed'), [{ tokens: allowed[0], money: 0 }])
      assert.deepEqual(await spentIn(store, id, 'turn.failed'), [{ tokens: allowed[1], money: 0 }])
      assert.equal(
        (await parley.dialogs.get(id)).spent.tokens,
        allowed.reduce((sum, tokens) => sum + tokens, 0),
      )
    },
  )
})

test('a request the model refused before it accepted it costs nothing', async () => {
  let tries = 0
  await withModel(
    // oxlint-disable-next-line require-yield
    async function* () {
      tries += 1
      throw new ParleyError('model_rate_limited', {}, { retryable: true, isUnmetered: true })
    },
    bounded,
    async ({ parley, store, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      await clock.advance(120_000)
      assert.equal(tries, 6)
      assert.deepEqual(
        await spentIn(store, id, 'generation.failed'),
        Array.from({ length: 5 }, () => undefined),
      )
      assert.equal((await parley.dialogs.get(id)).spent.tokens, 0)
      assert.equal((await parley.dialogs.get(id)).failure?.code, 'model_rate_limited')
    },
  )
})

test('a stopped generation counts its cost in turn.stopped', async () => {
  await withModel(
    async function* (_input, signal) {
      yield { type: 'delta', text: 'Well' }
      await never(signal)
    },
    bounded,
    async ({ parley, store, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      await clock.advance(100)
      await parley.dialogs.stop(id, you)
      await clock.advance(100)
      const [spent] = await spentIn(store, id, 'turn.stopped')
      assert.ok((spent?.tokens ?? 0) > 3_000)
      assert.deepEqual((await parley.dialogs.get(id)).spent, spent)
    },
  )
})

test('without a budget a cut generation counts an estimate of its prompt and the bytes that it wrote', async () => {
  await withModel(
    async function* (_input, signal) {
      yield { type: 'delta', text: 'x'.repeat(500) }
      await never(signal)
    },
    { budgets: {}, maxOutputTokens: 4_096, promptOverheadTokens: 2_000 },
    async ({ parley, store, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      await clock.advance(100)
      await parley.dialogs.stop(id, you)
      await clock.advance(100)
      const tokens = (await spentIn(store, id, 'turn.stopped'))[0]?.tokens ?? 0
      assert.ok(tokens > 2_500 && tokens < 4_000, `${tokens}`)
    },
  )
})

test('a generation cut by a shutdown is counted, and the turn runs again without a failure', async () => {
  let runs = 0
  await withModel(
    async function* (_input, signal) {
      runs += 1
      if (runs === 1) await never(signal)
      yield { type: 'text', text: 'done' }
      yield { type: 'usage', model: 'm', usage: { inputTokens: 5, outputTokens: 1 } }
    },
    bounded,
    async (scene) => {
      const { id } = await scene.parley.dialogs.open({ text: 'hi' }, you)
      await scene.clock.advance(100)
      await scene.parley.close(1_000)
      const [lost] = await spentIn(scene.store, id, 'turn.cut')
      assert.ok((lost?.tokens ?? 0) > 3_000)
      await scene.store.close()
      await scene.restart()
      const detail = await scene.parley.dialogs.get(id)
      assert.deepEqual([detail.preview, detail.failure, detail.spent.tokens], ['done', null, (lost?.tokens ?? 0) + 6])
    },
  )
})

test('a generation lost in a crash is counted as its worst case before the turn runs again', async () => {
  let runs = 0
  await withModel(
    async function* (_input, signal) {
      runs += 1
      if (runs === 1) await never(signal)
      yield { type: 'text', text: 'done' }
      yield { type: 'usage', model: 'm', usage: { inputTokens: 5, outputTokens: 1 } }
    },
    bounded,
    async (scene) => {
      const { id } = await scene.parley.dialogs.open({ text: 'hi' }, you)
      await scene.clock.advance(100)
      await scene.kill()
      await scene.restart()
      const [lost] = await spentIn(scene.store, id, 'turn.cut')
      assert.ok((lost?.tokens ?? 0) > 3_000)
      assert.equal((await scene.parley.dialogs.get(id)).spent.tokens, (lost?.tokens ?? 0) + 6)
    },
  )
})

/** Asks bob, who never ends by himself and ignores his abort signal. */
async function* asksBob({ agent, context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const input = { targetAgentId: 'bob', tellaskContent: 'go' }
  if (agent === 'ada' && context.at(-1)?.kind === 'human') return yield { type: 'call', call: 'c', name: 'tellaskSessionless', input }
  if (agent === 'ada') return yield { type: 'text', text: 'done' }
  yield { type: 'delta', text: 'Well' }
  await new Promise(() => {})
}

/** Opens a dialog whose side dialog runs a generation; the id of the side dialog. */
async function sideAtWork({ parley, clock }: Scene): Promise<string> {
  const { id } = await parley.dialogs.open({ text: 'hi' }, you)
  await clock.advance(100)
  const side = (await parley.dialogs.tree(id)).find(({ origin }) => origin)?.id ?? assert.fail('bob was not asked')
  assert.equal(parley.driver.runningTurns, 1)
  return side
}

test('a crash right after a dialog was given up loses no cost', async () => {
  await withModel(asksBob, bounded, async (scene) => {
    const side = await sideAtWork(scene)
    await scene.parley.dialogs.declareDead(side, undefined, you)
    await scene.kill()
    await scene.restart()
    const [lost, ...more] = await spentIn(scene.store, side, 'turn.cut')
    assert.ok((lost?.tokens ?? 0) > 3_000)
    assert.deepEqual(more, [], 'counted once')
    assert.equal(await scene.store.row('running', `turn/${side}`), null)
    assert.equal(await scene.store.nextDue('turn'), null)
  })
})

for (const isStopped of [false, true]) {
  test(`a generation is counted when its dialog is given up${isStopped ? ' while it is being stopped' : ''}`, async () => {
    await withModel(asksBob, bounded, async (scene) => {
      const side = await sideAtWork(scene)
      if (isStopped) await scene.parley.dialogs.stop(side, you)
      await scene.parley.dialogs.declareDead(side, undefined, you)
      await scene.clock.advance(11_000)
      const [spent, ...more] = await spentIn(scene.store, side, 'turn.cut')
      assert.ok((spent?.tokens ?? 0) > 3_000)
      assert.deepEqual(more, [], 'counted once')
      assert.equal(await scene.store.nextDue('turn'), null)
    })
  })
}

test('eighteen generations that fail after the model has worked do not pass the budget', async () => {
  let metered = 0
  await withModel(
    async function* ({ allowance }) {
      metered += allowance?.outputTokens ?? 0
      yield { type: 'delta', text: 'no' }
      throw new ParleyError('model_overloaded', { status: 500 })
    },
    { budgets: { dialog: { tokens: 20_000 } }, maxOutputTokens: 1_000, promptOverheadTokens: 2_000 },
    async ({ parley, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      for (let round = 0; round < 18; round += 1) {
        await clock.advance(100)
        if ((await parley.dialogs.get(id)).status === 'failed') await parley.dialogs.resume(id, you)
      }
      await clock.advance(100)
      const { spent, questions } = await parley.dialogs.get(id)
      assert.match(questions.at(-1)?.ask.text ?? '', /^The budget of this dialog does not cover/)
      assert.ok(spent.tokens <= 20_000 && spent.tokens >= metered, `${spent.tokens} counted, ${metered} metered`)
      assert.ok(metered <= 6_000)
    },
  )
})

test('a model that declares itself finished without usage is counted too', () => {
  const heard = nothingHeard()
  hear(heard, { type: 'delta', text: 'four' })
  hear(heard, { type: 'text', text: 'four' })
  heard.isFinished = true
  const spending: Spending = { budgets: {}, maxOutputTokens: 10, promptOverheadTokens: 0 }
  assert.equal(computeCost(heard, { allowance: null, worst: { inputTokens: 7, outputTokens: 10 } }, spending, false).tokens, 11)
  assert.equal(computeCost(heard, { allowance: null, worst: null }, undefined, false).tokens, 0, 'an agent that is not a model')
})

/** One generation of a simulated provider that meters what it does, whether or not anyone hears of it. */
type Step = { input: number; output: number; usage: 'none' | 'early' | 'final'; end: 'finish' | 'fail' | 'refuse' | 'stop' | 'kill' }

const step: fc.Arbitrary<Step> = fc.record({
  input: fc.integer({ min: 1, max: 1_500 }),
  output: fc.integer({ min: 0, max: 1_000 }),
  usage: fc.constantFrom('none', 'early', 'final'),
  end: fc.constantFrom('finish', 'fail', 'refuse', 'stop', 'kill'),
})

test('for any sequence of failures, cuts and crashes the log counts at least what the model metered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.constantFrom(12_000, 30_000, null), async (steps, budget) => {
      let metered = 0
      let next = 0
      let onHang: (how: 'stop' | 'kill') => unknown = () => null
      async function* simulatedModel({ allowance }: GenerationInput, signal: AbortSignal): AsyncGenerator<AgentOutput> {
        const { input: wanted, output, usage, end } = steps[next] ?? { input: 1, output: 0, usage: 'final', end: 'finish' }
        const input = Math.min(wanted, allowance?.inputTokens ?? 1)
        next += 1
        if (end === 'refuse') throw new ParleyError('model_rate_limited', {}, { isUnmetered: true })
        const half = Math.floor(output / 2)
        metered += input
        const report = (count: number): AgentOutput => ({
          type: 'usage',
          model: 'm',
          usage: { inputTokens: input, outputTokens: count },
        })
        // The worst tokenizer there is: every byte is a token.
        metered += half
        if (half > 0) yield { type: 'delta', text: 'a'.repeat(half) }
        if (usage === 'early') yield report(half)
        metered += output - half
        if (output > half) yield { type: 'delta', text: 'b'.repeat(output - half) }
        if (usage === 'final') yield report(output)
        if (end === 'fail') throw new ParleyError('model_garbled', { why: 'x' })
        if (end === 'finish') return void (yield { type: 'text', text: 'ok' }, yield report(output))
        onHang(end)
        await never(signal)
      }
      const spending: Spending = {
        budgets: budget === null ? {} : { dialog: { tokens: budget } },
        maxOutputTokens: 1_000,
        promptOverheadTokens: 2_000,
      }
      await withModel(simulatedModel, spending, async (scene) => {
        const { id } = await scene.parley.dialogs.open({ text: 'hi' }, you)
        const hung: ('stop' | 'kill')[] = []
        onHang = (how) => hung.push(how)
        for (let rounds = 0; rounds < 3 * steps.length + 3; rounds += 1) {
          await scene.clock.advance(200)
          const how = hung.shift()
          if (how === 'stop') await scene.parley.dialogs.stop(id, you)
          if (how === 'kill') {
            await scene.kill()
            await scene.restart()
          }
          await scene.clock.advance(200)
          const { status } = await scene.parley.dialogs.get(id)
          if (next >= steps.length || status === 'working') continue
          if (status === 'waiting') break
          if (status === 'ready') await scene.parley.dialogs.say(id, 'more', you)
          else await scene.parley.dialogs.resume(id, you)
        }
        const { spent } = await scene.parley.dialogs.get(id)
        assert.ok(spent.tokens >= metered, `${spent.tokens} counted, ${metered} metered`)
        if (budget !== null) assert.ok(metered <= budget, `${metered} metered under a budget of ${budget}`)
      })
    }),
    { numRuns: 60 },
  )
})
