import assert from 'node:assert/strict'
import { test } from 'node:test'
import { team } from '../../src/agents/scripted-team.ts'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { isPublicType } from '../../src/builds/rules/build-events.ts'
import { asks, asksSet, complete, completedAll, ends, running, say, starts, steps } from '../../src/builds/rules/test/agent-script.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import type { Store } from '../../src/ports/store.ts'
import { ParleyError } from '../../src/errors.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { crashingStore, type CrashPoint, SimulatedCrash } from '../../src/testing/crashing-store.ts'
import { type SimulatedClock, simulatedClock } from '../../src/testing/simulated-clock.ts'
import { foldViews } from '../../src/app/stream-kinds.ts'
import { errorsIn, isLast, isOver, makeLog, owner } from './building.ts'
import { steadyAgent } from './steady-agent.ts'
import { helper, toolAgent } from './tool-agent.ts'

/** An agent that knows nothing of crashes: each turn sends what that turn is about, from its beginning. */
const forgetful = defineAgent({
  name: 'ada',
  about: '',
  *reply() {
    yield { type: 'text', text: '' }
  },
  *build({ input }) {
    if (input.type === 'BUILD_REQUEST') {
      yield running
      yield* steps(2)
      yield say('I have what I need to begin.')
      yield starts('research')
      yield asks()
    } else if (input.type === 'USER_ANSWER') {
      yield ends('research')
      yield starts('design')
      yield asksSet()
    } else {
      yield ends('design')
      yield* steps().slice(8)
      yield say('Your agent is ready.')
      yield complete
      yield completedAll
    }
  },
})

const stories: Record<string, (clock: SimulatedClock) => Team> = {
  'an agent that looks where it stands': (clock) => team([steadyAgent()], { clock }),
  'an agent that begins each turn anew': (clock) => team([forgetful], { clock }),
  'an agent with tools and a teammate': (clock) => team([toolAgent(), helper], { clock }),
}

type Outcome = { shown: string[]; faults: number; errors: unknown[]; crashes: number; commits: number; status: string }

/** From this commit on the store cannot be reached at every second one, so often, and the process lives on. */
type Outage = { when: 'away'; commit: number; times: number }

/** Plays one build; once, at the given point, the process dies and another one goes on, or the store is away. */
async function play(teamFor: (clock: SimulatedClock) => Team, point: CrashPoint | Outage | null): Promise<Outcome> {
  const backing = memoryBacking()
  const clock = simulatedClock()
  const ids = countedIds()
  let crashes = 0
  let commits = 0
  let store: Store & { readonly crashed?: boolean } = opened()
  let parley = openParley({ store, team: teamFor(clock), clock, ids })

  function opened(): Store & { readonly crashed?: boolean } {
    const inside = memoryStore({ clock, backing })
    const counted: Store = {
      ...inside,
      async commit(units) {
        commits += 1
        const late = point?.when === 'away' ? commits - point.commit : -1
        if (point?.when === 'away' && late >= 0 && late % 2 === 0 && late < 2 * point.times)
          throw new ParleyError('store_unreachable', { why: 'it restarts' }, { retryable: true })
        return inside.commit(units)
      },
    }
    return point && point.when !== 'away' && crashes === 0 ? crashingStore(counted, point) : counted
  }
  function restart(): void {
    crashes += 1
    void parley.close(0).catch(() => {})
    store = opened()
    parley = openParley({ store, team: teamFor(clock), clock, ids })
  }
  async function person<Result>(key: string, act: (to: OpenParley, caller: Caller) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await act(parley, { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'test', once: { key, request: key } })
      } catch (error) {
        if (error instanceof SimulatedCrash) restart()
        else if (!(error instanceof ParleyError && error.code === 'store_unreachable')) throw error
      }
    }
  }
  async function until(build: string, isSo: (status: string) => boolean): Promise<string> {
    for (let waits = 0; waits < 100; waits += 1) {
      await clock.advance(100)
      if (store.crashed) restart()
      const { status } = await person('look', (to) => to.builds.get(build))
      const last = (await person('look', (to) => to.builds.events.read(build))).at(-1)
      if (isSo(status) && isOver(status) === isLast(last?.type)) return status
    }
    return assert.fail(`stuck:\n${(await makeLog(store, build)).join('\n')}`)
  }
  async function answer(key: string, build: string): Promise<void> {
    await until(build, (status) => status === 'waiting')
    const events = await person('read', (to) => to.builds.events.read(build))
    const asked = events.findLast(({ type }) => type === 'question.requested' || type === 'questions.requested')
    if (asked?.type === 'question.requested') {
      const { question_id: question, options } = asked.payload
      await person(key, (to, caller) => to.builds.answer(build, { question, answer: options[0]?.id ?? '' }, caller))
    } else if (asked?.type === 'questions.requested') {
      const answers = Object.fromEntries(asked.payload.questions.map((each) => [each.question_id, each.options?.[0]?.id ?? 'Nori']))
      await person(key, (to, caller) => to.builds.answerAll(build, { answers }, caller))
    }
  }

  const { build_id: build } = await person('open', (to, caller) => to.builds.open({ prompt: 'Build me a list' }, caller))
  await answer('one', build)
  await answer('two', build)
  const status = await until(build, isOver)
  const before = commits
  const events = await store.read(build, 0, 1_000)
  const shown = events
    .filter(({ type }) => isPublicType(type) || type === 'build.answered')
    .map(({ type, data }) => `${type} ${JSON.stringify(data).replaceAll(/call_\d+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')}`)
  assert.equal(await store.nextDue('build-silence'), null, 'no timer is left over')
  for (const row of (await foldViews(store)).values())
    assert.deepEqual(await store.row(row.view, row.key), row, 'rows equal a fold from zero')
  const faults = events.filter(({ type }) => type === 'build.faulted').length
  const errors = errorsIn(await makeLog(store, build))
  void parley.close(0).catch(() => {})
  await clock.advance(100)
  return { shown, faults, errors, crashes, commits: before, status }
}

