import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConversationControls, emptyControls, type PreparedControl } from './control-record.ts'
import { beginTurn, expire, leaveUnattached, live, offer, prepare, saidBefore, tap, type Tap, type } from './decide.ts'

const day = 86_400_000
const options = { marker: false, expireAfterMs: day, fallback: 'en' } as const
const control = (id: string, more: Partial<PreparedControl> = {}): PreparedControl => ({
  id,
  conversation: 'c',
  session: 's',
  turn: `turn-${id}`,
  replyId: `reply-${id}`,
  channel: 'telegram',
  account: '1',
  chat: '7',
  locale: 'en',
  ...more,
})
const offered = (id: string, message: string, from: ConversationControls = emptyControls('c'), at = 1_000) =>
  offer(prepare(from, control(id)), id, message, at, day)
const tapOn = (id: string, message: string, more: Partial<Tap> = {}): Tap => ({
  update: 50,
  query: 'q1',
  chat: '7',
  message,
  by: '7',
  at: 2_000,
  id,
  choice: 'stop',
  ...more,
})
const states = (controls: ConversationControls) => controls.records.map(({ state }) => state)
const toast = (effects: readonly { does: string }[]) =>
  effects.flatMap((one) => (one.does === 'toast' ? [(one as { text?: string }).text] : []))

test('a tap is taken once: choice, toast, empty keyboard, event', () => {
  const firstOffer = offered('A', '10')
  const { controls, outcome, effects } = tap(firstOffer, tapOn('A', '10'), options)
  assert.equal(outcome, 'accepted')
  assert.deepEqual(states(controls), ['stopped'])
  assert.deepEqual(controls.closure, { state: 'closed', choice: 'stop', by: '7', at: 2_000, turn: 'turn-A' })
  assert.deepEqual(
    effects.map(({ does }) => does),
    ['toast', 'strip', 'end-choice'],
  )
  assert.deepEqual(
    effects.flatMap((one) => (one.does === 'strip' ? [one.shown] : [])),
    [[]],
  )
  assert.equal(controls.records[0]?.rev, (firstOffer.records[0]?.rev ?? 0) + 1)
  assert.equal(tap(controls, tapOn('A', '10'), options).outcome, 'duplicate')
  const again = tap(controls, tapOn('A', '10', { query: 'q2', update: 51 }), options)
  assert.deepEqual([again.outcome, toast(again.effects), again.controls === controls], ['repeat', ['Already recorded'], true])
  const other = tap(controls, tapOn('A', '10', { query: 'q3', update: 52, choice: 'continue' }), options)
  assert.deepEqual([other.outcome, toast(other.effects)], ['stale', ['These options are no longer active']])
})

test('a tap that is taken in again after a crash is told what it was told', () => {
  const { controls } = tap(offered('A', '10'), tapOn('A', '10'), options)
  const forgotten = { ...controls, effects: [] }
  assert.equal(tap(forgotten, tapOn('A', '10'), options).outcome, 'duplicate')
  assert.equal(saidBefore(forgotten, tapOn('A', '10'), 'en'), 'Closed, no follow-up')
  assert.equal(saidBefore(forgotten, tapOn('A', '10', { choice: 'continue' }), 'en'), 'These options are no longer active')
  assert.equal(saidBefore(emptyControls('c'), tapOn('A', '10'), 'zh-Hant'), '這則回覆的選項已失效')
})

test('buttons of the reply stay, and a marker is shown when wanted', () => {
  const own = [[{ text: 'Open', url: 'https://example.org' }]]
  const controls = offer(prepare(emptyControls('c'), control('A', { above: own, locale: 'zh-Hant' })), 'A', '10', 1_000, day)
  const { effects } = tap(controls, tapOn('A', '10', { choice: 'continue' }), { ...options, marker: true })
  assert.deepEqual(
    effects.flatMap((one) => (one.does === 'strip' ? [one.shown] : [])),
    [[...own, [{ text: '✓ 繼續', disabled: {} }]]],
  )
})

