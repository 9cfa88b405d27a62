import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { nextDeadline } from './conversation-clock.ts'
import type { ConversationEvent } from './conversation-events.ts'
import { type ConversationState, initialConversation } from './conversation-state.ts'
import { getChatStatus, getNextStep } from './conversation-status.ts'
import { decideConversation } from './decide-conversation.ts'
import { evolveConversation, kickoffRecord } from './evolve-conversation.ts'
import { accept, key, submit, TalkScript } from './test/samples.ts'
import { dayMs, worldLimits } from './world-limits.ts'

const { given } = deciderSpecification({ initial: initialConversation, decide: decideConversation, evolve: evolveConversation })
const open = { mode: 'open' as const, blocks: { originTypes: [], worldIds: [] } }
const noFacts = { policy: open, isBlocked: false, isSharedWorld: false, isTrusted: false }

const pending = (): ConversationEvent[] => {
  const talk = new TalkScript()
  return talk.give(submit())
}
const types = (events: readonly ConversationEvent[]): string[] => events.map(({ type }) => type)
const status = (state: ConversationState): string | null => (state.episode ? getChatStatus(state.episode) : null)

describe('request', () => {
  test('waits for the owner unless the policy decides', () => {
    given().when(submit()).thenTypes('request.submitted')
    given()
      .when(submit({ facts: noFacts }))
      .thenTypes('request.submitted', 'request.accepted', 'kickoff.moved', 'delivery.made')
    given()
      .when(submit({ facts: { ...noFacts, policy: { ...open, mode: 'reject_all' } } }))
      .thenTypes('request.submitted', 'request.rejected')
    given()
      .when(submit({ facts: { ...noFacts, isBlocked: true } }))
      .thenRefused('peer_not_reachable')
  })

  test('is refused to oneself, in long chains and with long purposes', () => {
    given()
      .when(submit({ to: 'agt_a' }))
      .thenRefused('peer_is_self')
    given()
      .when(submit({ purpose: 'x'.repeat(201) }))
      .thenRefused('text_too_long')
    given()
      .when(submit({ trace: { id: 't', agents: ['x', 'y'] } }))
      .thenTypes('request.submitted')
    given()
      .when(submit({ trace: { id: 't', agents: ['x', 'y', 'z'] } }))
      .thenRefused('chat_chain_too_long')
    given()
      .when(submit({ trace: { id: 't', agents: ['agt_b'] } }))
      .thenRefused('chat_chain_too_long')
    given()
      .when(submit({ trace: { id: 't', agents: ['agt_a'] } }))
      .thenRefused('chat_chain_too_long')
  })

  test('is accepted, rejected and withdrawn by the right side, and repeated safely', () => {
    given(...pending())
      .when(accept())
      .thenTypes('request.accepted', 'kickoff.moved', 'delivery.made')
    given(...pending())
      .when({ ...accept(), by: 'agt_a' } as never)
      .thenRefused('chat_request_not_found')
    given(...pending())
      .when({ type: 'reject-request', at: 1, request: 'crq_1', by: 'agt_b' })
      .thenTypes('request.rejected')
    given(...pending())
      .when({ type: 'withdraw-request', at: 1, request: 'crq_1', by: 'agt_b' })
      .thenRefused('chat_request_not_found')
    given(...pending())
      .when({ type: 'withdraw-request', at: 1, request: 'crq_1', by: 'agt_a' })
      .thenTypes('request.withdrawn')
    given(...pending())
      .when(submit())
      .thenTypes()
    const live = TalkScript.live()
    given(...live.events)
      .when(accept())
      .thenTypes()
    given(...live.events)
      .when({ type: 'reject-request', at: 1, request: 'crq_1', by: 'agt_b' })
      .thenRefused('chat_request_closed')
    given(...live.events)
      .when({ type: 'pass-time', at: 1, request: 'crq_9' })
      .thenRefused('chat_request_not_found')
  })

  test('expires after thirty days', () => {
    const events = pending()
    assert.equal(nextDeadline(given(...events).state), worldLimits.requestMs)
    given(...events)
      .when({ type: 'pass-time', at: worldLimits.requestMs - 1, request: 'crq_1' })
      .thenTypes()
    given(...events)
      .when({ type: 'pass-time', at: worldLimits.requestMs, request: 'crq_1' })
      .thenTypes('request.expired')
    given(...events)
      .when(accept(worldLimits.requestMs))
      .thenRefused('chat_request_closed')
    given(...events)
      .when(submit({ at: worldLimits.requestMs, request: 'crq_2' }))
      .thenTypes('request.expired', 'request.submitted')
  })

  test('that crosses another one accepts it, and the earlier sender opens', () => {
    const crossing = submit({ request: 'crq_2', from: 'agt_b', to: 'agt_a', at: 5, online: ['sender'] })
    const { state, when } = given(...pending())
    when(crossing).thenTypes('request.accepted', 'kickoff.moved', 'delivery.made')
    const decision = decideConversation(state, crossing)
    assert.ok('events' in decision)
    const after = decision.events.reduce(evolveConversation, state)
    const { sender, recipient, acceptedBy, crossing: met, kickoff } = after.episode ?? assert.fail()
    assert.deepEqual([acceptedBy, met, kickoff?.status], ['crossing', 'crq_2', 'queued'])
    assert.deepEqual([sender.agent, sender.isOnline, recipient.isOnline], ['agt_a', false, true])
    given(...pending(), ...decision.events)
      .when(crossing)
      .thenTypes()
  })

  test('a second one is refused while one is pending or live, and opens a new episode afterwards', () => {
    given(...pending())
      .when(submit({ request: 'crq_2' }))
      .thenRefused('request_already_pending')
    const talk = TalkScript.live()
    given(...talk.events)
      .when(submit({ request: 'crq_2' }))
      .thenRefused('conversation_already_active')
    talk.give({ type: 'close-conversation', at: 9, request: 'crq_1', by: 'agt_a', reason: 'owner_closed' })
    given(...talk.events)
      .when(submit({ request: 'crq_2', from: 'agt_b', to: 'agt_a' }))
      .thenTypes('request.submitted')
    talk.give(submit({ request: 'crq_2', from: 'agt_b', to: 'agt_a' }))
    assert.deepEqual(
      talk.state.earlier.map(({ request, reason }) => [request, reason]),
      [['crq_1', 'owner_closed']],
    )
    given(...talk.events)
      .when({ type: 'pass-time', at: 10, request: 'crq_1' })
      .thenRefused('conversation_over')
  })
})

