import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../app/config/load.ts'
import { openParley } from '../app/library.ts'
import type { Agent, Team } from '../ports/agent-runtime.ts'
import type { Caller } from '../shapes/parley.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { defineAgent } from './runtimes/scripted.ts'
import { team as scriptedTeam } from './scripted-team.ts'
import { teamFrom } from './team.ts'

const yaml = (models: string): string => `models:
  small: { provider: openai-compatible, baseUrl: http://127.0.0.1:9/v1, model: s }
  large: { provider: anthropic, model: claude-l, apiKey: x }
team:
  members:
    ada: { runtime: model, model: small${models} }
`

async function teamOfYaml(t: { after(work: () => void): void }, models: string) {
  const dir = mkdtempSync(join(tmpdir(), 'parley-model-choice-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'parley.yaml')
  const demo = defineAgent({ name: 'demo', about: '', *reply() {} })
  return teamFrom(readConfig(yaml(models), file, {}).config, { file, demo })
}

test('models: an agent works with a model of its list, and with its usual one for every other name', async (t) => {
  const { team, problems, close } = await teamOfYaml(t, ', models: [large]')
  t.after(() => void close())
  assert.deepEqual(problems, [])
  const usual = team.agent('ada')
  assert.deepEqual(usual?.models, ['small', 'large'])
  const large = team.agent('ada', 'large')
  assert.notEqual(large?.runtime, usual?.runtime)
  assert.notEqual(large?.prompt?.maker, usual?.prompt?.maker)
  for (const name of ['small', 'other', '', null]) assert.equal(team.agent('ada', name)?.runtime, usual?.runtime, String(name))
})

test('models: without a list nobody chooses, and a list with an unknown model skips the agent in words', async (t) => {
  const plain = await teamOfYaml(t, '')
  const broken = await teamOfYaml(t, ', models: [huge]')
  t.after(() => void Promise.all([plain.close(), broken.close()]))
  assert.equal(plain.team.agent('ada')?.models, undefined)
  assert.equal(plain.team.agent('ada', 'large')?.runtime, plain.team.agent('ada')?.runtime)
  assert.equal(broken.team.agent('ada'), undefined)
  assert.match(broken.problems.map(({ path, why }) => `${path} ${why}`).join(), /team\.members\.ada\.models there is no model "huge"/)
})

test('chooseModel: recorded, shown and used from the next turn on; a model that is not offered is refused', async (t) => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const replying = (text: string): Agent => {
    const agent = scriptedTeam([defineAgent({ name: 'ada', about: '', *reply() { yield { type: 'text', text } } })], { clock, fast: true }).agent('ada') // prettier-ignore
    assert.ok(agent)
    return { ...agent, models: ['small', 'large'] }
  }
  const [small, large] = [replying('small here'), replying('large here')]
  const team: Team = {
    default: 'ada',
    agent: (name, model) => (name === 'ada' ? (model === 'large' ? large : small) : undefined),
    list: () => [{ name: 'ada', about: '' }],
  }
  const parley = openParley({ store, team, clock })
  t.after(async () => {
    await parley.close()
    await store.close()
  })
  const mia: Caller = { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }, via: 'web' }
  const { id } = await parley.dialogs.open({ text: 'hello' }, mia)
  await clock.advance(500)
  assert.equal((await parley.dialogs.get(id)).preview, 'small here')
  const chosen = await parley.dialogs.chooseModel(id, 'large', mia)
  assert.equal(chosen.model, 'large')
  await parley.dialogs.chooseModel(id, 'large', mia)
  await parley.dialogs.say(id, 'and now?', mia)
  await clock.advance(500)
  assert.equal((await parley.dialogs.get(id)).preview, 'large here')
  await assert.rejects(parley.dialogs.chooseModel(id, 'huge', mia), { code: 'model_not_offered' })
  await assert.rejects(parley.dialogs.open({ model: 'huge' }, mia), { code: 'model_not_offered' })
  assert.equal((await parley.dialogs.open({ model: 'large' }, mia)).model, 'large')
  assert.equal((await parley.dialogs.chooseModel(id, null, mia)).model, undefined)
  const events = await store.read(id, 0, 200)
  assert.deepEqual(
    events.filter(({ type }) => type === 'model.chosen').map(({ data }) => (data as { model: string | null }).model),
    ['large', null],
    'the same choice again is no event',
  )
})
