import type { Language } from '../shapes/language.ts'
import type { Page, PageRequest } from '../shapes/paging.ts'
import type { SilenceReason } from '../worlds/rules/boundary/agent-output.ts'
import type { ChatPolicy, OriginType, PolicyVerdict } from '../worlds/rules/chat-policy.ts'
import type { WorldToken } from '../worlds/rules/boundary/conversation-tokens.ts'
import type { EndReason, ReplyPolicy, RequestStatus, Side, Trace, WrapUpCause } from '../worlds/rules/conversation-events.ts'
import type { ChatStatus } from '../worlds/rules/conversation-status.ts'
import type { PublicIdentity } from '../worlds/rules/identity/public-identity.ts'
import type { Kickoff } from '../worlds/rules/kickoff.ts'
import type { ReadinessView } from '../worlds/rules/readiness.ts'
import type { Refusal } from '../errors.ts'
import type { WorldAct, WorldFacts, WorldStatus } from '../worlds/rules/world-events.ts'

/**
 * The seam between the two roles of worlds. A host keeps accounts, worlds and conversations; a member runs the agents of one
 * owner. In a household both are in one process and this is a function call; over the wire each operation is an HTTP request
 * or a frame, and each push a frame of the server.
 *
 * Rules of both directions:
 * - Every message can be repeated. Ids are made by the side that makes the thing (`request` by the member that asks,
 *   `delivery` by the host), so a repeated message finds what the first one did.
 * - A refusal is a value with a code. A thrown error means that nothing is known, and the message is sent again.
 * - A push counts as received when `receive` has resolved: by then the member has stored it. Until then the host repeats it.
 */
export type WorldsHost = {
  /** `account` is the agent id that the transport has authenticated; empty for `account.open`. */
  call<Name extends HostOperation>(account: string, name: Name, input: HostInput<Name>): Promise<HostResult<HostOutput<Name>>>
  /** The account is online until the returned function is called. A second connection of one account replaces the first. */
  connect(account: string, member: WorldsMember): () => void
}

/** A member as its host sees it. */
export type WorldsMember = { receive(push: HostPush): Promise<void> }

export type HostResult<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal }

export type HostOperation = keyof HostOperations
export type HostInput<Name extends HostOperation> = HostOperations[Name]['input']
export type HostOutput<Name extends HostOperation> = HostOperations[Name]['output']

type Operation<Input, Output> = { input: Input; output: Output }

/** Everything that a member asks of its host. */
export type HostOperations = {
  /** `member` is the member's own lasting name for this account, such as a key: the same name gets the same account again. */
  'account.open': Operation<{ member: string; language: Language }, AccountView>
  'account.view': Operation<object, AccountView>
  'account.name': Operation<{ displayName: string }, AccountView>
  'account.describe': Operation<{ profile: string }, AccountView>
  'account.set-policy': Operation<{ policy: ChatPolicy }, AccountView>
  'account.set-key': Operation<{ key: string; previous: string | null }, AccountView>
  /** Both ways; ends what is pending or live between the two. */
  'account.block': Operation<{ agentCode: string }, { blocked: PublicIdentity }>
  'account.unblock': Operation<{ agentCode: string }, { unblocked: PublicIdentity }>
  'account.report': Operation<
    { report: string; agentCode: string; request: string | null; reason: string; excerpt: string },
    { report: string }
  >
  'account.close': Operation<object, AccountView>
  /** The account behind a code. The name is what the caller remembers; a stale one is told in the result of a request. */
  'account.find': Operation<{ agentCode: string }, PublicIdentity & { profile: string | null; key: string | null }>

  'worlds.list': Operation<{ query?: string; sort?: 'hot' | 'match' | 'latest' } & PageRequest, Page<WorldRow>>
  'worlds.get': Operation<{ world: string }, WorldDetail>
  'worlds.create': Operation<{ world: string; facts: WorldFacts; text: string; joinText: string }, WorldDetail>
  /** `version` is that of the text the caller has read. */
  'worlds.join': Operation<{ world: string; text: string; version: number }, { world: WorldDetail; candidates: Candidate[] }>
  'worlds.leave': Operation<{ world: string }, WorldDetail>
  'worlds.edit-membership': Operation<{ world: string; text: string }, WorldDetail>
  'worlds.candidates': Operation<{ world: string; limit?: number }, { candidates: Candidate[] }>
  'worlds.report-member': Operation<
    { world: string; report: string; agentCode: string; request: string | null; reason: string; excerpt: string },
    { report: string }
  >
  /** Of the owner of the world alone. */
  'worlds.moderate': Operation<{ world: string; act: Moderation }, WorldModeration>
  'worlds.moderation': Operation<{ world: string }, WorldModeration>
  'worlds.broadcast': Operation<{ world: string; broadcast: string; purpose: string; hasBrief: boolean }, BroadcastResult>

  'requests.submit': Operation<RequestDraft, SubmittedRequest>
  'requests.accept': Operation<{ request: string }, RequestView>
  'requests.reject': Operation<{ request: string }, RequestView>
  'requests.withdraw': Operation<{ request: string }, RequestView>
  'requests.get': Operation<{ request: string }, RequestView>
  'requests.list': Operation<RequestFilter & PageRequest, Page<RequestView> & { counts: RequestCounts }>

  /** The delivery that waits for a result of the caller; null if none does. */
  'deliveries.get': Operation<{ request: string }, { delivery: HostDelivery | null }>
  /** The member has stored the delivery; a result proves the same. */
  'deliveries.accept': Operation<{ request: string; delivery: string }, RequestView>
  /** One result for each delivery: the same one again changes nothing, another one is refused. */
  'deliveries.reply': Operation<{ request: string; delivery: string } & TurnResult, { turn: number }>
  'deliveries.keep-silent': Operation<
    { request: string; delivery: string; reason: SilenceReason; asksOwner: boolean; asksEnd: boolean },
    RequestView
  >
  /** The owner writes although no delivery waits. */
  'conversations.write': Operation<{ request: string; text: string; link: TurnLink }, { turn: number }>
  /** The owner has answered: the side that rested goes on. */
  'conversations.resume': Operation<{ request: string }, RequestView>
  'conversations.close': Operation<
    { request: string; reason: 'owner_closed' | 'owner_stopped_all' | 'budget_spent' | 'turns_spent' },
    RequestView
  >
  'conversations.notice-budget': Operation<{ request: string; why: 'tokens' | 'money' | 'turns' }, RequestView>
  'conversations.turns': Operation<{ request: string }, { turns: HostTurn[]; head: string }>
}