describe('kickoff', () => {
  test('goes from sent to established when the opener arrives', () => {
    const talk = TalkScript.live()
    assert.deepEqual([status(talk.state), kickoffRecord(talk.state)?.status], ['opening', 'sent'])
    talk.reply('agt_a', 'Hello Mira!')
    assert.deepEqual([status(talk.state), kickoffRecord(talk.state)?.openerTurnId], ['opening', 'crq_1.t1'])
    talk.give({ type: 'accept-delivery', at: talk.at, request: 'crq_1', by: 'agt_b', delivery: 'crq_1.d2' })
    const record = kickoffRecord(talk.state) ?? assert.fail()
    assert.deepEqual([record.status, record.openerDeliveryId, record.conversationKey], ['established', 'crq_1.d2', key])
    assert.deepEqual(
      [status(talk.state), getNextStep(talk.state.episode ?? assert.fail()).nextAction],
      ['active', 'runtime_owns_live_conversation'],
    )
  })

  test('waits for a sender who is away, and fails after seven days', () => {
    const talk = new TalkScript()
    talk.give(submit())
    talk.give({ ...accept(), online: ['recipient'] } as never)
    assert.equal(kickoffRecord(talk.state)?.reason, 'queued_sender_offline')
    assert.equal(nextDeadline(talk.state), 1 + worldLimits.kickoffMs)
    given(...talk.events)
      .when({ type: 'pass-time', at: 1 + worldLimits.kickoffMs, request: 'crq_1' })
      .thenTypes('kickoff.moved', 'conversation.ended')
    talk.give({ type: 'note-connection', at: 5, request: 'crq_1', by: 'agt_a', isOnline: true })
    talk.give({ type: 'accept-delivery', at: 6, request: 'crq_1', by: 'agt_a', delivery: 'crq_1.d1' })
    assert.deepEqual([kickoffRecord(talk.state)?.status, kickoffRecord(talk.state)?.reason], ['sent', null])
  })

  test('fails when the sender declines to open, and the pair may try again', () => {
    const talk = TalkScript.live()
    talk.silence('agt_a')
    assert.deepEqual([status(talk.state), kickoffRecord(talk.state)?.reason], ['kickoff_failed', 'sender_declined_to_open'])
    assert.deepEqual(types(talk.give(submit({ request: 'crq_2', at: 99 }))), ['request.submitted'])
  })

  test('is skipped without a brief', () => {
    const talk = new TalkScript()
    talk.give(submit({ hasBrief: false }))
    assert.deepEqual(types(talk.give(accept())), ['request.accepted', 'kickoff.moved'])
    assert.equal(getNextStep(talk.state.episode ?? assert.fail()).nextAction, 'chat_request_accepted_without_opening_message')
  })
})

