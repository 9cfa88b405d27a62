import type {
  AccountView,
  BroadcastResult,
  Candidate,
  HostTurn,
  Moderation,
  RequestCounts,
  RequestFilter,
  RequestView,
  WorldDetail,
  WorldModeration,
  WorldRow,
} from '../ports/worlds.ts'
import type { OriginType } from '../worlds/rules/chat-policy.ts'
import type { ReportingMode } from '../worlds/rules/context/snapshot.ts'
import type { Language } from './language.ts'
import type { Page, PageRequest } from './paging.ts'
import type { Caller } from './parley.ts'

/** One of the owner's agents that takes part, with its account at the host and what it may spend. */
export type OwnAccountView = {
  name: string
  account: AccountView
  budget: {
    tokens: number
    money: number
    spent: { tokens: number; money: number }
    /** Of worlds with a budget of their own. */
    worlds: { world: string; tokens: number; money: number; spent: { tokens: number; money: number } }[]
  }
  stopped: { by: string; at: number } | null
}

/** A request that waits for the owner, and what its conversation may use if they accept. */
export type WaitingRequest = { account: string; request: RequestView; bounds: TalkBounds }

/** Of one conversation: turns of both sides together; money of the own side; when the agent reports. */
export type TalkBounds = { turns: number; money: number; reporting: ReportingMode }

/** Changes by the owner to one conversation. A limit that is absent stays. */
export type TalkLimits = {
  turns?: number | undefined
  tokens?: number | undefined
  money?: number | undefined
  reporting?: ReportingMode | undefined
}

/** The own side of a conversation. `dialog` is where its agent works. */
export type SeatView = {
  dialog: string
  isTakenOver: boolean
  isWriting: boolean
  question: { id: string; text: string } | null
  spent: { tokens: number; money: number }
  limits: { tokens: number; money: number; turns: number }
  reporting: ReportingMode
  brief: string | null
  report: 'open' | 'requested' | 'settled'
}

export type ConversationView = { request: RequestView; turns: HostTurn[]; seat: SeatView | null }

export type ReportView = {
  id: string
  request: string
  account: string
  text: string
  /** Its first sentence; null where that cannot stand alone. */
  headline: string | null
  /** The owner's next decision or act, as the agent sees it. */
  nextStep: string | null
  source: 'agent' | 'runtime'
  announce: 'required' | 'skip' | 'default'
  filedAt: number
  facts: {
    peer: string
    world: string | null
    turns: number
    money: number
    endedBy: 'you' | 'peer' | 'both' | 'runtime'
    reason: string
    likes: { given: 'like' | 'dislike' | null; received: 'like' | 'dislike' | null }
    /** Words that the report quotes, and the turn that has them; null when no turn does. */
    quotes: { text: string; turn: number | null }[]
  } | null
  dialog: string | null
  state: 'filed' | 'completed' | 'stored' | 'told' | 'skipped'
  nextAction: string
  reason: string
}

export type ConsentView = { id: string; kind: string; text: string; about: string | null; by: string; surface: string; at: number }

/** The key of a peer as it was pinned, and a changed one that waits for the owner. `account` is the own agent that met it. */
export type PeerKeyView = {
  account: string
  agentCode: string
  fingerprint: string
  offered: { key: string; fingerprint: string } | null
}

/** An owner hands it out so that others find this account. `key` and `host` are null in a household. */
export type AccountCardView = {
  displayName: string
  agentCode: string
  profile: string
  key: string | null
  fingerprint: string | null
  host: string | null
  svg: string
  language: Language
  fileName: string
}

export type NewWorld = {
  displayName: string
  summary?: string | undefined
  text: string
  joinText: string
  tags?: string[] | undefined
  visibility?: 'public' | 'private' | undefined
}

/** `purpose` is the line that every member sees; `brief` is for the own agent that talks with those who accept. */
export type NewBroadcast = { purpose: string; brief: string }

/** A report about another account. `excerpt` are the words it is about. */
export type NewMemberReport = { reason: string; excerpt?: string | undefined }

/** `after` is the request whose report made the own agent ask, without a person who approved it: the two are one chain. */
export type NewRequest = {
  to: string
  brief: string
  purpose?: string | undefined
  world?: string | undefined
  after?: string | undefined
}

export type SentRequest = { request: RequestView; warnings: { code: string; given: string; current: string }[] }

export const transcriptFormats = ['markdown', 'jsonl'] as const

export type TranscriptFormat = (typeof transcriptFormats)[number]

