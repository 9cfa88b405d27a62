import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../app/config/load.ts'
import { sampleInput } from '../testing/agent-contract.ts'
import { modelEmulator } from '../testing/model-emulator.ts'
import { computeCost } from './models/price.ts'
import { noUsage } from './models/usage.ts'
import { modelRuntime } from './runtimes/model.ts'
import { toSpending } from './spending.ts'

const yaml = (url: string, budget: string): string =>
  `models:\n  main:\n    provider: openai-compatible\n    baseUrl: ${url}\n    model: m\n    price: { inputPerMillion: 3, outputPerMillion: 15 }\nteam:\n  budget: ${budget}\n  members:\n    ada: { runtime: model }\n`

function modelAt(url: string, budget: string) {
  const { config, problems } = readConfig(yaml(url, budget), 'parley.yaml', {})
  assert.deepEqual(problems, [])
  const { main } = config.models
  assert.ok(main)
  return { config, model: main }
}

test('a budget in parley.yaml bounds every reply and knows the price', () => {
  const { config, model } = modelAt('http://127.0.0.1:9/v1', '{ tokens: 500000, money: 2.5 }')
  const { worstCost, ...rest } = toSpending({ dialog: config.team.budget }, model)
  assert.equal(worstCost?.({ inputTokens: 1_000_000, outputTokens: 100_000 }), 4.5)
  assert.deepEqual(rest, {
    budgets: { dialog: { tokens: 500_000, money: 2.5 } },
    price: { inputPerMillion: 3, outputPerMillion: 15 },
    maxOutputTokens: 4_096,
    promptOverheadTokens: 8_000,
  })
  assert.deepEqual(toSpending({}, model).budgets, {}, 'a price alone counts what is spent and bounds nothing')
  const { price: _, ...free } = model
  assert.deepEqual(toSpending({}, free), { budgets: {}, maxOutputTokens: 4_096, promptOverheadTokens: 8_000 })
})

test('under a budget the reply is bounded by what was reserved', async () => {
  const emulator = await modelEmulator()
  try {
    const { model } = modelAt(emulator.url, '{ tokens: 1000 }')
    const runtime = modelRuntime({ model, member: {} })
    const run = async (allowance: { inputTokens: number; outputTokens: number }): Promise<void> => {
      for await (const _ of runtime.generate({ ...sampleInput, allowance }, AbortSignal.timeout(60_000)));
    }
    await run({ inputTokens: 10, outputTokens: 7 })
    assert.equal(emulator.requests[0]?.body['max_tokens'], 7)
  } finally {
    await emulator.close()
  }
})

test('cached and written tokens have prices of their own, and a large prompt costs a multiple', () => {
  const { model } = modelAt('http://127.0.0.1:9/v1', '{ tokens: 500000 }')
  const step = { aboveTokens: 1_500_000, factor: 2 }
  const price = { inputPerMillion: 3, cachedInputPerMillion: 0.3, cacheWritePerMillion: 3.75, outputPerMillion: 15, step }
  const usage = { inputTokens: 1_000_000, cachedTokens: 600_000, cacheWriteTokens: 200_000, outputTokens: 100_000, reasoningTokens: 50_000 }
  assert.equal(computeCost(usage, price).toFixed(4), (0.2 * 3 + 0.6 * 0.3 + 0.2 * 3.75 + 1.5).toFixed(4))
  assert.equal(computeCost({ ...noUsage, inputTokens: 2_000_000, outputTokens: 0 }, price), 12)
  const { worstCost } = toSpending({}, { ...model, price })
  assert.equal(worstCost?.({ inputTokens: 2_000_000, outputTokens: 0 }), 15, 'all written to the cache, above the step')
  const dear = { price: { inputPerMillion: 100, outputPerMillion: 100 } }
  assert.equal(toSpending({}, { ...model, price }, undefined, dear).worstCost?.({ inputTokens: 1_000_000, outputTokens: 0 }), 100)
})
