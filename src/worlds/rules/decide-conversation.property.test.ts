import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { silenceReasons } from './boundary/agent-output.ts'
import { chatPolicyModes } from './chat-policy.ts'
import { nextDeadline } from './conversation-clock.ts'
import { type ConversationEvent, sides } from './conversation-events.ts'
import { type ConversationState, initialConversation, isLive } from './conversation-state.ts'
import { getNextStep } from './conversation-status.ts'
import { type ConversationCommand, decideConversation } from './decide-conversation.ts'
import type { Timed } from './decision.ts'
import { evolveConversation } from './evolve-conversation.ts'
import { accept, key, submit } from './test/samples.ts'
import { worldLimits } from './world-limits.ts'

/** Most values fit the state, so that long conversations come about; `fit` puts them in. */
const mostly = <Fit, Value>(value: Fit, ...others: Value[]): fc.Arbitrary<Fit | Value> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const request = mostly('fit', 'crq_1', 'crq_2')
const by = mostly('fit', 'agt_a', 'agt_b', 'agt_c')
const newRequest = fc.constantFrom('crq_1', 'crq_2', 'crq_3', 'crq_4')
const online = fc.subarray([...sides])
const text = fc.oneof(
  fc.constantFrom('Hello', 'Hello!', 'Thanks', ' ', 'Bye [[request_conversation_end]]', 'Nice [[like]]', 'x'.repeat(4_001)),
  fc.string({ minLength: 5, maxLength: 60 }),
  fc.string({ minLength: 5, maxLength: 60 }),
)
const delivery = mostly('fit', 'crq_1.d1', 'crq_1.d2')
const link = { turn: mostly(-1, 1, 2), previous: mostly('fit', 'stale'), hash: mostly('fit', 'h1') }
const seldom = mostly(false, true)
const policy = fc.record({
  mode: fc.constantFrom(...chatPolicyModes),
  blocks: fc.record({ originTypes: fc.constantFrom([], ['world_broadcast' as const]), worldIds: fc.constant([]) }),
})

/** Every command there is: a new one without a generator does not compile. */
const fields = {
  'submit-request': {
    request: newRequest,
    from: fc.constantFrom('agt_a', 'agt_b'),
    to: fc.constantFrom('agt_b', 'agt_a'),
    key: fc.constant(key),
    world: fc.constantFrom(null, 'w'),
    purpose: fc.constantFrom(null, 'Books', 'x'.repeat(300)),
    hasBrief: fc.constantFrom(true, true, true, false),
    origin: fc.constantFrom('chat_request', 'chat_request', 'world_broadcast'),
    broadcast: fc.constant(null),
    replyPolicy: fc.constantFrom('any', 'any', 'any', 'at_most_one', 'zero'),
    dsl: fc.constant([]),
    trace: fc.constantFrom(null, null, { id: 't', agents: ['x', 'y', 'z'] }),
    facts: fc.record({
      policy,
      isBlocked: fc.constantFrom(false, false, false, true),
      isSharedWorld: fc.boolean(),
      isTrusted: fc.boolean(),
    }),
    head: fc.constant('h0'),
    online,
  },
  'accept-request': { request, by, online },
  'reject-request': { request, by },
  'withdraw-request': { request, by },
  'accept-delivery': { request, by, delivery },
  'reply-delivery': {
    request,
    by,
    delivery,
    author: fc.constantFrom('agent', 'owner'),
    text,
    asksOwner: seldom,
    asksEnd: seldom,
    ...link,
  },
  'silence-delivery': {
    request,
    by,
    delivery,
    reason: fc.constantFrom(...silenceReasons),
    asksOwner: fc.constantFrom(false, false, true),
    asksEnd: fc.constantFrom(false, false, true),
  },
  'write-turn': { request, by, text, ...link },
  'resume-side': { request, by },
  'note-connection': { request, by, isOnline: fc.boolean() },
  'note-change': { request, why: fc.constantFrom('world', 'profile', 'world_closed') },
  'close-conversation': {
    request,
    by: fc.constantFrom('agt_a', 'agt_c', null),
    reason: fc.constantFrom('owner_closed', 'owner_stopped_all', 'budget_spent', 'turns_spent', 'removed_from_world'),
  },
  'notice-budget': { request, why: fc.constantFrom('tokens', 'money', 'turns') },
  'block-conversation': { request, by },
  'pass-time': { request },
} satisfies Record<ConversationCommand['type'], Record<string, fc.Arbitrary<unknown>>>

