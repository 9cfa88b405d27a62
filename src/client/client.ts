import { builds, type Builds } from './builds.ts'
import type { exportFormats } from './export-dialog.ts'
import { type Call, caller, listItems, type OperationInput, type OperationResult } from './call.ts'
import { type CallOptions, type Fetch, http, type Http } from './http.ts'
import { type Live, live, type LiveSocketConstructor } from './live.ts'
import { type MessagingClient, messagingClient } from './messaging-client.ts'
import { type WorldsClient, worldsClient } from './worlds-client.ts'
import type { PageRequest } from '../shapes/paging.ts'
import type { ExplainRequest, Scope } from '../shapes/wire.ts'

export type ClientOptions = {
  /** Where the server is; empty for the page's own origin. */
  baseUrl: string
  /** For programs. A page uses its cookie. */
  token?: string | undefined
  /** Where people are seen to speak from, such as `cli`. Counts with a token that has `admin`; others are `api` or `web`. */
  via?: string | undefined
  fetch?: Fetch | undefined
  WebSocket?: LiveSocketConstructor | undefined
  /** Attempts per request while the connection fails. */
  tries?: number | undefined
  timeoutMs?: number | undefined
}

/** `decision` and the fields after it decide an approval. */
export type AnswerInput = Omit<OperationInput<'questions.answer'>, 'id'>

export type Said = OperationResult<'dialogs.say'>

/** `role` is member unless given. `limit`: all that the token may see and change. */
export type NewTokenOptions = Pick<OperationInput<'tokens.create'>, 'role' | 'limit'>

function dialogVerbs(call: Call, baseUrl: string) {
  /** Gives a side dialog up for good; its caller receives a failed reply. */
  const giveUp = (id: string, note?: string, options?: CallOptions) => call('dialogs.giveUp', { id, note }, options)
  return {
    open: (input: OperationInput<'dialogs.open'> = {}, options?: CallOptions) => call('dialogs.open', input, options),
    /** A new chat that begins with what was said in this one, up to a message. */
    branch: (id: string, input: Omit<OperationInput<'dialogs.branch'>, 'id'>, options?: CallOptions) =>
      call('dialogs.branch', { id, ...input }, options),
    get: (id: string, options?: CallOptions) => call('dialogs.get', { id }, options),
    /** The latest first. Of people, or those in which agents work on builds. */
    list: (query: OperationInput<'dialogs.list'> = {}, options?: CallOptions) => call('dialogs.list', query, options),
    /** `files`: ids from `files.add`; with one, the text may be empty. */
    say: (id: string, text: string, { files, ...options }: CallOptions & { files?: string[] | undefined } = {}) =>
      call('dialogs.say', { id, text, ...(files && { files }) }, options),
    /** Taps a button or option of a message the agent showed. */
    tap: (id: string, control: { message: string; value: string }, options?: CallOptions) =>
      call('dialogs.tap', { id, ...control }, options),
    stop: (id: string, options?: CallOptions) => call('dialogs.stop', { id }, options),
    continue: (id: string, options?: CallOptions) => call('dialogs.continue', { id }, options),
    /** The agent begins a new course before its next request. */
    freshStart: (id: string, options?: CallOptions) => call('dialogs.freshStart', { id }, options),
    /** `refill` counts them from zero again and gives a dialog at rest the first one at once. */
    changePushes: (id: string, change: OperationInput<'dialogs.changePushes'>['change'], options?: CallOptions) =>
      call('dialogs.changePushes', { id, change }, options),
    /** From the next turn on; null chooses the usual model of its agent. */
    chooseModel: (id: string, model: string | null, options?: CallOptions) => call('dialogs.chooseModel', { id, model }, options),
    /** Lists begin with pinned dialogs; with `pinned` they show these alone. */
    pin: (id: string, isPinned = true, options?: CallOptions) => call('dialogs.pin', { id, isPinned }, options),
    /** Lists leave an archived dialog out. */
    archive: (id: string, isArchived = true, options?: CallOptions) => call('dialogs.archive', { id, isArchived }, options),
    /** The address of an export, for a browser that is signed in. */
    exportAddress: (id: string, format: (typeof exportFormats)[number]): string =>
      `${baseUrl}/v1/dialogs/${encodeURIComponent(id)}/export?format=${format}`,
    title: (id: string, title: string, options?: CallOptions) => call('dialogs.title', { id, title }, options),
    /** For good, with everything below it. Returns the number of dialogs. */
    delete: (id: string, options?: CallOptions) => call('dialogs.delete', { id }, options),
    /** The root it belongs to and every side dialog below that, oldest first. */
    tree: (id: string, options?: CallOptions) => listItems(call('dialogs.tree', { id }, options)),
    giveUp,
    /** @deprecated Use `giveUp`. */
    declareDead: giveUp,
    /** Of one root, or everywhere. Returns the number of dialogs that were stopped. */
    stopAll: (root?: string, options?: CallOptions) => call('dialogs.stopAll', { root }, options),
    resumeAll: (root?: string, options?: CallOptions) => call('dialogs.resumeAll', { root }, options),
    /** The owner vouches for everything written in the tree so far. `upTo`: `seq` of the last event that was shown to the owner. */
    trust: (id: string, seen: { upTo: number }, options?: CallOptions) => call('dialogs.trust', { id, ...seen }, options),
  }
}

