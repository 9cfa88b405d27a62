import assert from 'node:assert/strict'
import { test } from 'node:test'
import { team } from '../../src/agents/scripted-team.ts'
import { emptyPicture, pictureAfter } from '../../src/builds/ag-ui/build-picture.ts'
import { toAgUi } from '../../src/builds/ag-ui/to-ag-ui.ts'
import { buildViewOfAll, emptyBuild } from '../../src/client/build-view.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'
import type { Store } from '../../src/ports/store.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../src/testing/simulated-clock.ts'
import { answersFor, steadyAgent } from './steady-agent.ts'
import { helper, toolAgent } from './tool-agent.ts'
import { errorsIn, makeLog, owner } from './building.ts'

type Scene = {
  readonly parley: OpenParley
  readonly store: Store
  clock: SimulatedClock
  deaths(): number
  die(): Promise<never>
  run(): Promise<void>
  end(): Promise<void>
}

/** Servers one after the other on the same data; `die` ends the one that runs. */
function machine(teamFor: (scene: Scene) => Team): Scene {
  const clock = simulatedClock()
  const backing = memoryBacking()
  let deaths = 0
  let isDead = false
  let store: Store
  let parley: OpenParley
  const start = (): void => {
    isDead = false
    store = memoryStore({ clock, backing })
    parley = openParley({ store, team: crew, clock })
  }
  const scene: Scene = {
    get parley() {
      return parley
    },
    get store() {
      return store
    },
    clock,
    deaths: () => deaths,
    async die() {
      deaths += 1
      isDead = true
      await store.close()
      return new Promise<never>(() => {})
    },
    async run() {
      for (let round = 0; round < 20; round += 1) {
        if (isDead) start()
        await clock.advance(3_000)
        if (!isDead) return
      }
    },
    async end() {
      await parley.close(0).catch(() => {})
      await store.close()
    },
  }
  const crew = teamFor(scene)
  start()
  return scene
}

test('three crashes end the build that was running with a retry; the others go on, and the retry completes it', async () => {
  let isPoisoned = true
  const scene = machine(({ clock, die }) =>
    team(
      [
        steadyAgent({
          async atStep(step, { prompt }) {
            if (prompt === 'poison' && step === 'validate' && isPoisoned) await die()
          },
        }),
      ],
      { clock },
    ),
  )
  const { build_id: innocent } = await scene.parley.builds.open({ prompt: 'work' }, owner)
  const { build_id: build, session_id: session } = await scene.parley.builds.open({ prompt: 'poison' }, owner)
  for (const each of [innocent, build]) {
    await scene.run()
    await scene.parley.builds.answer(each, answersFor.one, owner)
    await scene.run()
    await scene.parley.builds.answerAll(each, answersFor.all, owner)
    await scene.run()
  }
  assert.equal(scene.deaths(), 3)
  assert.equal((await scene.parley.builds.get(innocent)).status, 'complete')
  assert.equal((await scene.parley.builds.get(build)).status, 'failed')
  const reasons = (await scene.store.read(build, 0, 500)).filter(({ type }) => type === 'build.failed').map(({ data }) => data)
  assert.deepEqual(reasons, [{ code: 'turn_crashed', details: { crashes: 3, minutes: 10 } }])

  isPoisoned = false
  const retried = await scene.parley.builds.retry(build, owner)
  assert.deepEqual([retried.build_id, retried.session_id, retried.status], [build, session, 'starting'])
  await scene.run()
  await scene.clock.advance(60_000)
  const now = await scene.parley.builds.get(build)
  assert.deepEqual([now.status, now.step], ['complete', 7], 'what was answered is not asked again')
  assert.deepEqual(errorsIn(await makeLog(scene.store, build)), [])

  const events = await scene.parley.builds.events.read(build, { include: 'person' })
  const view = buildViewOfAll(emptyBuild, events)
  assert.deepEqual([view.status, view.isOver, view.failure], ['complete', true, null])
  assert.ok(view.steps.every(({ state }) => state === 'done'))
  await scene.end()
})

test('AG-UI shows a new round as a run of its own', async () => {
  const scene = machine(({ clock }) => team([steadyAgent()], { clock }))
  const { build_id: build } = await scene.parley.builds.open({ prompt: 'work' }, owner)
  await scene.run()
  await scene.parley.builds.answer(build, answersFor.one, owner)
  await scene.run()
  await scene.parley.builds.cancel(build, owner)
  await scene.run()
  await scene.parley.builds.retry(build, owner)
  await scene.run()
  const log = await scene.parley.builds.events.read(build, { include: 'person' })
  const picture = log.reduce(pictureAfter, emptyPicture(build))
  assert.deepEqual([picture.isOver, picture.isCancelled, picture.state.status], [false, false, 'waiting'])
  const run = toAgUi(log, { thread: 't', run: 'r', build, after: picture.answeredAt, messages: [] })
  assert.equal(run[0]?.type, 'RUN_STARTED')
  assert.equal(run.at(-1)?.type, 'RUN_FINISHED')
  const open: string[] = []
  for (const event of run) {
    if (event.type === 'STEP_STARTED') open.push(event['stepName'])
    if (event.type === 'STEP_FINISHED') assert.equal(open.pop(), event['stepName'])
  }
  assert.deepEqual(open, [])
  assert.equal(run.filter(({ type }) => type === 'STEP_STARTED').length, 4, 'the steps of the new round from the first on')
  await scene.end()
})

test('a build whose agent works in a dialog is continued there after it was cancelled', async () => {
  const scene = machine(({ clock }) => team([toolAgent(), helper], { clock }))
  const { build_id: build } = await scene.parley.builds.open({ prompt: 'work' }, owner)
  await scene.run()
  assert.equal((await scene.parley.builds.get(build)).status, 'waiting')
  await scene.parley.builds.cancel(build, owner)
  await scene.run()
  assert.equal((await scene.parley.builds.get(build)).status, 'cancelled')
  await scene.parley.builds.retry(build, owner)
  await scene.run()
  await scene.run()
  assert.equal((await scene.parley.builds.get(build)).status, 'waiting')
  assert.deepEqual(errorsIn(await makeLog(scene.store, build)), [])
  await scene.end()
})

test('a retry with the same key is one round', async () => {
  const scene = machine(({ clock }) => team([steadyAgent()], { clock }))
  const { build_id: build } = await scene.parley.builds.open({ prompt: 'work' }, owner)
  await scene.run()
  await scene.parley.builds.cancel(build, owner)
  const once = { ...owner, once: { key: 'k', request: 'r' } }
  await scene.parley.builds.retry(build, once)
  await scene.run()
  await scene.parley.builds.retry(build, once)
  const rounds = (await scene.store.read(build, 0, 500)).filter(({ type }) => type === 'build.retried')
  assert.equal(rounds.length, 1)
  await scene.end()
})
