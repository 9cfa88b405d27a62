import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { team } from '../../src/agents/scripted-team.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { toolAgent } from './tool-agent.ts'
import { eventually } from '../fixtures/eventually.ts'

const step = (name: string) => ({ name: 'start_step', input: { step: name } })
const plan = [
  step('build_record'),
  step('parse'),
  { name: 'tellask', input: { targetAgentId: '@helper', sessionSlug: 'sources', tellaskContent: 'Find three sources.' } },
  ...['research', 'design', 'assemble', 'validate', 'finalize'].map(step),
  { name: 'finish', input: { summary: 'Your agent is ready.', output: '# Done' } },
]

/** Hangs until it is cut, the first time it is asked. */
function scene() {
  let tries = 0
  const helper = defineAgent({
    name: 'helper',
    about: '',
    async *reply(_, { signal }) {
      tries += 1
      if (tries === 1) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      yield { type: 'text', text: 'Three sources.' }
    },
  })
  const under = buildingUnderTest(team([toolAgent(plan), helper], { fast: true }))
  const until = (isSo: () => boolean | Promise<boolean>): Promise<true> => eventually(isSo, 'the condition of the scene')
  return { ...under, until, tries: () => tries, over: under.until }
}

for (const how of ['its dialog', 'everything'] as const) {
  test(`a build waits while ${how} is stopped, and is completed after Continue`, async () => {
    const { parley, store, until, over, tries, close } = scene()
    const { build_id: build } = await parley.builds.open({ prompt: 'A list' }, owner)
    const dialog = `dlg_${build}`
    await until(() => tries() === 1)
    await (how === 'its dialog' ? parley.dialogs.stop(dialog, owner) : parley.dialogs.stopAll(owner))
    await until(async () => (await parley.dialogs.tree(dialog)).every(({ status }) => !['working', 'stopping'].includes(status)))
    const later = how === 'everything' ? await parley.builds.open({ prompt: 'Another list' }, owner) : null
    const { count } = await new Promise<{ count: number }>((resolve) => setImmediate(() => resolve({ count: tries() })))
    assert.equal(count, 1)
    assert.equal((await parley.builds.get(build)).status, 'running')
    if (later)
      assert.equal(
        (await store.read(later.build_id, 0, 100)).some(({ type }) => type === 'build.turn.started'),
        false,
      )
    await (how === 'its dialog' ? parley.dialogs.resume(dialog, owner) : parley.dialogs.resumeAll(owner))
    assert.equal(await over(build, isOver), 'complete')
    if (later) assert.equal(await over(later.build_id, isOver), 'complete')
    assert.deepEqual(errorsIn(await makeLog(store, build)), [])
    await close()
  })
}
