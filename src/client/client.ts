import type { ApprovalDecision } from '../authority/audience.ts'
import type { Role } from '../authority/roles.ts'
import { type Builds, builds } from './builds.ts'
import { type CallOptions, type Fetch, http } from './http.ts'
import { type Live, live, type LiveSocketConstructor } from './live.ts'
import { type MessagingClient, messagingClient } from './messaging-client.ts'
import type {
  Answers,
  ControlsView,
  DialogDetail,
  DialogSummary,
  EventView,
  ExplainRequest,
  GrantView,
  Language,
  Page,
  PolicyExplanation,
  PolicyView,
  QuestionOutcome,
  QuestionView,
  Scope,
  ServerInfo,
  SessionView,
  TapView,
  TokenLimit,
  TokenView,
  WholeInbox,
} from './wire.ts'

export type ClientOptions = {
  /** Where the server is; empty for the page's own origin. */
  baseUrl: string
  /** For programs. A page uses its cookie. */
  token?: string | undefined
  /** Where people are seen to speak from, such as `cli`. Counts with a token that has `admin`; others are `api` or `web`. */
  via?: string | undefined
  fetch?: Fetch | undefined
  WebSocket?: LiveSocketConstructor | undefined
  /** How often a request is tried while the way to the server fails. */
  tries?: number | undefined
  timeoutMs?: number | undefined
}

/** `decision` and the fields after it decide an approval. */
export type AnswerInput = {
  choice?: string
  text?: string
  answers?: Answers
  decision?: ApprovalDecision
  /** With `chat` and `always`: instead of the proposed scope. */
  scope?: string
  where?: Readonly<Record<string, string>>
  /** With `chat` and `always`: an earlier end, in milliseconds since 1970. */
  until?: number
  /** With `deny`: the agent reads it. */
  note?: string
  /** The person confirmed a scope that covers everything of its kind. */
  isConfirmed?: boolean
}

export type Said = { dialog: string; message: string; seq: number }

/** `role` is member unless given. `limit`: all that the token may see and change. */
export type NewTokenOptions = { role?: Role; limit?: TokenLimit }

/** Parley from outside: the same nouns as its HTTP API. Everything that changes something is safe to repeat. */
export type ParleyClient = MessagingClient & {
  readonly dialogs: {
    open(
      input?: { agent?: string; title?: string; text?: string; language?: Language; taskdoc?: string },
      options?: CallOptions,
    ): Promise<DialogDetail>
    get(dialog: string, options?: CallOptions): Promise<DialogDetail>
    /** The latest first. Of people, or those in which agents work on builds. */
    list(
      query?: { search?: string; status?: string; limit?: number; after?: string; of?: 'people' | 'builds' },
      options?: CallOptions,
    ): Promise<Page<DialogSummary>>
    say(dialog: string, text: string, options?: CallOptions): Promise<Said>
    stop(dialog: string, options?: CallOptions): Promise<DialogDetail>
    continue(dialog: string, options?: CallOptions): Promise<DialogDetail>
    title(dialog: string, title: string, options?: CallOptions): Promise<DialogDetail>
    /** The root it belongs to and every side dialog below that, oldest first. */
    tree(dialog: string, options?: CallOptions): Promise<DialogSummary[]>
    /** Gives a side dialog up for good; whoever waits for it is told. */
    declareDead(dialog: string, note?: string, options?: CallOptions): Promise<DialogDetail>
    /** Of one root, or everywhere. Says how many were told. */
    stopAll(root?: string, options?: CallOptions): Promise<{ count: number }>
    resumeAll(root?: string, options?: CallOptions): Promise<{ count: number }>
    /** The owner vouches for everything written in the tree so far. */
    trust(dialog: string, options?: CallOptions): Promise<DialogDetail>
  }
  /** Standing permissions. */
  readonly grants: {
    /** The latest first, ended ones included. */
    list(query?: { agent?: string }, options?: CallOptions): Promise<GrantView[]>
    revoke(grant: string, options?: CallOptions): Promise<GrantView>
  }
  readonly policy: {
    show(options?: CallOptions): Promise<PolicyView>
    /** The decision of the gate about a call that nobody makes. */
    explain(request: ExplainRequest, options?: CallOptions): Promise<PolicyExplanation>
  }
  /** Buttons that plugins put below the last reply. */
  readonly controls: {
    of(dialog: string, options?: CallOptions): Promise<ControlsView>
    tap(dialog: string, control: { turn: number; data: string }, options?: CallOptions): Promise<TapView>
  }
  readonly questions: {
    get(question: string, options?: CallOptions): Promise<QuestionView>
    list(query?: { state?: 'open' | QuestionOutcome; limit?: number; after?: string }, options?: CallOptions): Promise<Page<QuestionView>>
    answer(question: string, answer: AnswerInput, options?: CallOptions): Promise<QuestionView>
    decline(question: string, reason?: string, options?: CallOptions): Promise<QuestionView>
    cancel(question: string, reason?: string, options?: CallOptions): Promise<QuestionView>
  }
  readonly builds: Builds
  inbox(options?: CallOptions): Promise<WholeInbox>
  readonly events: {
    /** With a stream, `after` counts within it; without, over everything. `next` is the `after` to go on with. */
    read(query?: { stream?: string; after?: number; limit?: number }, options?: CallOptions): Promise<Page<EventView>>
  }
  readonly tokens: {
    /** The token itself is in this answer and never again. */
    create(name: string, scopes: Scope[], options?: CallOptions & NewTokenOptions): Promise<{ token: string; view: TokenView }>
    list(options?: CallOptions): Promise<TokenView[]>
    revoke(token: string, options?: CallOptions): Promise<TokenView>
  }
  /** Browsers that signed in. */
  readonly sessions: {
    /** Newest first; those that ended stay for 30 days. */
    list(options?: CallOptions): Promise<SessionView[]>
    /** Signs a browser out; what it has open ends at once. */
    revoke(session: string, options?: CallOptions): Promise<SessionView>
    /** Every browser but this one; with a token, every browser. */
    revokeOthers(options?: CallOptions): Promise<{ count: number }>
  }
  /** A one-time sign-in link for a browser. */
  link(input?: { name?: string; for?: string }, options?: CallOptions): Promise<{ url: string; expiresAt: number }>
  info(options?: CallOptions): Promise<ServerInfo>
  /** Trades the key of a one-time link for a cookie. Works once. */
  signIn(key: string, options?: CallOptions): Promise<void>
  signOut(options?: CallOptions): Promise<void>
  /** The one shared live connection; opened on first use. */
  live(): Live
  close(): void
}