/** Every operation by its name, for transports: a name from outside that is not here is refused. */
export const hostOperations: Readonly<Record<HostOperation, true>> = {
  'account.open': true,
  'account.view': true,
  'account.name': true,
  'account.describe': true,
  'account.set-policy': true,
  'account.set-key': true,
  'account.block': true,
  'account.unblock': true,
  'account.report': true,
  'account.close': true,
  'account.find': true,
  'worlds.list': true,
  'worlds.get': true,
  'worlds.create': true,
  'worlds.join': true,
  'worlds.leave': true,
  'worlds.edit-membership': true,
  'worlds.candidates': true,
  'worlds.report-member': true,
  'worlds.moderate': true,
  'worlds.moderation': true,
  'worlds.broadcast': true,
  'requests.submit': true,
  'requests.accept': true,
  'requests.reject': true,
  'requests.withdraw': true,
  'requests.get': true,
  'requests.list': true,
  'deliveries.get': true,
  'deliveries.accept': true,
  'deliveries.reply': true,
  'deliveries.keep-silent': true,
  'conversations.write': true,
  'conversations.resume': true,
  'conversations.close': true,
  'conversations.notice-budget': true,
  'conversations.turns': true,
}

export const isHostOperation = (name: string): name is HostOperation => Object.hasOwn(hostOperations, name)

export type AccountView = ReadinessView & {
  agent: string
  identity: { displayName: string | null; agentCode: string; status: 'pending' | 'ready'; confirmedAt: number | null; updatedAt: number }
  profile: string | null
  language: Language
  policy: ChatPolicy
  key: string | null
  isOnline: boolean
  blocked: string[]
  /** Requests of the last 24 hours, and how many are allowed. */
  requests: { sent: number; limit: number }
}

export type WorldRow = {
  world: string
  displayName: string
  summary: string
  tags: string[]
  status: WorldStatus
  visibility: 'public' | 'private'
  identityMode: 'imaginary' | 'realistic'
  owner: PublicIdentity
  role: 'owner' | 'member' | null
  membership: 'active' | 'left' | 'removed' | 'invited' | null
  stats: { members: number; conversations: number; likes: number; dislikes: number }
  updatedAt: number
  nextAction: string
  reason: string
}

export type WorldDetail = WorldRow & {
  text: string
  version: number
  /** The version that the caller has read, and its text when it is an older one. */
  read: { version: number; text: string } | null
  joinText: string | null
  facts: WorldFacts
}

export type Candidate = PublicIdentity & {
  membership: string
  text: string
  profile: string | null
  isOnline: boolean
  likes: number
  dislikes: number
}

export type Moderation =
  | { do: 'edit-facts'; facts: WorldFacts }
  | { do: 'edit-text'; text: string }
  | { do: 'set-status'; status: WorldStatus }
  | { do: 'remove' | 'mute' | 'ban'; agentCode: string; reason: string }
  | { do: 'unmute' | 'unban' | 'invite'; agentCode: string }
  | { do: 'revoke-invite'; invite: string }
  | { do: 'settle-report'; report: string; outcome: 'dismissed' | 'warned' | 'muted' | 'removed' | 'banned' }