/** Commands that end or refuse are drawn seldom: most histories would be over at once. */
const weights: Partial<Record<ConversationCommand['type'], number>> = {
  'reply-delivery': 40,
  'submit-request': 6,
  'accept-request': 8,
  'resume-side': 6,
  'write-turn': 6,
  'note-connection': 4,
  'accept-delivery': 6,
}

const command = fc
  .tuple(
    fc.constantFrom(0, 1_000, 20_000, 20_000, 60_000, 3_600_000),
    fc.oneof(
      ...Object.entries(fields).map(([type, data]) => ({
        weight: weights[type as ConversationCommand['type']] ?? 1,
        arbitrary: fc.record({ type: fc.constant(type), ...data }),
      })),
    ),
  )
  // Through JSON, because generated objects may have no prototype and would differ from what a store gives.
  .map(([after, rest]) => JSON.parse(JSON.stringify({ after, ...rest })) as ConversationCommand & { after: number })

function fit(state: ConversationState, each: ConversationCommand & { after: number }, at: number): Timed<ConversationCommand> {
  const { after: _, ...plain } = each
  const fitted = { ...plain, at } as Record<string, unknown>
  const { episode } = state
  if (fitted.request === 'fit') fitted.request = episode?.request ?? 'none'
  // The side that has something to answer.
  if (fitted.by === 'fit') fitted.by = (episode?.sender.inFlight ? episode.sender : episode?.recipient)?.agent ?? 'none'
  const side = fitted.by === episode?.sender.agent ? episode?.sender : episode?.recipient
  if (fitted.delivery === 'fit') fitted.delivery = side?.inFlight?.delivery ?? 'none'
  if (fitted.turn === -1) fitted.turn = (episode?.turns ?? 0) + 1
  if (fitted.previous === 'fit') fitted.previous = episode?.head ?? ''
  if (fitted.hash === 'fit') fitted.hash = `h${(episode?.turns ?? 0) + 1}`
  return fitted as Timed<ConversationCommand>
}

type Step = { before: ConversationState; command: Timed<ConversationCommand>; events: ConversationEvent[] | null; after: ConversationState }

function play(commands: readonly (ConversationCommand & { after: number })[]): Step[] {
  let state = initialConversation
  let at = 0
  return commands.map((each) => {
    const before = state
    const given = fit(before, each, (at += each.after))
    const decision = decideConversation(before, given)
    if ('refused' in decision) return { before, command: given, events: null, after: before }
    state = decision.events.reduce(evolveConversation, before)
    return { before, command: given, events: decision.events, after: state }
  })
}

/** Most histories begin with a request that is accepted; the others begin anywhere. */
const beginning: (ConversationCommand & { after: number })[] = [
  { ...submit(), after: 0 },
  { ...(accept() as ConversationCommand), after: 1 },
]
const histories = fc
  .tuple(fc.array(command, { minLength: 1, maxLength: 90, size: 'max' }), fc.constantFrom(2, 2, 2, 1, 0))
  .map(([commands, begun]) => play([...beginning.slice(0, begun), ...commands]))
const check = (holds: (steps: Step[]) => void): void => fc.assert(fc.property(histories, holds), { numRuns: 300 })
const allEvents = (steps: readonly Step[]): ConversationEvent[] => steps.flatMap((step) => step.events ?? [])

