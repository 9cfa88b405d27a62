import type { Store, ViewRow } from '../../ports/store.ts'
import type { AccountState } from '../rules/account-state.ts'
import type { ConversationEvent, Side } from '../rules/conversation-events.ts'
import { getChatStatus, getNextStep } from '../rules/conversation-status.ts'
import { type ConversationState, type Episode, isLive, isOver } from '../rules/conversation-state.ts'
import { kickoffRecord } from '../rules/evolve-conversation.ts'
import type { WorldState } from '../rules/world-state.ts'

/** Views of the host. All of them follow from its streams. */
export const hostViews = {
  /** Accounts by agent; the group is the code. */
  account: 'world-account',
  /** Worlds; the group is the visibility. */
  world: 'world',
  /** Memberships and invites by `world:agent`; the group is the agent. */
  membership: 'world-membership',
  /** Requests as one side sees them by `request:agent`; the group is the agent. */
  request: 'world-request',
  /** The same keys; the group is the agent and a bucket. */
  bucket: 'world-request-bucket',
  /** Conversations with a pending or live episode by their key; the group is the world, or `direct`. */
  open: 'world-open',
  /** Turns by their id; the group is the request. */
  turn: 'world-turn',
} as const

export type RequestBucket = 'pending_inbound' | 'pending_outbound' | 'live' | 'ended'

export const requestKey = (request: string, agent: string): string => `${request}:${agent}`

export const bucketGroup = (agent: string, bucket: RequestBucket): string => `${agent}/${bucket}`

/** A request and its conversation as the host stores it in a row, apart from what it reads fresh from accounts and worlds. */
export type RequestRecord = ReturnType<typeof toRecord>

export function toRecord(state: ConversationState, episode: Episode) {
  const { request, world, purpose, origin, broadcast, verdict, trace, status, createdAt, expiresAt, respondedAt } = episode
  const { nextAction, reason } = getNextStep(episode)
  return {
    request,
    key: state.key,
    seq: state.seq,
    from: episode.sender.agent,
    to: episode.recipient.agent,
    world,
    purpose,
    origin,
    broadcast,
    verdict,
    trace,
    status,
    createdAt,
    updatedAt: state.updatedAt,
    expiresAt,
    respondedAt,
    acceptedBy: episode.acceptedBy,
    crossing: episode.crossing,
    kickoff: kickoffRecord(state),
    chat: getChatStatus(episode),
    turns: episode.turns,
    head: episode.head,
    end: episode.end,
    feedback: state.feedback,
    nextAction,
    reason,
  }
}

const chooseBucket = (episode: Episode, side: Side): RequestBucket =>
  isOver(episode) ? 'ended' : isLive(episode) ? 'live' : side === 'sender' ? 'pending_outbound' : 'pending_inbound'

type Row = ViewRow | { view: string; key: string; body: null }

export function conversationRows(events: readonly ConversationEvent[], after: ConversationState): Row[] {
  const { episode } = after
  if (!episode) return []
  const body = toRecord(after, episode)
  const rows: Row[] = (['sender', 'recipient'] as const).flatMap((side) => {
    const { agent } = episode[side]
    const row = { key: requestKey(episode.request, agent), sort: episode.createdAt, text: body.purpose ?? '' }
    return [
      { ...row, view: hostViews.request, group: agent, body },
      { ...row, view: hostViews.bucket, group: bucketGroup(agent, chooseBucket(episode, side)), body: { key: after.key } },
    ]
  })
  rows.push(
    isOver(episode)
      ? { view: hostViews.open, key: after.key, body: null }
      : {
          view: hostViews.open,
          key: after.key,
          group: episode.world ?? 'direct',
          sort: episode.createdAt,
          text: '',
          body: { request: episode.request },
        },
  )
  for (const event of events)
    if (event.type === 'turn.added') {
      const { turnId, request, turn } = event.data
      rows.push({ view: hostViews.turn, key: turnId, group: request, sort: -turn, text: '', body: { ...event.data, at: event.at } })
    }
  return rows
}

export type TurnRecord = Extract<ConversationEvent, { type: 'turn.added' }>['data'] & { at: number }

/** The turns of a request, oldest first. There are never more than a page of them. */
export async function readTurns(store: Store, request: string): Promise<TurnRecord[]> {
  const rows = await store.rows({ view: hostViews.turn, group: request, limit: 200 })
  return rows.map(({ body }) => body as TurnRecord)
}

export const accountRow = ({ agent, code, updatedAt }: AccountState): ViewRow => ({
  view: hostViews.account,
  key: agent,
  group: code,
  sort: updatedAt,
  text: '',
  body: {},
})

export function worldRow({ world, facts, updatedAt, conversations }: WorldState): ViewRow {
  const text = [facts.displayName, facts.summary, ...facts.tags].join('\n')
  return { view: hostViews.world, key: world, group: facts.visibility, sort: updatedAt, text, body: { conversations } }
}

export const membershipRow = (world: string, agent: string, at: number): ViewRow => ({
  view: hostViews.membership,
  key: `${world}:${agent}`,
  group: agent,
  sort: at,
  text: '',
  body: { world },
})