describe('turns', () => {
  test('a delivery takes one result; the same one again changes nothing', () => {
    const talk = TalkScript.live()
    talk.reply('agt_a', 'Hello')
    const again = {
      type: 'reply-delivery',
      at: 9,
      request: 'crq_1',
      by: 'agt_a',
      delivery: 'crq_1.d1',
      author: 'agent',
      text: 'Hello',
      asksOwner: false,
      asksEnd: false,
      turn: 1,
      previous: 'h0',
      hash: 'h1',
    } as const
    given(...talk.events)
      .when(again)
      .thenTypes()
    given(...talk.events)
      .when({ ...again, hash: 'other' })
      .thenRefused('delivery_settled')
    given(...talk.events)
      .when({ ...again, delivery: 'crq_1.d9' })
      .thenRefused('delivery_settled')
    given(...talk.events)
      .when({ ...again, by: 'agt_c' })
      .thenRefused('chat_request_not_found')
    given(...TalkScript.live().events)
      .when({ ...again, previous: 'stale' })
      .thenRefused('chain_moved')
    given(...TalkScript.live().events)
      .when({ ...again, text: ' ' })
      .thenRefused('empty_text')
    given(...pending())
      .when(again)
      .thenRefused('request_not_accepted')
  })

  test('turns that come while a delivery is in flight are folded into the next one', () => {
    const talk = TalkScript.live()
    talk.reply('agt_a', 'Hello')
    for (const text of ['One more thing', 'And another'])
      talk.give({
        type: 'write-turn',
        at: (talk.at += 1),
        request: 'crq_1',
        by: 'agt_a',
        text,
        turn: (talk.state.episode?.turns ?? 0) + 1,
        previous: talk.state.episode?.head ?? '',
        hash: text,
      })
    assert.deepEqual(talk.state.episode?.recipient.queued, [2, 3])
    const events = talk.reply('agt_b', 'Hi!')
    assert.deepEqual(
      events.filter(({ type }) => type === 'delivery.made').map(({ data }) => ('turns' in data ? [data.side, data.turns] : [])),
      [
        ['sender', [4]],
        ['recipient', [2, 3]],
      ],
    )
    given(...talk.events)
      .when({ type: 'write-turn', at: 9, request: 'crq_1', by: 'agt_a', text: 'x', turn: 5, previous: 'h4', hash: 'h5' })
      .thenRefused('delivery_waits')
  })

  test('the first like of each side counts', () => {
    const talk = TalkScript.live()
    talk.reply('agt_a', 'Hello [[like]]')
    talk.reply('agt_b', 'Hi [[dislike]]')
    talk.reply('agt_a', 'Really? [[dislike]]')
    assert.deepEqual(talk.state.feedback, { agt_a: 'like', agt_b: 'dislike' })
  })

  test('at most 24 turns, with a notice to conclude at 80 %', () => {
    const talk = TalkScript.live()
    const words =
      'zero one two three four five six seven eight nine ten eleven twelve apple river stone cloud paper train window garden forest silver bridge lamp'.split(
        ' ',
      )
    for (let turn = 1; turn <= 24; turn += 1)
      talk.reply(turn % 2 === 1 ? 'agt_a' : 'agt_b', `${words[turn]} ${words[(turn * 7) % 24]} ${words[(turn * 5) % 24]}`)
    assert.equal(talk.state.episode?.end?.reason, 'turns_spent')
    assert.deepEqual(talk.state.episode?.wrapUps, ['turns'])
    const notice = talk.events.findIndex(({ type }) => type === 'wrap-up.noticed')
    assert.equal(talk.events.slice(0, notice).filter(({ type }) => type === 'turn.added').length, 20)
    assert.ok(talk.events.slice(notice).some((event) => event.type === 'delivery.made' && event.data.refresh))
    assert.throws(() => talk.reply('agt_a', 'more'), /conversation_over|delivery_settled/)
  })

  test('a loop is noticed, then closed', () => {
    const talk = TalkScript.live()
    for (let turn = 1; talk.state.episode?.end === null; turn += 1)
      talk.reply(turn % 2 === 1 ? 'agt_a' : 'agt_b', turn % 2 === 1 ? 'Ping, are you there?' : 'Pong, I am here.')
    assert.deepEqual(
      [talk.state.episode?.end?.reason, talk.state.episode?.wrapUps, talk.state.episode?.turns],
      ['loop', ['repeated_turns'], 6],
    )
  })

  test('a broadcast with at most one reply ends after it', () => {
    const talk = new TalkScript()
    talk.give(submit({ origin: 'world_broadcast', replyPolicy: 'at_most_one', world: 'w', facts: noFacts }))
    talk.reply('agt_a', 'A reading evening on Friday.')
    talk.reply('agt_b', 'I will come.')
    assert.equal(talk.state.episode?.end?.reason, 'replies_spent')
    const zero = new TalkScript()
    zero.give(submit({ origin: 'world_broadcast', replyPolicy: 'zero', world: 'w', facts: noFacts }))
    zero.reply('agt_a', 'A reading evening on Friday.')
    assert.throws(() => zero.reply('agt_b', 'I will come.'), /reply_not_allowed/)
    zero.silence('agt_b', 'reply_not_allowed')
    assert.equal(zero.state.episode?.end?.reason, 'replies_spent')
  })
})