export function parleyClient(options: ClientOptions): ParleyClient {
  const way = http(options)
  const { get, send } = way
  const at = (kind: string, id: string, rest = ''): string => `/v1/${kind}/${encodeURIComponent(id)}${rest}`
  const because = (reason: string | undefined): object => (reason === undefined ? {} : { reason })
  let connection: Live | null = null

  return {
    ...messagingClient(way),
    dialogs: {
      open: (input = {}, call) => send('POST', '/v1/dialogs', input, call),
      get: (dialog, call) => get(at('dialogs', dialog), {}, call),
      list: (query = {}, call) => get('/v1/dialogs', query, call),
      say: (dialog, text, call) => send('POST', at('dialogs', dialog, '/messages'), { text }, call),
      stop: (dialog, call) => send('POST', at('dialogs', dialog, '/stop'), {}, call),
      continue: (dialog, call) => send('POST', at('dialogs', dialog, '/continue'), {}, call),
      title: (dialog, title, call) => send('PATCH', at('dialogs', dialog), { title }, call),
      tree: async (dialog, call) => (await get<{ items: DialogSummary[] }>(at('dialogs', dialog, '/tree'), {}, call)).items,
      declareDead: (dialog, note, call) => send('POST', at('dialogs', dialog, '/dead'), note === undefined ? {} : { note }, call),
      stopAll: (root, call) => send('POST', '/v1/stop-all', root === undefined ? {} : { root }, call),
      resumeAll: (root, call) => send('POST', '/v1/resume-all', root === undefined ? {} : { root }, call),
      trust: (dialog, call) => send('POST', at('dialogs', dialog, '/trust'), {}, call),
    },
    grants: {
      list: async (query = {}, call) => (await get<Page<GrantView>>('/v1/grants', query, call)).items,
      revoke: (grant, call) => send('DELETE', at('grants', grant), undefined, call),
    },
    policy: {
      show: (call) => get('/v1/policy', {}, call),
      explain: (request, call) => send('POST', '/v1/policy/explain', request, call),
    },
    controls: {
      of: (dialog, call) => get(at('dialogs', dialog, '/controls'), {}, call),
      tap: (dialog, control, call) => send('POST', at('dialogs', dialog, '/controls'), control, call),
    },
    questions: {
      get: (question, call) => get(at('questions', question), {}, call),
      list: (query = {}, call) => get('/v1/questions', query, call),
      answer: (question, answer, call) => send('POST', at('questions', question, '/answer'), answer, call),
      decline: (question, reason, call) => send('POST', at('questions', question, '/decline'), because(reason), call),
      cancel: (question, reason, call) => send('POST', at('questions', question, '/cancel'), because(reason), call),
    },
    builds: builds(way, options),
    inbox: (call) => get('/v1/inbox', {}, call),
    events: { read: (query = {}, call) => get('/v1/events', query, call) },
    tokens: {
      create(name, scopes, { role, limit, ...call } = {}) {
        return send('POST', '/v1/tokens', { name, scopes, ...(role && { role }), ...(limit && { limit }) }, call)
      },
      list: async (call) => (await get<Page<TokenView>>('/v1/tokens', {}, call)).items,
      revoke: (token, call) => send('DELETE', at('tokens', token), undefined, call),
    },
    sessions: {
      list: async (call) => (await get<Page<SessionView>>('/v1/sessions', {}, call)).items,
      revoke: (session, call) => send('DELETE', at('sessions', session), undefined, call),
      revokeOthers: (call) => send('DELETE', '/v1/sessions', undefined, call),
    },
    link: (input = {}, call) => send('POST', '/v1/links', input, call),
    info: (call) => get('/v1/info', {}, call),
    async signIn(key, call) {
      await send('POST', '/v1/session', { key }, call)
      connection?.retryNow()
    },
    signOut: (call) => send('DELETE', '/v1/session', undefined, call),
    live() {
      connection ??= live({
        baseUrl: options.baseUrl,
        token: options.token,
        WebSocket: options.WebSocket,
        // A failed upgrade does not say why: a plain request does. One try, the connection itself tries again.
        probe: () => http({ ...options, tries: 1, timeoutMs: 10_000 }).get('/v1/info'),
      })
      return connection
    },
    close() {
      connection?.close()
      connection = null
    },
  }
}