function taskdocVerbs(call: Call) {
  return {
    /** Those below the project. */
    list: (options?: CallOptions) => listItems(call('taskdocs.list', {}, options)),
    /** An empty one; `isNew` is false when it was there already. */
    create: (path: string, options?: CallOptions) => call('taskdocs.create', { path }, options),
    /** The document of this dialog. */
    get: (id: string, options?: CallOptions) => call('taskdocs.get', { id }, options),
    /** Replaces one section. Refused with `section_changed` when it is not what was read. */
    change: (id: string, change: Omit<OperationInput<'taskdocs.change'>, 'id'>, options?: CallOptions) =>
      call('taskdocs.change', { id, ...change }, options),
    /** The latest first. */
    versions: (id: string, section: Omit<OperationInput<'taskdocs.versions'>, 'id'> = {}, options?: CallOptions) =>
      listItems(call('taskdocs.versions', { id, ...section }, options)),
    version: (id: string, version: string, options?: CallOptions) => call('taskdocs.version', { id, version }, options),
  }
}

function fileVerbs({ send }: Http, baseUrl: string) {
  return {
    /** Stores a file for a message that is sent later. */
    add: (name: string, bytes: Blob, options?: CallOptions): Promise<OperationResult<'files.add'>> =>
      send('POST', `/v1/files?name=${encodeURIComponent(name)}`, bytes, options),
    /** The address of a file that this dialog refers to, for a browser that is signed in. */
    address: (dialog: string, file: string): string =>
      `${baseUrl}/v1/dialogs/${encodeURIComponent(dialog)}/files/${encodeURIComponent(file)}`,
  }
}

function questionVerbs(call: Call) {
  const withdraw = (id: string, reason?: string, options?: CallOptions) => call('questions.withdraw', { id, reason }, options)
  return {
    get: (id: string, options?: CallOptions) => call('questions.get', { id }, options),
    list: (query: OperationInput<'questions.list'> = {}, options?: CallOptions) => call('questions.list', query, options),
    answer: (id: string, answer: AnswerInput, options?: CallOptions) => call('questions.answer', { id, ...answer }, options),
    withdrawAnswer: (id: string, options?: CallOptions) => call('questions.withdrawAnswer', { id }, options),
    decline: (id: string, reason?: string, options?: CallOptions) => call('questions.decline', { id, reason }, options),
    withdraw,
    /** Allows the call of an approval; `once` unless another decision is given. */
    approve: (id: string, decision: Omit<OperationInput<'questions.approve'>, 'id'> = {}, options?: CallOptions) =>
      call('questions.approve', { id, ...decision }, options),
    deny: (id: string, note?: string, options?: CallOptions) => call('questions.deny', { id, note }, options),
    /** @deprecated Use `withdraw`. */
    cancel: withdraw,
  }
}