describe('end', () => {
  const talking = (): TalkScript => {
    const talk = TalkScript.live()
    talk.reply('agt_a', 'Hello Mira, which book do you like?')
    return talk
  }

  test('both sides ask for it', () => {
    const talk = talking()
    talk.reply('agt_b', 'The atlas. Bye! [[request_conversation_end]]')
    assert.equal(status(talk.state), 'ending')
    talk.reply('agt_a', 'One more question: is it long?')
    talk.reply('agt_b', 'Two hundred pages.')
    talk.reply('agt_a', 'Goodbye then.', { asksEnd: true })
    assert.deepEqual([status(talk.state), talk.state.episode?.end?.reason], ['ended', 'both_agreed'])
  })

  test('one side asks for it and says no more', () => {
    const talk = talking()
    talk.silence('agt_b', 'no_reply_token', true)
    assert.deepEqual(talk.state.episode?.end, { reason: 'asked_to_end', by: 'recipient', at: talk.at })
  })

  test('silence leaves the other side free to write, and ends after twelve minutes', () => {
    const talk = talking()
    talk.silence('agt_b')
    assert.deepEqual([status(talk.state), nextDeadline(talk.state)], ['silent', talk.at + worldLimits.noProgressMs])
    talk.give({
      type: 'write-turn',
      at: (talk.at += 1_000),
      request: 'crq_1',
      by: 'agt_a',
      text: 'Still there?',
      turn: 2,
      previous: 'h1',
      hash: 'h2',
    })
    assert.equal(status(talk.state), 'active')
    talk.silence('agt_b')
    const due = nextDeadline(talk.state) ?? assert.fail()
    talk.give({ type: 'pass-time', at: due, request: 'crq_1' })
    assert.equal(talk.state.episode?.end?.reason, 'silence')
  })

  test('two silences in a row end it', () => {
    const talk = talking()
    talk.reply('agt_b', 'Hi!')
    talk.give({ type: 'write-turn', at: talk.at, request: 'crq_1', by: 'agt_b', text: 'By the way', turn: 3, previous: 'h2', hash: 'h3' })
    talk.silence('agt_a')
    assert.equal(status(talk.state), 'active')
    talk.silence('agt_a')
    assert.equal(talk.state.episode?.end?.reason, 'both_silent')
  })

  test('no progress for twelve minutes; the clock stands still while a member is away', () => {
    const talk = talking()
    const since = talk.at
    talk.give({ type: 'note-connection', at: since + 5 * 60_000, request: 'crq_1', by: 'agt_b', isOnline: false })
    assert.equal(nextDeadline(talk.state), since + 5 * 60_000 + worldLimits.offlineMs)
    const back = since + 29 * dayMs
    talk.give({ type: 'pass-time', at: back, request: 'crq_1' })
    talk.give({ type: 'note-connection', at: back, request: 'crq_1', by: 'agt_b', isOnline: true })
    assert.equal(nextDeadline(talk.state), back + 7 * 60_000)
    given(...talk.events)
      .when({ type: 'pass-time', at: back + 7 * 60_000, request: 'crq_1' })
      .then({ type: 'conversation.ended', data: { request: 'crq_1', reason: 'no_progress', by: null } })
  })

  test('a member who is away for more than thirty days', () => {
    const talk = talking()
    talk.give({ type: 'note-connection', at: talk.at, request: 'crq_1', by: 'agt_b', isOnline: false })
    talk.give({ type: 'pass-time', at: talk.at + 31 * dayMs, request: 'crq_1' })
    assert.deepEqual(talk.state.episode?.end, { reason: 'member_offline', by: 'recipient', at: talk.at + 31 * dayMs })
  })

  test('an owner closes or blocks at any time', () => {
    const talk = talking()
    given(...talk.events)
      .when({ type: 'close-conversation', at: 9, request: 'crq_1', by: 'agt_b', reason: 'owner_closed' })
      .thenTypes('conversation.ended')
    given(...talk.events)
      .when({ type: 'close-conversation', at: 9, request: 'crq_1', by: 'agt_c', reason: 'owner_closed' })
      .thenRefused('chat_request_not_found')
    given(...talk.events)
      .when({ type: 'block-conversation', at: 9, request: 'crq_1', by: 'agt_b' })
      .thenTypes('conversation.ended')
    given(...pending())
      .when({ type: 'block-conversation', at: 9, request: 'crq_1', by: 'agt_b' })
      .thenTypes('request.blocked')
    given(...talk.events)
      .when({ type: 'notice-budget', at: 9, request: 'crq_1', why: 'tokens' })
      .thenTypes('wrap-up.noticed')
    given(...talk.events)
      .when({ type: 'note-change', at: 9, request: 'crq_1', why: 'world_closed' })
      .thenTypes('wrap-up.noticed')
    given(...talk.events)
      .when({ type: 'note-change', at: 9, request: 'crq_1', why: 'profile' })
      .thenTypes('context.changed')
  })
})

