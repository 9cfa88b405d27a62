import type { Author } from '../../../authority/roles.ts'
import { defaultChatPolicy } from '../chat-policy.ts'
import type { ContextSnapshot } from '../context/snapshot.ts'
import { available } from '../context/snapshot.ts'
import type { ConversationEvent } from '../conversation-events.ts'
import { type ConversationCommand, decideConversation } from '../decide-conversation.ts'
import type { Timed } from '../decision.ts'
import { type ConversationState, initialConversation } from '../conversation-state.ts'
import { evolveConversation } from '../evolve-conversation.ts'
import { conversationKey } from '../streams.ts'
import type { WorldFacts } from '../world-events.ts'

export const owner: Author = { id: 'person:owner', name: 'Mia', role: 'owner' }

export const worldFacts: WorldFacts = {
  displayName: 'Book club',
  summary: 'Swap reading lists.',
  tags: ['books'],
  participantContextField: { fieldId: 'reading', label: 'What you read', description: 'Two or three books.' },
  broadcast: { enabled: true, audience: 'members', replyPolicy: 'at_most_one', excludeSelf: true },
  visibility: 'public',
  identityMode: 'realistic',
  dsl: [{ name: 'star', meaning: 'A book you will read.', isCounted: true }],
}

export const key = conversationKey('agt_a', 'agt_b', null)

type Submit = Timed<Extract<ConversationCommand, { type: 'submit-request' }>>

export const submit = (change: Partial<Submit> = {}): Submit => ({
  type: 'submit-request',
  at: 0,
  request: 'crq_1',
  from: 'agt_a',
  to: 'agt_b',
  key,
  world: null,
  purpose: 'Compare reading lists',
  hasBrief: true,
  origin: 'chat_request',
  broadcast: null,
  replyPolicy: 'any',
  dsl: [],
  trace: null,
  facts: { policy: defaultChatPolicy, isBlocked: false, isSharedWorld: false, isTrusted: false },
  head: 'h0',
  online: ['sender', 'recipient'],
  ...change,
})

export const accept = (at = 1): Timed<ConversationCommand> => ({
  type: 'accept-request',
  at,
  request: 'crq_1',
  by: 'agt_b',
  online: ['sender', 'recipient'],
})

/** A conversation that is driven by its own state: who has a delivery answers it. */
export class TalkScript {
  state: ConversationState = initialConversation
  readonly events: ConversationEvent[] = []
  at = 0

  give(command: Timed<ConversationCommand>): ConversationEvent[] {
    const decision = decideConversation(this.state, command)
    if ('refused' in decision) throw new Error(`refused: ${JSON.stringify(decision.refused)}`)
    this.state = decision.events.reduce(evolveConversation, this.state)
    this.events.push(...decision.events)
    return decision.events
  }

  static live(): TalkScript {
    const talk = new TalkScript()
    talk.give(submit())
    talk.give(accept())
    talk.at = 1
    return talk
  }

  private flight(by: 'agt_a' | 'agt_b') {
    const { episode } = this.state
    const side = by === 'agt_a' ? episode?.sender : episode?.recipient
    return side?.inFlight?.delivery ?? 'none'
  }

  reply(by: 'agt_a' | 'agt_b', text: string, more: { asksOwner?: boolean; asksEnd?: boolean; afterMs?: number } = {}): ConversationEvent[] {
    this.at += more.afterMs ?? 20_000
    const turn = (this.state.episode?.turns ?? 0) + 1
    return this.give({
      type: 'reply-delivery',
      at: this.at,
      request: 'crq_1',
      by,
      delivery: this.flight(by),
      author: 'agent',
      text,
      asksOwner: more.asksOwner ?? false,
      asksEnd: more.asksEnd ?? false,
      turn,
      previous: this.state.episode?.head ?? '',
      hash: `h${turn}`,
    })
  }

  silence(
    by: 'agt_a' | 'agt_b',
    reason: 'no_reply_token' | 'reply_not_allowed' | 'waiting_for_owner' = 'no_reply_token',
    asksEnd = false,
  ): ConversationEvent[] {
    this.at += 20_000
    return this.give({
      type: 'silence-delivery',
      at: this.at,
      request: 'crq_1',
      by,
      delivery: this.flight(by),
      reason,
      asksOwner: reason === 'waiting_for_owner',
      asksEnd,
    })
  }
}

export const snapshot: ContextSnapshot = {
  version: 1,
  intent: 'crq_1',
  side: 'sender',
  language: 'en',
  facts: { mode: 'direct', origin: 'chat_request', replyPolicy: 'any', purpose: available('Compare reading lists about cities') },
  brief: available('Find three books about cities for a reader who is no expert.\nDo not talk about my work. Stop when there are three.'),
  additional: { is: 'not_set' },
  world: { is: 'not_applicable' },
  you: {
    displayName: 'Ada',
    agentCode: '7QX2MN',
    profile: available('Reads a lot, mostly on trains.'),
    membership: { is: 'not_applicable' },
  },
  peer: { displayName: 'Mira', agentCode: '8K4TQZ', profile: available('Librarian for maps.'), membership: { is: 'not_applicable' } },
  policy: { reporting: 'end', isLaterIntent: false, budget: { is: 'not_applicable' }, wrapUp: { is: 'not_applicable' } },
  canary: 'k7mqx2vbn4tzr9whd6pc',
}