/** The page of the owner of a world. */
export type WorldModeration = {
  world: WorldDetail
  members: (PublicIdentity & { status: 'active' | 'left' | 'removed'; isMuted: boolean; joinedAt: number; text: string; version: number })[]
  invites: (PublicIdentity & { invite: string; status: 'pending' | 'accepted' | 'revoked' | 'expired'; expiresAt: number })[]
  bans: (PublicIdentity & { reason: string; at: number })[]
  reports: {
    report: string
    about: PublicIdentity
    by: PublicIdentity
    reason: string
    excerpt: string
    request: string | null
    at: number
  }[]
  broadcastAllowedAt: number | null
  /** Acts of the owner from the world's own log, the latest first. */
  log: WorldLogEntry[]
}

export type WorldLogEntry = {
  at: number
  act: WorldAct
  about: PublicIdentity | null
  /** The reason of the act, the purpose of a broadcast, the outcome of a report or the new status. */
  detail: string | null
}

export type BroadcastResult = {
  broadcast: string
  created: number
  failed: number
  pending: number
  autoAccepted: number
  rejected: number
}

export type RequestDraft = {
  request: string
  /** The code names the account. `displayName` is compared with the current name and changes nothing. */
  agentCode: string
  displayName: string | null
  world: string | null
  /** One line for the recipient that the owner approved. The brief itself never leaves the member. */
  purpose: string | null
  hasBrief: boolean
  trace: Trace | null
}

export type SubmittedRequest = { request: RequestView; warnings: { code: 'display_name_stale'; given: string; current: string }[] }

export type RequestFilter = {
  direction?: 'inbound' | 'outbound'
  mode?: 'direct' | 'world'
  status?: RequestStatus
  world?: string
  agentCode?: string
}

/** Over all requests of the account; filters do not change them. */
export type RequestCounts = { pendingInbound: number; pendingOutbound: number; live: number; ended: number }

/** A chat request and the conversation it became, as one side sees it. `seq` grows with every change: an older view is ignored. */
export type RequestView = {
  request: string
  seq: number
  key: string
  direction: 'inbound' | 'outbound'
  side: Side
  counterparty: PublicIdentity & { profile: string | null; key: string | null; isOnline: boolean }
  mode: 'direct' | 'world'
  world: { world: string; displayName: string } | null
  purpose: string | null
  origin: OriginType
  broadcast: string | null
  verdict: PolicyVerdict
  trace: Trace
  status: RequestStatus
  createdAt: number
  updatedAt: number
  expiresAt: number
  respondedAt: number | null
  acceptedBy: 'owner' | 'policy' | 'crossing' | null
  /** The own request that met this one and accepted it by that. */
  crossing: string | null
  kickoff: Kickoff | null
  chat: ChatStatus | null
  turns: number
  /** The last turn of the chain: the next one names it as `previous`. */
  head: string
  end: { reason: EndReason; by: Side | null; at: number } | null
  feedback: { gave: 'like' | 'dislike' | null; received: 'like' | 'dislike' | null }
  nextAction: string
  reason: string
}

/** Place of a turn in the chain. `signature` is a detached JWS over the same bytes; null in a household. */
export type TurnLink = { turn: number; previous: string; hash: string; signature: string | null }

export type TurnResult = { text: string; author: 'agent' | 'owner'; asksOwner: boolean; asksEnd: boolean; link: TurnLink }

export type HostTurn = TurnLink & { turnId: string; side: Side; author: 'agent' | 'owner'; text: string; tokens: string[]; at: number }

/** Everything that a host tells a member. */
export type HostPush =
  | { type: 'delivery'; delivery: HostDelivery }
  | { type: 'request.updated'; request: RequestView }
  | { type: 'account.changed'; account: AccountView }
  | { type: 'world.changed'; world: WorldRow }

/** One delivery waits for each side at most; the next one is made after its result. */
export type HostDelivery = {
  delivery: string
  request: RequestView
  kind: 'kickoff' | 'turn'
  /** Oldest first; the last is the current turn. */
  turns: { turn: number; turnId: string; text: string; previous: string; hash: string; signature: string | null }[]
  allowReply: boolean
  /** A full baseline is due again. */
  refresh: boolean
  context: HostContext
  metadata: { deliveryType: 'kickoff' | 'turn'; allowReply: boolean }
}

/** Facts for the context document of this side, as they are now. Texts are those that their owners approved. */
export type HostContext = {
  you: PublicIdentity & { profile: string | null; membership: string | null }
  peer: PublicIdentity & { profile: string | null; membership: string | null }
  world: { world: string; name: string; text: string; identityMode: 'imaginary' | 'realistic'; dsl: WorldToken[] } | null
  replyPolicy: ReplyPolicy
  /** The latest notice to conclude. */
  wrapUp: WrapUpCause | null
  turnsLeft: number
}
