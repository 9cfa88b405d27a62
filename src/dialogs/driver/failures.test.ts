import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParley, type OpenParley } from '../../app/library.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput, Team } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import { foldViews } from '../../app/stream-kinds.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'

const owner: Caller = { by: { kind: 'human', name: 'Mia', id: 'person:owner', role: 'owner' }, via: 'test' }

type Brain = (input: GenerationInput) => Generator<AgentOutput>

const ask = (tool: string, more: object = {}): AgentOutput => ({
  type: 'call',
  call: 'c1',
  name: tool,
  input: { tellaskContent: 'find it', ...more },
})

/** Says what its call returned, or makes it. */
const asker = (call: AgentOutput): Brain =>
  function* ({ context }) {
    const last = context.at(-1)
    if (last?.kind === 'call' && last.result) yield { type: 'text', text: String(last.result.output) }
    else yield call
  }

const asksBob = asker(ask('tellask', { targetAgentId: 'bob', sessionSlug: 'facts' }))

function teamWith(brains: Record<string, Brain>): Team {
  return {
    default: 'ada',
    list: () => Object.keys(brains).map((name) => ({ name, about: '' })),
    agent(name) {
      const brain = brains[name]
      const generate = async function* (input: GenerationInput): AsyncGenerator<AgentOutput> {
        yield* brain?.(input) ?? []
      }
      return brain && { name, tools: [], runtime: { generate } }
    },
  }
}

type Scene = { parley: OpenParley; clock: SimulatedClock; root: string; side(): Promise<string>; said(): Promise<string> }

async function withTeam(brains: Record<string, Brain>, play: (scene: Scene) => Promise<void>): Promise<void> {
  const clock = simulatedClock()
  const store = memoryStore({ clock, backing: memoryBacking() })
  const parley = openParley({ store, team: teamWith(brains), clock, failedReplyAfterMinutes: 30 })
  try {
    const { id: root } = await parley.dialogs.open({ text: 'go' }, owner)
    await clock.advance(1_000)
    const side = async (): Promise<string> =>
      (await parley.dialogs.tree(root)).find(({ origin }) => origin)?.id ?? assert.fail('no side dialog')
    await play({ parley, clock, root, side, said: async () => (await parley.dialogs.get(root)).preview })
    for (const [key, row] of await foldViews(store)) assert.deepEqual(await store.row(row.view, row.key), row, key)
  } finally {
    await parley.close()
    await store.close()
  }
}

const overloaded: Brain = function* () {
  yield { type: 'delta', text: 'a' }
  throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true, retryAfterMs: 3_600_000 })
}

const refused: Brain = function* () {
  yield { type: 'delta', text: 'a' }
  throw new ParleyError('model_refused', { status: 400, why: 'bad request' })
}

test('a failed side dialog is in the inbox, in the list of failed ones, and its asker is told after 30 minutes', async () => {
  await withTeam({ ada: asksBob, bob: overloaded }, async ({ parley, clock, root, side, said }) => {
    const dialog = await side()
    const { items, count } = await parley.dialogs.failures()
    assert.equal(count, 1)
    const [failure] = items
    assert.deepEqual(
      [failure?.dialog, failure?.root, failure?.error.code, failure?.canRetry, failure?.isTold],
      [dialog, root, 'model_overloaded', true, false],
    )
    assert.deepEqual(
      (await parley.dialogs.list({ status: 'failed' })).items.map(({ id }) => id),
      [dialog],
    )
    await clock.advance(29 * 60_000)
    assert.equal((await parley.dialogs.get(root)).status, 'delegated')
    await clock.advance(2 * 60_000)
    assert.match(await said(), /^【失败】 @bob could not finish: .+\. No success for 30 min\.$/)
    const [later] = (await parley.dialogs.failures()).items
    assert.deepEqual([later?.canRetry, later?.isTold], [false, true])
    await parley.dialogs.declareDead(dialog, undefined, owner)
    assert.equal((await parley.dialogs.failures()).count, 0)
  })
})

test('Give up tells the asker at once, and the side dialog takes another request', async () => {
  let isWell = false
  const bob: Brain = function* (input) {
    if (!isWell) yield* overloaded(input)
    yield { type: 'text', text: 'found' }
  }
  const ada: Brain = function* (input) {
    if (input.context.at(-1)?.kind === 'human')
      yield { ...ask('tellask', { targetAgentId: 'bob', sessionSlug: 'facts' }), call: `c${input.turn}` } as AgentOutput
    else yield* asksBob(input)
  }
  await withTeam({ ada, bob }, async ({ parley, clock, root, side, said }) => {
    const dialog = await side()
    await parley.dialogs.declareDead(dialog, undefined, owner)
    await clock.advance(1_000)
    assert.match(await said(), /@bob could not finish: .+\. A person gave up on it\.$/)
    assert.equal((await parley.dialogs.failures()).count, 0)
    isWell = true
    await parley.dialogs.say(root, 'again', owner)
    await clock.advance(1_000)
    assert.match(await said(), /found/)
    assert.equal((await parley.dialogs.tree(root)).length, 2, 'the same side dialog was asked')
  })
})

test('Retry before the time is over gives the asker the real reply alone', async () => {
  let tries = 0
  const bob: Brain = function* (input) {
    if ((tries += 1) === 1) yield* overloaded(input)
    yield { type: 'text', text: 'found' }
  }
  await withTeam({ ada: asksBob, bob }, async ({ parley, clock, side, said }) => {
    await parley.dialogs.resume(await side(), owner)
    await clock.advance(1_000)
    assert.match(await said(), /found/)
    await clock.advance(40 * 60_000)
    assert.match(await said(), /found/)
    assert.equal((await parley.dialogs.failures()).count, 0)
  })
})

test('a failure that cannot be retried is told at once and stays in the inbox', async () => {
  await withTeam({ ada: asksBob, bob: refused }, async ({ parley, side, said }) => {
    assert.match(await said(), /^【失败】 @bob could not finish: .+\. It cannot be retried\.$/)
    const [failure] = (await parley.dialogs.failures()).items
    assert.deepEqual([failure?.dialog, failure?.isTold], [await side(), true])
  })
})

test('one failed fresh mind of three returns its part as failed, and the others theirs', async () => {
  let minds = 0
  const ada: Brain = function* (input) {
    if (!input.isSide) return yield* asker(ask('freshBootsReasoning'))(input)
    if ((minds += 1) === 2) yield* overloaded(input)
    yield { type: 'text', text: 'Yes' }
  }
  await withTeam({ ada }, async ({ said, parley }) => {
    const parts = await said()
    assert.equal(parts.match(/Yes/g)?.length, 2, parts)
    assert.match((await parley.dialogs.failures()).items[0]?.error.code ?? '', /model_overloaded/)
  })
})

test('the failure of a root is in the inbox until it works again or a person gives up', async () => {
  await withTeam({ ada: refused }, async ({ parley, clock, root }) => {
    assert.deepEqual(
      (await parley.dialogs.failures()).items.map(({ dialog, canRetry }) => [dialog, canRetry]),
      [[root, true]],
    )
    await parley.dialogs.resume(root, owner)
    assert.equal((await parley.dialogs.failures()).count, 0)
    await clock.advance(1_000)
    assert.equal((await parley.dialogs.failures()).count, 1)
    await parley.dialogs.declareDead(root, undefined, owner)
    assert.equal((await parley.dialogs.failures()).count, 0)
    await assert.rejects(parley.dialogs.declareDead(root, undefined, owner), { code: 'root_cannot_die' })
  })
})
