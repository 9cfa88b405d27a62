import assert from 'node:assert/strict'
import { test } from 'node:test'
import { team } from '../../src/agents/scripted-team.ts'
import { buildingLimits } from '../../src/builds/runner/runner-limits.ts'
import { ParleyError } from '../../src/errors.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { answersFor, steadyAgent } from './steady-agent.ts'

/** With `all` there are more types than a page knows. */
const getTypes = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type)

const refusedAs = (code: string) => (error: unknown) => error instanceof ParleyError && error.code === code

test('a person starts, answers and reads; what does not fit is refused in words', async () => {
  const under = buildingUnderTest(team([steadyAgent()], { fast: true }))
  const { builds } = under.parley
  await assert.rejects(builds.open({ prompt: ' ' }, owner), refusedAs('empty_text'))
  await assert.rejects(builds.open({ prompt: 'x', agent: 'nobody' }, owner), refusedAs('agent_not_found'))
  await assert.rejects(builds.get('0197f3a0-0000-7000-8000-000000000000'), refusedAs('build_not_found'))
  await assert.rejects(builds.get('dlg_none'), refusedAs('build_not_found'))

  const { build_id: build, session_id: session } = await builds.open({ prompt: 'A list', language: 'zh' }, owner)
  await under.until(build, (status) => status === 'waiting')
  assert.deepEqual((await builds.events.read(build)).map(({ type }) => type).slice(0, 3), [
    'session.started',
    'status.changed',
    'progress.step.started',
  ])
  assert.equal((await builds.events.read(build, { include: 'person' }))[0]?.type, 'build.opened')
  assert.ok(getTypes(await builds.events.read(build, { include: 'all' })).includes('build.turn.started'))
  await assert.rejects(builds.answerAll(build, answersFor.all, owner), refusedAs('wrong_answer_kind'))
  await assert.rejects(builds.answer(build, { question: 'q-region', answer: 'Mars' }, owner), refusedAs('not_a_choice'))
  // A message while a question is open waits for its answer, and then for its turn.
  await builds.instruct(build, 'Make it short.', owner)
  await builds.answer(build, answersFor.one, owner)
  await assert.rejects(builds.answer(build, answersFor.one, owner), refusedAs('already_answered'))
  await under.until(build, (status) => status === 'waiting')
  await builds.answerAll(build, answersFor.all, owner)
  assert.equal(await under.until(build, isOver), 'complete')
  await assert.rejects(builds.cancel(build, owner), refusedAs('build_over'))
  const summary = await builds.get(build)
  assert.deepEqual([summary.session_id, summary.language, summary.status, summary.step], [session, 'zh', 'complete', 7])
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  await assert.rejects(builds.retry(build, owner), refusedAs('build_not_retriable'))
  assert.equal((await builds.instruct(build, 'More', owner)).session_id, session, 'a new round of the same session')
  await under.close()
})

test('a repeated request gives the first result again, and a key is not used for two', async () => {
  const under = buildingUnderTest(team([steadyAgent()], { fast: true }))
  const { builds } = under.parley
  const once = { ...owner, once: { key: 'k1', request: 'r1' } }
  const first = await builds.open({ prompt: 'A list' }, once)
  assert.deepEqual(await builds.open({ prompt: 'A list' }, once), first)
  await assert.rejects(builds.open({ prompt: 'Another' }, { ...owner, once: { key: 'k1', request: 'r2' } }), refusedAs('key_reused'))
  assert.equal((await builds.list()).items.length, 1)
  await under.until(first.build_id, (status) => status === 'waiting')
  const answer = { ...owner, once: { key: 'k2', request: 'r' } }
  await builds.answer(first.build_id, answersFor.one, answer)
  await builds.answer(first.build_id, answersFor.one, answer)
  const log = await under.stored(first.build_id)
  assert.equal(log.filter(({ type }) => type === 'build.answered').length, 1)
  await under.close()
})

test('the list has the latest first, in pages, and leaves out what ended long ago', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const under = buildingUnderTest(team([steadyAgent()], { clock, fast: true }), { store: memoryStore({ clock, backing }), clock })
  const { builds } = under.parley
  const opened: string[] = []
  for (let count = 0; count < 7; count += 1) {
    await clock.advance(1_000)
    opened.push((await builds.open({ prompt: `List ${count}` }, owner)).build_id)
  }
  await clock.advance(5_000)
  const [first, , last] = opened
  await builds.cancel(first ?? '', owner)
  const page = await builds.list({ limit: 5 })
  assert.deepEqual(
    page.items.map(({ prompt }) => prompt),
    ['List 6', 'List 5', 'List 4', 'List 3', 'List 2'],
  )
  const rest = await builds.list({ limit: 5, after: page.next ?? '' })
  assert.deepEqual([rest.items.length, rest.next], [2, null])
  assert.deepEqual(
    (await builds.list({ status: 'cancelled' })).items.map(({ build_id }) => build_id),
    [first],
  )
  await assert.rejects(builds.list({ after: 'x' }), refusedAs('bad_request'))
  const closing = under.close()
  await clock.advance(1_000)
  await closing

  const later = simulatedClock(clock.now() + (buildingLimits.listedDays + 1) * 24 * 3_600_000)
  const then = buildingUnderTest(team([steadyAgent()], { clock: later }), { store: memoryStore({ clock: later, backing }), clock: later })
  const listed = (await then.parley.builds.list()).items.map(({ build_id }) => build_id)
  assert.equal(listed.includes(first ?? ''), false, 'it ended long ago')
  assert.equal(listed.includes(last ?? ''), true, 'it still waits')
  assert.equal((await then.parley.builds.get(first ?? '')).status, 'cancelled', 'by its id it is there')
  const ending = then.close()
  await later.advance(1_000)
  await ending
})

test('the log of the operator lists suppressed, dropped and ended output', async () => {
  const agent = steadyAgent()
  const talkative: typeof agent = {
    ...agent,
    *build() {
      yield { do: 'start_step', step: 'build_record' }
      yield { do: 'say', text: 'Your list is ready. Spawning three workers.' }
      yield { do: 'start_step', step: 'design' }
      yield { do: 'fail', summary: 'I could not do it.' }
    },
  }
  const under = buildingUnderTest(team([talkative], { fast: true }))
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A list' }, owner)
  await under.until(build, isOver)
  const guarded = under.told.find(({ message }) => message.includes('not shown as they were said'))
  assert.equal(guarded?.fields['shown'], 'Your list is ready.')
  assert.ok(under.told.some(({ level, fields }) => level === 'warn' && fields['rule'] === 'T2'))
  const all = await under.parley.builds.events.read(build, { include: 'all' })
  assert.ok(getTypes(all).includes('build.words.guarded'))
  const shown = await under.parley.builds.events.read(build, { include: 'person' })
  assert.equal(getTypes(shown).includes('build.words.guarded'), false)
  await under.close()
})
