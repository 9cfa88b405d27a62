import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ada } from '../../src/app/demo/index.ts'
import { team } from '../../src/agents/scripted-team.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'

for (const language of ['en', 'zh'] as const) {
  test(`the build of the demo takes about a minute and says nothing the guard would touch (${language})`, async () => {
    const clock = simulatedClock()
    const under = buildingUnderTest(team([ada], { clock }), { store: memoryStore({ clock }), clock })
    const { builds } = under.parley
    const { build_id: build } = await builds.open({ prompt: language === 'zh' ? '一份书单' : 'A reading list', language }, owner)
    const openedAt = clock.now()
    let waits = 0
    for (; !isOver((await builds.get(build)).status); waits += 1) {
      assert.ok(waits < 400, 'it comes to an end')
      await clock.advance(250)
      if ((await builds.get(build)).status !== 'waiting') continue
      const asked = (await builds.events.read(build)).at(-1)
      if (asked?.type === 'question.requested') await builds.answer(build, { question: 'goal', answer: 'joy' }, owner)
      else await builds.answerAll(build, { answers: { pace: 'week', topic: language === 'zh' ? '河流' : 'rivers' } }, owner)
    }
    const seconds = (clock.now() - openedAt) / 1_000
    assert.ok(seconds > 45 && seconds < 75, `${seconds} s`)
    const log = await under.stored(build)
    assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
    assert.deepEqual(
      log.filter(({ type }) => type === 'build.words.guarded' || type === 'build.faulted'),
      [],
    )
    const result = log.find((event) => event.type === 'status.changed' && event.data.status === 'complete')
    assert.match(
      (result?.type === 'status.changed' && result.data.output) || '',
      language === 'zh' ? /河流入门/ : /rivers: an introduction/,
    )
    const closing = under.close()
    await clock.advance(1_000)
    await closing
  })
}
