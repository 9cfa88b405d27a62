import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configSchema } from '../../app/config/schema.ts'
import { learnedModels } from './learned-models.ts'
import { modelProblems } from './model-problems.ts'

const settings = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'homemade' }
const configured = (more: object = {}) => {
  const [model] = Object.values(configSchema.parse({ models: { only: { ...settings, ...more } } }).models)
  assert.ok(model)
  return model
}

test('modelProblems: an unknown window, a silent cut, refused reasoning and refused images, each with the setting that helps', () => {
  const learned = learnedModels()
  const read = (more: object = {}): string[] => modelProblems(configured(more), learned)
  assert.match(read().join(), /window of homemade is unknown; 32768 tokens are assumed\. Set contextLength/)
  assert.deepEqual(read({ contextLength: 8_192 }), [])
  learned.learn(settings.baseUrl, 'homemade', { windowTokens: 4_096, isCut: true })
  assert.match(read().join(), /cut a prompt at 4096 tokens without an error/)
  assert.deepEqual(read({ contextLength: 4_096 }), [])
  learned.learn(settings.baseUrl, 'homemade', { change: { kind: 'no-reasoning-effort' } })
  learned.learn(settings.baseUrl, 'homemade', { change: { kind: 'no-images' } })
  assert.equal(read({ contextLength: 4_096 }).length, 1)
  assert.match(read({ contextLength: 4_096, images: true }).join(), /without reasoning.*Set images: false/)
})
