import assert from 'node:assert/strict'
import { test } from 'node:test'
import { team } from '../../src/agents/scripted-team.ts'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import type { Move } from '../../src/builds/rules/moves.ts'
import type { BuildTurn } from '../../src/ports/agent-runtime.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../src/testing/simulated-clock.ts'
import { buildingUnderTest, errorsIn, makeLog, owner } from './building.ts'

type Script = (turn: BuildTurn, pause: (delayMs: number) => Promise<void>) => AsyncIterable<Move>

const makeTeam = (clock: SimulatedClock, build: Script) =>
  team(
    [
      defineAgent({
        name: 'ada',
        about: '',
        *reply() {
          yield { type: 'text', text: '' }
        },
        build: (turn, { pause }) => build(turn, pause),
      }),
    ],
    { clock },
  )

async function started(build: Script) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const under = buildingUnderTest(makeTeam(clock, build), { store, clock })
  const { build_id: id } = await under.parley.builds.open({ prompt: 'Build me a list' }, owner)
  await clock.advance(10)
  const calming = async (): Promise<number[]> => {
    const openedAt = (await under.parley.builds.get(id)).openedAt
    const events = await store.read(id, 0, 500)
    return events
      .filter((event) => event.type === 'assistant.message.created' && (event.data as { kind?: string }).kind === 'reassurance')
      .map(({ at }) => at - openedAt)
  }
  return { clock, store, under, id, calming }
}

test('a silence is broken once, after more than 45 s, and again only after a change', async () => {
  const { clock, under, store, id, calming } = await started(async function* (_, pause) {
    yield { do: 'start_step', step: 'build_record' }
    await pause(200_000)
    yield { do: 'say', text: 'I found three sources.' }
    await pause(100_000)
    yield { do: 'start_step', step: 'parse' }
    await pause(10_000_000)
  })
  await clock.advance(44_985)
  assert.equal((await calming()).length, 0, 'not at 45 s')
  await clock.advance(1_500)
  assert.equal((await calming()).length, 1)
  await clock.advance(150_000)
  assert.equal((await calming()).length, 1, 'one for one silence, however long')
  await clock.advance(55_000)
  assert.equal((await calming()).length, 2, 'a second silence has its own')
  await clock.advance(50_000)
  await clock.advance(60_000)
  assert.equal((await calming()).length, 3)
  assert.deepEqual(errorsIn(await makeLog(store, id)), [])
  await under.close()
})

test('there is no reassurance while a question is open or after its end, and one before the first event', async () => {
  const { clock, under, store, id, calming } = await started(async function* (turn, pause) {
    if (turn.input.type === 'USER_ANSWER') {
      await pause(60_000)
      yield { do: 'fail', summary: 'It cannot be done.' }
      return
    }
    await pause(300_000)
    yield { do: 'start_step', step: 'build_record' }
    await pause(20_000)
    yield { do: 'ask', id: 'q', prompt: 'What for?' }
  })
  await clock.advance(290_000)
  assert.equal((await calming()).length, 1, 'also before the first event')
  await clock.advance(600_000)
  assert.equal((await calming()).length, 1, 'it waits for the person')
  assert.equal((await under.parley.builds.get(id)).status, 'waiting')
  await under.parley.builds.answer(id, { question: 'q', answer: 'joy' }, owner)
  await clock.advance(47_000)
  assert.equal((await calming()).length, 2, 'the answer begins a new silence')
  await clock.advance(600_000)
  assert.equal((await calming()).length, 2)
  assert.equal((await under.parley.builds.get(id)).status, 'failed')
  assert.equal(await store.nextDue('build-silence'), null, 'no timer is left over')
  assert.deepEqual(errorsIn(await makeLog(store, id)), [])
  await under.close()
})

test('a lively build does not need its timer moved with each event, and is not reassured', async () => {
  const { clock, under, store, id, calming } = await started(async function* (_, pause) {
    yield { do: 'start_step', step: 'build_record' }
    for (let count = 0; count < 20; count += 1) {
      await pause(40_000)
      yield { do: 'say', text: `I read page ${count + 1}.` }
    }
    yield { do: 'fail', summary: 'That is enough.' }
  })
  await clock.advance(20 * 40_000 + 1_000)
  assert.deepEqual(await calming(), [])
  assert.equal((await under.parley.builds.get(id)).status, 'failed')
  assert.deepEqual(errorsIn(await makeLog(store, id)), [])
  await under.close()
})

test('a timer that is due while the server is down fires once when it is back', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const script: Script = async function* (turn, pause) {
    if (turn.progress.open === null) yield { do: 'start_step', step: 'build_record' }
    await pause(10_000_000)
  }
  const first = buildingUnderTest(makeTeam(clock, script), { store, clock })
  const { build_id: id } = await first.parley.builds.open({ prompt: 'Build me a list' }, owner)
  await clock.advance(10_000)
  const closing = first.parley.close(100)
  await clock.advance(1_000)
  await closing
  await clock.advance(3_600_000)
  const second = buildingUnderTest(makeTeam(clock, script), { store, clock })
  await clock.advance(300_000)
  const texts = (await store.read(id, 0, 500)).filter(({ type }) => type === 'assistant.message.created')
  assert.equal(texts.length, 1)
  await second.close()
})