test('wrong message, wrong chat, unknown control and a stranger change nothing', () => {
  const controls = offer(prepare(emptyControls('c'), control('A', { asker: '7' })), 'A', '10', 1_000, day)
  const cases: [Tap, string][] = [
    [tapOn('A', '11'), 'stale'],
    [tapOn('A', '10', { chat: '8' }), 'stale'],
    [tapOn('Z', '10'), 'stale'],
    [tapOn('A', '10', { by: '9' }), 'foreign'],
  ]
  for (const [made, outcome] of cases) {
    const result = tap(controls, made, options)
    assert.equal(result.outcome, outcome)
    assert.equal(result.controls, controls)
    assert.equal(result.effects.length, 1)
  }
})

test('a newer reply, a text and time end what was offered; its buttons go', () => {
  const newer = offered('B', '11', offered('A', '10'))
  assert.deepEqual(states(newer), ['superseded', 'offered'])
  assert.equal(live(newer)?.id, 'B')
  assert.deepEqual(
    newer.effects.map(({ key }) => key),
    ['strip:A'],
  )
  assert.deepEqual(states(type(newer, { update: 60, text: 'next' })), ['superseded', 'superseded'])
  assert.deepEqual(states(expire(newer, 1_000 + day)), ['superseded', 'expired'])
  assert.deepEqual(states(expire(newer, 999 + day)), ['superseded', 'offered'])
  const late = tap(newer, tapOn('B', '11', { at: 1_000 + day }), options)
  assert.deepEqual([late.outcome, states(late.controls)], ['stale', ['superseded', 'expired']])
  const without = leaveUnattached(prepare(newer, control('C')), 'C', '12', 3_000)
  assert.deepEqual(states(without), ['superseded', 'superseded', 'unattached'])
})

test('typed text wins: the next turn is told once, then all is open again', () => {
  const closed = tap(offered('A', '10'), tapOn('A', '10'), options).controls
  const typed = type(closed, { update: 60, text: 'and now?' })
  assert.deepEqual(typed.closure, { state: 'open' })
  const first = beginTurn(typed, 'turn-2')
  assert.equal(first.closure.state, 'closed')
  assert.equal(beginTurn(first.controls, 'turn-2').closure.state, 'closed')
  assert.equal(beginTurn(first.controls, 'turn-3').closure.state, 'open')
  const next = type(first.controls, { update: 61, text: 'more' })
  assert.equal(beginTurn(next, 'turn-3').closure.state, 'open')
})

test('a tap that was made before the text but came after it is history; the new turn reads open', () => {
  const typed = type(offered('A', '10'), { update: 60, text: 'x' })
  const late = tap(typed, tapOn('A', '10', { update: 59 }), options)
  assert.equal(late.outcome, 'stale')
  assert.deepEqual([late.controls.records[0]?.state, late.controls.records[0]?.choice], ['superseded', 'stop'])
  assert.equal(beginTurn(late.controls, 'turn-2').closure.state, 'open')
  assert.equal(
    late.effects.some(({ does }) => does === 'end-choice'),
    false,
  )
  const after = tap(typed, tapOn('A', '10', { update: 61 }), options)
  assert.deepEqual([after.outcome, after.controls === typed], ['stale', true])
})

test('a tap that overtook an earlier text does not reach the turn of that text', () => {
  const tapped = tap(offered('A', '10'), tapOn('A', '10', { update: 61 }), options).controls
  assert.equal(beginTurn(type(tapped, { update: 60, text: 'x' }), 'turn-2').closure.state, 'open')
})

test('a control whose receipt was lost is found again by its tap, unless a person wrote since', () => {
  const lost = prepare(emptyControls('c'), control('A'))
  const restored = tap(lost, tapOn('A', '10'), options)
  assert.deepEqual([restored.outcome, restored.controls.records[0]?.message, states(restored.controls)], ['accepted', '10', ['stopped']])
  assert.equal(tap(type(lost, { update: 49, text: 'x' }), tapOn('A', '10'), options).outcome, 'stale')
  const foreign = prepare(emptyControls('c'), control('A', { asker: '7' }))
  const stranger = tap(foreign, tapOn('A', '10', { by: '9' }), options)
  assert.deepEqual([stranger.outcome, stranger.controls === foreign], ['foreign', true])
})