describe('ask_owner', () => {
  test('the intent rests, the peer is told without being asked to answer, and the answer resumes it', () => {
    const talk = TalkScript.live()
    talk.reply('agt_a', 'Hello, where do you live?')
    talk.reply('agt_b', 'I will find out.', { asksOwner: true })
    assert.equal(status(talk.state), 'waiting_for_owner')
    assert.equal(talk.state.episode?.sender.inFlight?.allowReply, false)
    assert.equal(talk.state.episode?.idleSince, null)
    talk.silence('agt_a', 'reply_not_allowed')
    assert.equal(nextDeadline(talk.state), talk.at - 20_000 + worldLimits.ownerAnswerMs)
    const events = talk.give({ type: 'resume-side', at: talk.at + 5 * dayMs, request: 'crq_1', by: 'agt_b' })
    assert.deepEqual(types(events), ['side.resumed', 'delivery.made'])
    assert.deepEqual(talk.state.episode?.recipient.inFlight?.turns, [])
    talk.at += 5 * dayMs
    talk.reply('agt_b', 'In the north.')
    assert.deepEqual([status(talk.state), talk.state.episode?.sender.inFlight?.allowReply], ['active', true])
  })

  test('can be used before the opener', () => {
    const talk = TalkScript.live()
    talk.silence('agt_a', 'waiting_for_owner')
    assert.equal(status(talk.state), 'waiting_for_owner')
    talk.give({ type: 'resume-side', at: talk.at, request: 'crq_1', by: 'agt_a' })
    assert.equal(talk.state.episode?.sender.inFlight?.kind, 'kickoff')
  })

  test('closes after thirty days without an answer', () => {
    const talk = TalkScript.live()
    talk.silence('agt_a', 'waiting_for_owner')
    talk.give({ type: 'pass-time', at: talk.at + worldLimits.ownerAnswerMs, request: 'crq_1' })
    assert.equal(talk.state.episode?.end?.reason, 'owner_unanswered')
  })
})
