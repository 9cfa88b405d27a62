import { type ConversationEvent, otherSide, type Side, sides } from './conversation-events.ts'
import { type ConversationState, type Episode, isLive } from './conversation-state.ts'

export const turnId = (request: string, number: number): string => `${request}.t${number}`

type DeliveryMade = Extract<ConversationEvent, { type: 'delivery.made' }>

/** Ids follow from the intent and the number of its deliveries, so deciding needs none from outside. */
function makeDelivery(
  episode: Episode,
  number: number,
  at: number,
  data: Pick<DeliveryMade['data'], 'side' | 'kind' | 'turns' | 'allowReply'>,
): DeliveryMade {
  const { request, deliveries } = episode
  const delivery = `${request}.d${deliveries + number}`
  return { type: 'delivery.made', at, data: { request, delivery, refresh: episode[data.side].isRefreshDue, ...data } }
}

/**
 * The deliveries that are due: at most one in flight for each side, and none to a side that waits for its owner. Turns that
 * came meanwhile are folded into one.
 */
export function makeDeliveries({ episode }: ConversationState, at: number): DeliveryMade[] {
  if (!isLive(episode)) return []
  const deliveries: DeliveryMade[] = []
  for (const side of sides) {
    const { inFlight, queued, asksOwnerSince } = episode[side]
    if (inFlight || asksOwnerSince !== null) continue
    const isKickoff = side === 'sender' && isOpenerOwed(episode)
    if (!isKickoff && queued.length === 0) continue
    const kind = isKickoff ? 'kickoff' : 'turn'
    deliveries.push(
      makeDelivery(episode, deliveries.length + 1, at, {
        side,
        kind,
        turns: [...queued],
        allowReply: isKickoff || mayReply(episode, side),
      }),
    )
  }
  return deliveries
}

const isOpenerOwed = ({ kickoff, turns }: Episode): boolean => turns === 0 && (kickoff?.status === 'sent' || kickoff?.status === 'queued')

/** A side that only learns that the other one asks its owner has nothing to answer yet. */
function mayReply(episode: Episode, side: Side): boolean {
  if (episode[otherSide(side)].asksOwnerSince !== null) return false
  if (episode.replyPolicy === 'any') return true
  return episode.replyPolicy === 'at_most_one' && side === 'recipient' && episode.recipient.turns === 0
}

/** A side whose owner has answered is asked to go on, with the turns that came meanwhile. */
export function makeResumption(state: ConversationState, side: Side, at: number): DeliveryMade[] {
  const { episode } = state
  if (!isLive(episode)) return []
  const due = makeDeliveries(state, at)
  if (episode[side].inFlight || due.some(({ data }) => data.side === side)) return due
  return [...due, makeDelivery(episode, due.length + 1, at, { side, kind: 'turn', turns: [], allowReply: true })]
}