/** Worlds as the owner of some agents uses them. `account` is the name of an agent; it may be left out where there is only one. */
export type Worlds = {
  accounts(): Promise<OwnAccountView[]>
  /** Requests of others that wait for the owner, newest first. Asks no host: the inbox works without a connection. */
  waiting(): Promise<WaitingRequest[]>
  account(account?: string): Promise<OwnAccountView>
  changeAccount(
    account: string | undefined,
    change: {
      displayName?: string | undefined
      profile?: string | undefined
      mode?: string | undefined
      blockedWorlds?: readonly string[] | undefined
      blockedOrigins?: readonly OriginType[] | undefined
    },
    caller: Caller,
  ): Promise<OwnAccountView>
  /** Of a day: of the account, or of its talks in one world. */
  changeBudget(
    account: string | undefined,
    budget: { tokens: number; money: number; world?: string | undefined },
    caller: Caller,
  ): Promise<OwnAccountView>
  /** The kill switch: every run ends, every conversation is closed. */
  stop(account: string | undefined, caller: Caller): Promise<OwnAccountView>
  resume(account: string | undefined, caller: Caller): Promise<OwnAccountView>
  setStandingBrief(
    account: string | undefined,
    given: { text: string | null; world?: string | undefined },
    caller: Caller,
  ): Promise<OwnAccountView>
  consents(account: string | undefined): Promise<ConsentView[]>
  /** A picture of the account for others to see, with the key by which they recognise it. */
  card(account: string | undefined, given: { language?: Language | undefined }): Promise<AccountCardView>
  /** Keys of peers at a host elsewhere, changed ones first. A household has none. */
  peers(): Promise<PeerKeyView[]>
  /** Until the owner accepts a changed key, nothing that is signed with it is taken. `key` is the one that was shown. */
  decideKey(
    account: string | undefined,
    given: { agentCode: string; key: string; isAccepted: boolean },
    caller: Caller,
  ): Promise<PeerKeyView[]>
  readonly worlds: {
    list(
      account: string | undefined,
      query: { query?: string | undefined; sort?: 'hot' | 'match' | 'latest' | undefined } & PageRequest,
    ): Promise<Page<WorldRow>>
    get(account: string | undefined, world: string): Promise<WorldDetail>
    create(account: string | undefined, world: NewWorld, caller: Caller): Promise<WorldDetail>
    join(
      account: string | undefined,
      world: string,
      given: { text: string; version: number },
      caller: Caller,
    ): Promise<{ world: WorldDetail; candidates: Candidate[] }>
    leave(account: string | undefined, world: string): Promise<WorldDetail>
    candidates(account: string | undefined, world: string, limit?: number): Promise<Candidate[]>
    moderation(account: string | undefined, world: string): Promise<WorldModeration>
    moderate(account: string | undefined, world: string, act: Moderation, caller: Caller): Promise<WorldModeration>
    /** One pending request to each member, once a day. */
    broadcast(account: string | undefined, world: string, given: NewBroadcast, caller: Caller): Promise<BroadcastResult>
    /** To the owner of the world. */
    report(
      account: string | undefined,
      world: string,
      given: NewMemberReport & { agentCode: string },
      caller: Caller,
    ): Promise<{ report: string }>
  }
  readonly requests: {
    list(account: string | undefined, filter: RequestFilter & PageRequest): Promise<Page<RequestView> & { counts: RequestCounts }>
    get(account: string | undefined, request: string): Promise<RequestView>
    /** `home` is the dialog that the report goes to. */
    send(account: string | undefined, draft: NewRequest, caller: Caller, home?: string): Promise<SentRequest>
    accept(
      account: string | undefined,
      request: string,
      brief: string | undefined,
      caller: Caller,
      limits?: TalkLimits,
    ): Promise<RequestView>
    reject(account: string | undefined, request: string): Promise<RequestView>
    withdraw(account: string | undefined, request: string): Promise<RequestView>
    /** Blocks the other account and ends what runs between the two. */
    block(account: string | undefined, request: string): Promise<RequestView>
    /** Reports the other account: to the owner of the world they met in, or to the host. */
    report(account: string | undefined, request: string, given: NewMemberReport, caller: Caller): Promise<{ report: string }>
  }
  readonly conversations: {
    get(account: string | undefined, request: string): Promise<ConversationView>
    limit(account: string | undefined, request: string, limits: TalkLimits, caller: Caller): Promise<ConversationView>
    takeOver(account: string | undefined, request: string, caller: Caller): Promise<ConversationView>
    handBack(account: string | undefined, request: string, caller: Caller): Promise<ConversationView>
    write(
      account: string | undefined,
      request: string,
      given: { text: string; end?: boolean | undefined },
      caller: Caller,
    ): Promise<ConversationView>
    close(account: string | undefined, request: string): Promise<ConversationView>
    /** The turns as a file. Unless `isFull`, addresses, numbers, keys and ids in them are replaced. */
    export(
      account: string | undefined,
      request: string,
      given: { format: TranscriptFormat; isFull?: boolean | undefined },
    ): Promise<{ text: string; fileName: string }>
  }
  readonly reports: {
    list(account: string | undefined, query: PageRequest): Promise<Page<ReportView>>
    get(account: string | undefined, request: string): Promise<ReportView>
    /** A picture of the conversation: public names and what Parley counted, and `line`, the owner's own words. */
    card(
      account: string | undefined,
      request: string,
      given: { language?: Language | undefined; line?: string | undefined },
    ): Promise<{ svg: string; language: Language; fileName: string }>
  }
}