test('deciding is total and pure, and a fold from zero gives the same state', () => {
  let turns = 0
  check((steps) => {
    for (const { before, command: each } of steps) {
      const copy = structuredClone(before)
      assert.deepEqual(decideConversation(before, each), decideConversation(before, each))
      assert.deepEqual(before, copy)
    }
    const last = steps.at(-1)?.after
    assert.deepEqual(allEvents(steps).reduce(evolveConversation, initialConversation), last)
    assert.equal(last?.seq, allEvents(steps).length)
    assert.deepEqual(JSON.parse(JSON.stringify(last)), last)
    turns += allEvents(steps).filter(({ type }) => type === 'turn.added').length
  })
  assert.ok(turns > 500, `only ${turns} turns were made`)
})

test('a command that was accepted changes nothing when it is repeated', () => {
  const repeatable = new Set([
    'submit-request',
    'accept-request',
    'reject-request',
    'withdraw-request',
    'accept-delivery',
    'reply-delivery',
    'silence-delivery',
    'close-conversation',
    'block-conversation',
    'note-connection',
  ])
  check((steps) => {
    for (const { command: each, events, after } of steps) {
      if (!events || events.length === 0 || !repeatable.has(each.type)) continue
      const again = decideConversation(after, each)
      assert.deepEqual(again, { events: [] }, `${each.type} ${JSON.stringify(events.map(({ type }) => type))}`)
    }
  })
})

test('each side has at most one delivery in flight, and each delivery takes one result', () => {
  check((steps) => {
    const flying = new Map<string, string>()
    const settled = new Set<string>()
    for (const event of allEvents(steps)) {
      if (event.type === 'delivery.made') {
        assert.ok(!flying.has(event.data.side))
        flying.set(event.data.side, event.data.delivery)
      }
      const result = event.type === 'delivery.silent' ? event.data.delivery : event.type === 'turn.added' ? event.data.delivery : null
      if (result !== null && 'side' in event.data) {
        assert.equal(flying.get(event.data.side), result)
        assert.ok(!settled.has(result))
        settled.add(result)
        flying.delete(event.data.side)
      }
      if (event.type === 'conversation.ended') flying.clear()
    }
  })
})

test('nothing is delivered or written before acceptance or after the end', () => {
  check((steps) => {
    let live: string | null = null
    for (const event of allEvents(steps)) {
      if (event.type === 'request.accepted') live = event.data.request
      if (['delivery.made', 'turn.added', 'side.rested', 'side.asked-to-end', 'kickoff.moved'].includes(event.type))
        assert.equal(event.data.request, live)
      if (event.type === 'conversation.ended') live = null
    }
  })
})

test('an episode ends once and never passes its turns', () => {
  check((steps) => {
    const ended = new Set<string>()
    const turns = new Map<string, number>()
    for (const event of allEvents(steps)) {
      if (event.type === 'conversation.ended') {
        assert.ok(!ended.has(event.data.request))
        ended.add(event.data.request)
      }
      if (event.type === 'turn.added') {
        assert.equal(event.data.turn, (turns.get(event.data.request) ?? 0) + 1)
        turns.set(event.data.request, event.data.turn)
        assert.ok(event.data.turn <= worldLimits.turns)
      }
    }
  })
})

test('a live episode always has a deadline, and passing it ends the episode', () => {
  check((steps) => {
    for (const { after } of steps) {
      const { episode } = after
      if (!isLive(episode) && episode?.status !== 'pending') continue
      const due = nextDeadline(after)
      assert.ok(due !== null, JSON.stringify(episode))
      const decision = decideConversation(after, { type: 'pass-time', at: due, request: episode.request })
      assert.ok('events' in decision)
      const over = decision.events.reduce(evolveConversation, after)
      assert.ok(!isLive(over.episode) && over.episode?.status !== 'pending')
    }
  })
})

test('every state says what comes next and why', () => {
  check((steps) => {
    for (const { after } of steps) {
      if (!after.episode) continue
      const { nextAction, reason } = getNextStep(after.episode)
      assert.ok(nextAction.length > 0 && reason.length > 0)
    }
  })
})
