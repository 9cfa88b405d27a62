import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParley, type OpenParley } from '../../app/library.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { Caller } from '../../shapes/parley.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { teamOf } from '../../testing/team-of.ts'

const mia: Caller = { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }, via: 'web' }
const ann: Caller = { by: { kind: 'human', name: 'ann', id: 'person:ann', role: 'owner' }, via: 'web' }

/** Asks for a size, then says what was answered. */
const asker: Team = teamOf(async function* (input) {
  const asked = input.context.findLast((item) => item.kind === 'question')
  if (asked?.kind !== 'question') yield { type: 'question', ask: { text: 'Which size?', items: [{ id: 'size', text: '', kind: 'text' }] } }
  else yield { type: 'text', text: asked.outcome ? `size ${asked.outcome.answers?.['size']}` : 'still open' }
})

type Scene = { parley: OpenParley; store: Store; clock: SimulatedClock; dialog: string; question: string; types(): Promise<string[]> }

async function withQuestion(play: (scene: Scene) => Promise<void>): Promise<void> {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const parley = openParley({ store, team: asker, clock, ids: countedIds() })
  try {
    const { id: dialog } = await parley.dialogs.open({ text: 'hello' }, mia)
    await clock.advance(100)
    const [open] = (await parley.questions.list({ state: 'open' })).items
    const types = async (): Promise<string[]> => (await store.read(dialog, 0, 500)).map(({ type }) => type)
    await play({ parley, store, clock, dialog, question: open?.id ?? '', types })
  } finally {
    await parley.close(1_000)
    await store.close()
  }
}

test('an answer with undo is committed at once and wakes the agent when its time is over', () =>
  withQuestion(async ({ parley, clock, dialog, question, types }) => {
    const answered = await parley.questions.answer(question, { text: 'large', undoSeconds: 6 }, mia)
    assert.equal(answered.state, 'answered')
    assert.equal(answered.closed?.undoUntil, clock.now() + 6_000)
    await clock.advance(5_900)
    assert.equal((await types()).at(-1), 'question.answered')
    await assert.rejects(parley.questions.answer(question, { text: 'small' }, ann), { code: 'already_answered' })
    await clock.advance(200)
    assert.deepEqual((await types()).slice(-5), ['answer.taken', 'turn.started', 'generation.finished', 'message.said', 'turn.finished'])
    assert.equal((await parley.dialogs.get(dialog)).preview, 'size large')
    assert.equal((await parley.questions.get(question)).closed?.undoUntil, undefined)
  }))

test('withdrawn in time the question is open again, and another answer counts', () =>
  withQuestion(async ({ parley, clock, dialog, question }) => {
    await parley.questions.answer(question, { text: 'large', undoSeconds: 6 }, mia)
    await assert.rejects(parley.questions.withdrawAnswer(question, ann), { code: 'answer_of_another' })
    await clock.advance(3_000)
    const open = await parley.questions.withdrawAnswer(question, mia)
    assert.equal(open.state, 'open')
    assert.equal((await parley.inbox()).count, 1)
    await assert.rejects(parley.questions.withdrawAnswer(question, mia), { code: 'answer_not_given' })
    await clock.advance(60_000)
    assert.equal((await parley.dialogs.get(dialog)).status, 'waiting')
    await parley.questions.answer(question, { text: 'small' }, ann)
    await clock.advance(100)
    assert.equal((await parley.dialogs.get(dialog)).preview, 'size small')
    await assert.rejects(parley.questions.withdrawAnswer(question, ann), { code: 'answer_taken' })
  }))

test('a turn that a message starts meanwhile does not read the answer', () =>
  withQuestion(async ({ parley, clock, dialog, question }) => {
    await parley.questions.answer(question, { text: 'large', undoSeconds: 6 }, mia)
    await parley.dialogs.say(dialog, 'and another thing', mia)
    await clock.advance(1_000)
    assert.equal((await parley.dialogs.get(dialog)).preview, 'still open')
    await clock.advance(6_000)
    assert.equal((await parley.dialogs.get(dialog)).preview, 'size large')
  }))

test('the agent is woken also by a process that starts after the time is over', async () => {
  const clock = simulatedClock()
  const ids = countedIds()
  const backing = memoryBacking()
  const first = openParley({ store: memoryStore({ clock, backing }), team: asker, clock, ids })
  const { id: dialog } = await first.dialogs.open({ text: 'hello' }, mia)
  await clock.advance(100)
  const [open] = (await first.questions.list({ state: 'open' })).items
  await first.questions.answer(open?.id ?? '', { text: 'large', undoSeconds: 6 }, mia)
  await first.close(0)
  await clock.advance(60_000)
  const store = memoryStore({ clock, backing })
  const second = openParley({ store, team: asker, clock, ids })
  await clock.advance(100)
  assert.equal((await second.dialogs.get(dialog)).preview, 'size large')
  await second.close(1_000)
  await store.close()
})
