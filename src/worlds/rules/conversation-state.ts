import type { WorldToken } from './boundary/conversation-tokens.ts'
import type { OriginType, PolicyVerdict } from './chat-policy.ts'
import type { EndReason, ReplyPolicy, RequestStatus, Side, Trace, WrapUpCause } from './conversation-events.ts'
import type { Kickoff } from './kickoff.ts'
import type { TurnPrint } from './loop-stop.ts'

export type Delivery = {
  delivery: string
  kind: 'kickoff' | 'turn'
  turns: readonly number[]
  allowReply: boolean
  refresh: boolean
  madeAt: number
  acceptedAt: number | null
}

/** State of one side as the host knows it. */
export type SideState = {
  agent: string
  isOnline: boolean
  offlineSince: number | null
  /** At most one: further turns wait in `queued`. */
  inFlight: Delivery | null
  queued: readonly number[]
  /** The last delivery with its result, so that a repeated result is recognised: a hash, or `silent`. */
  settled: { delivery: string; result: string } | null
  turns: number
  asksEnd: boolean
  asksOwnerSince: number | null
  /** The next delivery brings a full context document. */
  isRefreshDue: boolean
}

/** One request and the intent it becomes. */
export type Episode = {
  request: string
  world: string | null
  purpose: string | null
  hasBrief: boolean
  origin: OriginType
  broadcast: string | null
  replyPolicy: ReplyPolicy
  dsl: readonly WorldToken[]
  trace: Trace
  verdict: PolicyVerdict
  status: RequestStatus
  createdAt: number
  expiresAt: number
  respondedAt: number | null
  acceptedBy: 'owner' | 'policy' | 'crossing' | null
  crossing: string | null
  kickoff: Kickoff | null
  sender: SideState
  recipient: SideState
  turns: number
  deliveries: number
  /** Hash of the last turn. */
  head: string
  recent: readonly TurnPrint[]
  silencesInRow: number
  wrapUps: readonly WrapUpCause[]
  /** Time without progress so far, and since when it runs on; null while it stands still. */
  idleMs: number
  idleSince: number | null
  end: { reason: EndReason; by: Side | null; at: number } | null
}

export type EpisodeSummary = { request: string; from: string; status: RequestStatus; turns: number; reason: EndReason | null; at: number }

export type ConversationState = {
  seq: number
  key: string
  /** The latest episode, also when it is over. */
  episode: Episode | null
  earlier: readonly EpisodeSummary[]
  /** First vote of each agent about the other. */
  feedback: Readonly<Record<string, 'like' | 'dislike'>>
  /** Turns of the running UTC day over all episodes. */
  day: { day: number; turns: number }
  updatedAt: number
}

export const initialConversation: ConversationState = {
  seq: 0,
  key: '',
  episode: null,
  earlier: [],
  feedback: {},
  day: { day: 0, turns: 0 },
  updatedAt: 0,
}

export const initialSide = (agent: string): SideState => ({
  agent,
  isOnline: false,
  offlineSince: null,
  inFlight: null,
  queued: [],
  settled: null,
  turns: 0,
  asksEnd: false,
  asksOwnerSince: null,
  isRefreshDue: false,
})

export const isOver = ({ status, end }: Episode): boolean => end !== null || (status !== 'pending' && status !== 'accepted')

/** Accepted and not ended: the two may write. */
export const isLive = (episode: Episode | null): episode is Episode & { status: 'accepted'; end: null } =>
  episode !== null && episode.status === 'accepted' && episode.end === null

export const findSide = ({ sender, recipient }: Episode, agent: string): Side | null =>
  agent === sender.agent ? 'sender' : agent === recipient.agent ? 'recipient' : null

const sampleSide: SideState = {
  ...initialSide(''),
  offlineSince: 0,
  inFlight: { delivery: '', kind: 'turn', turns: [0], allowReply: true, refresh: false, madeAt: 0, acceptedAt: 0 },
  queued: [0],
  settled: { delivery: '', result: '' },
  asksOwnerSince: 0,
}

export const conversationSample: ConversationState = {
  ...initialConversation,
  episode: {
    request: '',
    world: '',
    purpose: '',
    hasBrief: true,
    origin: 'chat_request',
    broadcast: '',
    replyPolicy: 'any',
    dsl: [{ name: '', meaning: '', isCounted: false }],
    trace: { id: '', agents: [''] },
    verdict: { decision: 'review', because: 'owner_decides' },
    status: 'pending',
    createdAt: 0,
    expiresAt: 0,
    respondedAt: 0,
    acceptedBy: 'owner',
    crossing: '',
    kickoff: {
      status: 'sent',
      reason: 'queued_expired',
      turnId: '',
      deliveryId: '',
      conversationKey: '',
      localSessionKey: '',
      senderKickoffDeliveredAt: 0,
      openerAcceptedAt: 0,
      openerDeliveredAt: 0,
      liveChatEstablishedAt: 0,
      openerTurnId: '',
      openerDeliveryId: '',
      failedAt: 0,
    },
    sender: sampleSide,
    recipient: sampleSide,
    turns: 0,
    deliveries: 0,
    head: '',
    recent: [{ turn: 0, at: 0, text: '', isAcknowledgement: false, isRepeat: false }],
    silencesInRow: 0,
    wrapUps: ['turns'],
    idleMs: 0,
    idleSince: 0,
    end: { reason: 'both_agreed', by: 'sender', at: 0 },
  },
  earlier: [{ request: '', from: '', status: 'accepted', turns: 0, reason: 'both_agreed', at: 0 }],
  feedback: { a: 'like' },
}