for (const [name, teamFor] of Object.entries(stories)) {
  test(`killed at any commit, the person sees the same build: ${name}`, async (t) => {
    const calm = await play(teamFor, null)
    assert.equal(calm.status, 'complete')
    assert.deepEqual(calm.errors, [])
    assert.doesNotMatch(calm.shown.join('\n'), /secret|nobody|aloud/, 'only a build’s own words reach the person')
    let crashes = 0
    for (let commit = 1; commit <= calm.commits; commit += 1) {
      for (const when of ['before', 'after'] as const) {
        const cut = await play(teamFor, { when, commit })
        crashes += cut.crashes
        assert.deepEqual(cut.shown, calm.shown, `${when} commit ${commit}`)
        assert.deepEqual(cut.errors, [], `${when} commit ${commit}`)
      }
    }
    t.diagnostic(`${calm.commits} commits, ${crashes} crashes`)
    assert.ok(crashes > calm.commits, `only ${crashes} crashes at ${calm.commits} commits`)
  })
}

test('a store that is away at any commit is no fault of the agent, and the person sees the same build', async () => {
  const teamFor = (clock: SimulatedClock): Team => team([steadyAgent()], { clock })
  const calm = await play(teamFor, null)
  // Five times within ten minutes: so many crashes would end the build.
  for (const times of [1, 5])
    for (let commit = 1; commit <= calm.commits; commit += 1) {
      const outage = await play(teamFor, { when: 'away', commit, times })
      assert.deepEqual(outage.shown, calm.shown, `commit ${commit}, ${times} times`)
      assert.deepEqual([outage.faults, outage.errors], [0, []], `commit ${commit}, ${times} times`)
    }
})

test('a turn that outages of the store cut for an hour ends the build, and nothing else does', async () => {
  const clock = simulatedClock()
  const inside = memoryStore({ clock })
  // The database refuses only what the agent sends, so the build itself can still be read and ended.
  const store: Store = {
    ...inside,
    async commit(units) {
      if (units.some(({ append }) => append?.some(({ events }) => events.some(({ type }) => type === 'progress.step.started'))))
        throw new ParleyError('store_unreachable', { why: 'it restarts' }, { retryable: true })
      return inside.commit(units)
    },
  }
  const parley = openParley({ store, team: team([steadyAgent()], { clock }), clock, ids: countedIds() })
  const { build_id: build } = await parley.builds.open({ prompt: 'Build me a list' }, owner)
  const minutes = async (count: number): Promise<string> => {
    for (let waited = 0; waited < count * 6; waited += 1) await clock.advance(10_000)
    return (await parley.builds.get(build)).status
  }
  assert.equal(await minutes(58), 'running')
  assert.equal(await minutes(4), 'failed')
  const failed = (await store.read(build, 0, 1_000)).find(({ type }) => type === 'build.failed')
  assert.deepEqual(failed?.data, { code: 'turn_cut_by_outages', details: { minutes: 60 } })
  assert.deepEqual(errorsIn(await makeLog(store, build)), [])
  void parley.close(0).catch(() => {})
  await clock.advance(100)
})