function ownerVerbs(call: Call) {
  return {
    /** Standing permissions. */
    grants: {
      /** The latest first, ended ones included. */
      list: (query: OperationInput<'grants.list'> = {}, options?: CallOptions) => listItems(call('grants.list', query, options)),
      revoke: (id: string, options?: CallOptions) => call('grants.revoke', { id }, options),
    },
    policy: {
      show: (options?: CallOptions) => call('policy.show', {}, options),
      /** The decision of the gate about a hypothetical call. */
      explain: (request: ExplainRequest, options?: CallOptions) => call('policy.explain', request, options),
    },
    tokens: {
      /** The token itself is in this response and never again. */
      create: (name: string, scopes: Scope[], { role, limit, ...options }: CallOptions & NewTokenOptions = {}) =>
        call('tokens.create', { name, scopes, role, limit }, options),
      list: (options?: CallOptions) => listItems(call('tokens.list', {}, options)),
      revoke: (id: string, options?: CallOptions) => call('tokens.revoke', { id }, options),
    },
    /** parley.yaml, as far as the page changes it. */
    settings: {
      get: (options?: CallOptions) => call('settings.get', {}, options),
      preview: (change: OperationInput<'settings.preview'>, options?: CallOptions) => call('settings.preview', change, options),
      change: (change: OperationInput<'settings.change'>, options?: CallOptions) => call('settings.change', change, options),
      keepSecret: (name: string, value: string, options?: CallOptions) => call('settings.keepSecret', { name, value }, options),
      testModel: (name: string, options?: CallOptions) => call('settings.testModel', { name }, options),
      checkChannel: (name: string, options?: CallOptions) => call('settings.checkChannel', { name }, options),
    },
    /** Browsers that signed in. */
    sessions: {
      /** Newest first; those that ended stay for 30 days. */
      list: (options?: CallOptions) => listItems(call('sessions.list', {}, options)),
      /** Signs a browser out; what it has open ends at once. */
      revoke: (id: string, options?: CallOptions) => call('sessions.revoke', { id }, options),
      /** Every browser but this one; with a token, every browser. */
      revokeOthers: (options?: CallOptions) => call('sessions.revokeOthers', {}, options),
    },
    /** A one-time sign-in link for a browser. */
    link: (input: OperationInput<'links.create'> = {}, options?: CallOptions) => call('links.create', input, options),
  }
}

function otherVerbs(call: Call) {
  return {
    /** Buttons that plugins put below the last reply. */
    controls: {
      of: (id: string, options?: CallOptions) => call('controls.list', { id }, options),
      tap: (id: string, control: { turn: number; data: string }, options?: CallOptions) =>
        call('controls.tap', { id, ...control }, options),
    },
    inbox: (options?: CallOptions) => call('inbox.list', {}, options),
    /** Messages of people and agents, the latest first. */
    search: (words: string, { limit, after, ...options }: CallOptions & PageRequest = {}) =>
      call('search.find', { q: words, limit, after }, options),
    events: {
      /** With a stream, `after` counts within it; without, over everything. `next` is the `after` to go on with. */
      read: (query: OperationInput<'events.read'> = {}, options?: CallOptions) => call('events.read', query, options),
    },
    info: (options?: CallOptions) => call('server.info', {}, options),
  }
}

/**
 * Parley from outside: the same nouns as its HTTP API. Everything that changes something is safe to repeat. Inputs and results are
 * inferred from the server's routes.
 */
export type ParleyClient = MessagingClient &
  WorldsClient &
  Readonly<ReturnType<typeof ownerVerbs>> &
  Readonly<ReturnType<typeof otherVerbs>> & {
    readonly dialogs: ReturnType<typeof dialogVerbs>
    /** Task documents, which dialogs share. */
    readonly taskdocs: ReturnType<typeof taskdocVerbs>
    readonly files: ReturnType<typeof fileVerbs>
    readonly questions: ReturnType<typeof questionVerbs>
    readonly builds: Builds
    /** Any operation of the API by its name. */
    call: Call
    /** Trades the key of a one-time link for a cookie. Works once. */
    signIn(key: string, options?: CallOptions): Promise<void>
    signOut(options?: CallOptions): Promise<void>
    /** The one shared live connection; opened on first use. */
    live(): Live
    close(): void
  }

export function parleyClient(options: ClientOptions): ParleyClient {
  const transport = http(options)
  const call = caller(transport)
  let connection: Live | null = null
  return {
    ...messagingClient(call),
    ...worldsClient(call),
    ...ownerVerbs(call),
    ...otherVerbs(call),
    dialogs: dialogVerbs(call, options.baseUrl),
    taskdocs: taskdocVerbs(call),
    files: fileVerbs(transport, options.baseUrl),
    questions: questionVerbs(call),
    builds: builds(call, options),
    call,
    async signIn(key, callOptions) {
      await call('session.signIn', { key }, callOptions)
      connection?.retryNow()
    },
    signOut: (callOptions) => call('session.signOut', {}, callOptions),
    live() {
      connection ??= live({
        baseUrl: options.baseUrl,
        token: options.token,
        WebSocket: options.WebSocket,
        // A failed upgrade does not say why: a plain request does. One attempt: the connection itself retries.
        probe: () => caller(http({ ...options, tries: 1, timeoutMs: 10_000 }))('server.info', {}),
      })
      return connection
    },
    close() {
      connection?.close()
      connection = null
    },
  }
}
