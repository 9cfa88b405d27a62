import type { Wake } from '../../ports/store.ts'
import type { Consequences, StreamKind } from '../../streams/decider.ts'
import { nextDeadline } from '../rules/conversation-clock.ts'
import type { ConversationEvent } from '../rules/conversation-events.ts'
import { conversationSample, type ConversationState, initialConversation } from '../rules/conversation-state.ts'
import { type ConversationCommand, decideConversation } from '../rules/decide-conversation.ts'
import type { Timed } from '../rules/decision.ts'
import { evolveConversation } from '../rules/evolve-conversation.ts'
import { type FollowUp, hostWork } from './follow-up.ts'
import { conversationRows, requestKey } from './host-rows.ts'

/** A conversation as the stream handler runs it: its rules, its rows, its next time limit and the news for both sides. */
export const conversationKind: StreamKind<ConversationState, Timed<ConversationCommand>, ConversationEvent> = {
  initial: initialConversation,
  decide: decideConversation,
  evolve: evolveConversation,
  consequences,
  sample: conversationSample,
  weigh: ({ episode }) => 3_000 + (episode?.recent.length ?? 0) * 1_000,
}

function consequences(_stream: string, events: readonly ConversationEvent[], after: ConversationState): Consequences {
  const { episode, key } = after
  const at = events.at(-1)?.at ?? 0
  if (!episode) return {}
  const clock = { kind: hostWork.clock, key }
  const deadline = nextDeadline(after)
  const pushes: Wake[] = [episode.sender, episode.recipient].map(({ agent }) => ({
    kind: hostWork.push,
    key: requestKey(episode.request, agent),
    at,
  }))
  const follow = events.flatMap((event) => followUps(event, after))
  return {
    rows: conversationRows(events, after),
    cancel: [clock],
    wake: [...pushes, ...follow, ...(deadline === null ? [] : [{ ...clock, at: deadline }])],
  }
}

function followUps(event: ConversationEvent, { episode }: ConversationState): Wake[] {
  if (!episode) return []
  const { request, world } = episode
  const wake = (payload: FollowUp): Wake[] => [
    { kind: hostWork.follow, key: `${request}/${payload.do}/${event.type}`, at: event.at, payload },
  ]
  if (event.type === 'request.accepted') {
    const isByOwner = event.data.by !== 'policy'
    return wake({ do: 'accepted', request, from: episode.sender.agent, to: episode.recipient.agent, world, isByOwner })
  }
  if (event.type !== 'feedback.given' || world === null) return []
  const { from, to, kind } = event.data
  return [
    {
      kind: hostWork.follow,
      key: `${request}/voted/${from}`,
      at: event.at,
      payload: { do: 'voted', request, from, to, world, kind } satisfies FollowUp,
    },
  ]
}
