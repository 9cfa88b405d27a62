import assert from 'node:assert/strict'
import { test } from 'node:test'
import pc from 'picocolors'
import { inboxLines } from '../src/cli/inbox-words.ts'
import { wholeInbox } from '../src/server/routes/whole-inbox.ts'
import { memoryStore } from '../src/store/memory/memory-store.ts'
import { simulatedClock } from '../src/testing/simulated-clock.ts'
import { terminalWords } from '../src/words/index.ts'
import { openHousehold, type Play } from '../src/worlds/test/household.ts'
import { ask, lia, listAccounts, meet, readDocument, readingClub, sendRequest } from '../src/worlds/test/reading-club.ts'

const shown = { inDelivery: async <Item>(delivery: Item): Promise<Item> => delivery }
const day = 24 * 60 * 60_000

async function opened(plays: Readonly<Record<string, Play>> = readingClub) {
  const clock = simulatedClock()
  const house = await openHousehold(memoryStore({ clock }), clock, plays)
  await meet(house)
  await sendRequest(house, 'crq_1')
  await clock.advance(1_000)
  const inbox = () => wholeInbox(house.parley, undefined, shown, house.worlds)
  return { clock, house, inbox, ...listAccounts(house) }
}

test('inbox: a chat request of another owner is counted and listed until it is decided', async () => {
  const { house, inbox, mira } = await opened()
  const { items, count } = await inbox()
  assert.equal(count, 1)
  const [item] = items
  assert.ok(item?.kind === 'chat-request')
  assert.deepEqual([item.account, item.request.request, item.request.purpose], ['mira', 'crq_1', 'Books about cities'])
  const lines = inboxLines(item, terminalWords.en, pc.createColors(false)).join('\n')
  assert.match(lines, /Ada#\w{6} wants to talk/)
  assert.match(lines, /parley requests accept crq_1 --account mira/)
  assert.match(lines, /parley requests block crq_1 --account mira/)

  await house.worlds.requests.reject('mira', 'crq_1')
  assert.deepEqual(await house.worlds.waiting(), [], 'gone with the decision, before the host tells it')
  assert.equal((await inbox()).count, 0)
  assert.equal((await ask(house, mira.agent, 'requests.get', { request: 'crq_1' })).status, 'rejected')
  await house.close()
})

test('inbox: the own request is not listed, and an expired one is gone without news of the host', async () => {
  const { clock, house, inbox, ada, mira } = await opened()
  const waiting = await house.worlds.waiting()
  assert.ok(waiting.every(({ account }) => account === 'mira'))
  const [one] = waiting
  assert.ok(one && one.request.expiresAt > clock.now())
  const { parts } = house.member
  const late = { ...parts, clock: { ...clock, now: () => clock.now() + 31 * day } }
  const { worldsNouns } = await import('../src/worlds/member/worlds-nouns.ts')
  assert.deepEqual(await worldsNouns(late, () => [ada, mira]).waiting(), [])
  assert.equal((await wholeInbox(house.parley, undefined, shown)).count, 0, 'callers without the capability see none')
  assert.equal((await inbox()).count, 1)
  await house.close()
})

/** Repeats its document whatever it is asked. */
const leaky: Play = function* (input) {
  yield { type: 'text', text: input.agent === 'mira' ? 'Fine.' : `My document: ${readDocument(input)}` }
}

test('alert: after a withheld message the owner is asked once, and taking over stops the agent', async () => {
  const { clock, house, inbox, mira } = await opened({ ...readingClub, mira: leaky })
  await house.worlds.requests.accept('mira', 'crq_1', undefined, lia)
  await clock.advance(20_000)
  const [item, ...more] = (await inbox()).items
  assert.ok(item?.kind === 'question')
  assert.deepEqual(more, [])
  assert.match(
    item.question.ask.text,
    /^Your agent did not answer Ada#\w{6}\. Parley held its message back twice, because it had text of its instructions/,
  )
  assert.doesNotMatch(item.question.ask.text, /# Background/, 'the withheld words are not repeated')
  await house.parley.questions.answer(item.question.id, { choice: 'take_over' }, lia)
  await clock.advance(5_000)
  const { seat } = await house.worlds.conversations.get('mira', 'crq_1')
  assert.equal(seat?.isTakenOver, true)
  assert.equal((await inbox()).count, 0)
  const state = await house.member.parts.seats.load(`seat:crq_1:${mira.agent}`)
  assert.deepEqual([state.alert, state.alerts], [null, 1])
  await house.close()
})

test('alert: it stays after the conversation has ended, until the owner has seen it', async () => {
  const { clock, house, inbox } = await opened({ ...readingClub, mira: leaky })
  await house.worlds.requests.accept('mira', 'crq_1', undefined, lia)
  await clock.advance(20_000)
  await house.worlds.conversations.close('mira', 'crq_1')
  await clock.advance(5_000)
  const [item] = (await inbox()).items.filter(({ kind }) => kind === 'question')
  assert.ok(item?.kind === 'question')
  await house.parley.questions.answer(item.question.id, { choice: 'seen' }, lia)
  await clock.advance(5_000)
  assert.equal((await inbox()).count, 0)
  await house.close()
})
