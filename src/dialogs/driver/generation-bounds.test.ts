import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent, Spending } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import { openParley } from '../../app/library.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { boundsFor, generationBoundLimits } from './generation-bounds.ts'

const you: Caller = { by: { kind: 'human', name: 'Mia' }, via: 'test' }

async function getOutcome(runtime: Agent['runtime'], spending?: Spending, passMs = 1_000) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const agent: Agent = { name: 'ada', runtime, tools: [], spending }
  const team = { default: 'ada', agent: () => agent, list: () => [{ name: 'ada', about: '' }] }
  const parley = openParley({ store, team, clock })
  const { id } = await parley.dialogs.open({ text: 'hi' }, you)
  await clock.advance(passMs)
  const { status, failure, spent } = await parley.dialogs.get(id)
  await parley.close(0)
  await store.close()
  return { status, code: failure?.code ?? null, retryAt: failure?.retryAt ?? null, spent: spent.tokens }
}

const free: Spending = { budgets: {}, maxOutputTokens: 4_096, promptOverheadTokens: 0 }

test('thinking beyond 64,000 tokens ends the generation, which is counted', async () => {
  const outcome = await getOutcome(
    {
      async *generate() {
        for (;;) yield { type: 'thinking', text: 'hmm '.repeat(1_000) }
      },
    },
    free,
  )
  assert.deepEqual([outcome.status, outcome.code, outcome.retryAt], ['failed', 'thinking_too_long', null])
  assert.ok(outcome.spent > 256_000, `${outcome.spent}`)
})

test('the provider’s own count of thinking is used where it comes before the end', async () => {
  const { code } = await getOutcome({
    async *generate() {
      yield { type: 'usage', model: 'm', usage: { inputTokens: 1, outputTokens: 1 }, thinkingTokens: 64_001 }
      yield { type: 'delta', text: 'more' }
    },
  })
  assert.equal(code, 'thinking_too_long')
})

test('a reply that is already complete is not thrown away for what it took', async () => {
  const { status } = await getOutcome({
    async *generate() {
      yield { type: 'delta', text: 'done' }
      yield { type: 'usage', model: 'm', usage: { inputTokens: 1, outputTokens: 70_001 }, thinkingTokens: 70_000 }
    },
  })
  assert.equal(status, 'ready')
})

test('thinking within the bound is let through, whatever the script', async () => {
  const { status } = await getOutcome({
    async *generate() {
      for (let piece = 0; piece < 60; piece += 1) yield { type: 'thinking', text: '想'.repeat(1_000) }
      yield { type: 'text', text: 'ok' }
    },
  })
  assert.equal(status, 'ready')
})

test('a generation of more than 15 minutes is ended, also when its runtime ignores the signal', async () => {
  const obedient = await getOutcome(
    {
      async *generate(_input, signal) {
        yield { type: 'delta', text: 'w' }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      },
    },
    free,
    15 * 60_000 + 500,
  )
  assert.deepEqual([obedient.status, obedient.code], ['failed', 'generation_too_long'])
  const deaf = await getOutcome(
    {
      async *generate() {
        yield { type: 'delta', text: 'w' }
        await new Promise(() => {})
      },
    },
    free,
    15 * 60_000 + 10_500,
  )
  assert.deepEqual([deaf.status, deaf.code], ['failed', 'generation_too_long'])
})

test('output of more than twice the requested bound ends the generation', async () => {
  const writes = (tokens: number): Agent['runtime'] => ({
    async *generate() {
      for (let written = 0; written < tokens; written += 100) yield { type: 'delta', text: 'word'.repeat(100) }
    },
  })
  const bounded = { ...free, requestedOutputTokens: 1_000 }
  assert.equal((await getOutcome(writes(2_000), bounded)).status, 'ready')
  assert.equal((await getOutcome(writes(2_100), bounded)).code, 'output_too_long')
  assert.equal((await getOutcome(writes(20_000), free)).status, 'ready', 'no bound was requested')
})

test('the requested bound is that of the budget, of the model, or of fresh-boots reasoning', () => {
  const agent = (spending: Spending, timeoutMs?: number): Agent => ({
    name: 'ada',
    tools: [],
    spending,
    runtime: { async *generate() {}, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  })
  const spending = { ...free, requestedOutputTokens: 2_000, reasoningOutputTokens: 8_000 }
  const allowance = { inputTokens: 1, outputTokens: 500 }
  assert.equal(boundsFor(agent(free), {}, false, generationBoundLimits).requestedTokens, null)
  assert.equal(boundsFor(agent(spending), {}, false, generationBoundLimits).requestedTokens, 2_000)
  assert.equal(boundsFor(agent(spending), {}, true, generationBoundLimits).requestedTokens, 8_000)
  assert.equal(boundsFor(agent(spending), { allowance }, true, generationBoundLimits).requestedTokens, 500)
  assert.equal(boundsFor(agent(free), {}, false, generationBoundLimits).timeMs, 900_000)
  assert.equal(boundsFor(agent(free), {}, false, { ...generationBoundLimits, generationSeconds: 4 }).timeMs, 4_000, 'however short')
  assert.ok(boundsFor(agent(free, 3_600_000), {}, false, generationBoundLimits).timeMs > 3_600_000, 'a program keeps its own time limit')
})
