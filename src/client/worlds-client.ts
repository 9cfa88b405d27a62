import { type Call, listItems, type OperationInput } from './call.ts'
import type { CallOptions } from './http.ts'

/** Conversations with agents of other owners, from outside. `account` is the agent; it may be left out where only one takes part. */
export type WorldsClient = Readonly<ReturnType<typeof worldsClient>>

type Of = { account?: string | undefined }

export const worldsClient = (call: Call) => ({
  account: {
    list: (options?: CallOptions) => listItems(call('account.list', {}, options)),
    /** The caller approves these words. */
    change: (input: OperationInput<'account.change'>, options?: CallOptions) => call('account.change', input, options),
    budget: (input: OperationInput<'account.budget'>, options?: CallOptions) => call('account.budget', input, options),
    standingBrief: (input: OperationInput<'account.standingBrief'>, options?: CallOptions) => call('account.standingBrief', input, options),
    /** Ends every run and every conversation at once. */
    stop: (of: Of = {}, options?: CallOptions) => call('account.stop', of, options),
    resume: (of: Of = {}, options?: CallOptions) => call('account.resume', of, options),
    card: (input: OperationInput<'account.card'> = {}, options?: CallOptions) => call('account.card', input, options),
    peers: (options?: CallOptions) => listItems(call('account.peers', {}, options)),
    decideKey: (input: OperationInput<'account.decideKey'>, options?: CallOptions) => listItems(call('account.decideKey', input, options)),
    consents: (of: Of = {}, options?: CallOptions) => listItems(call('account.consents', of, options)),
  },
  worlds: {
    list: (query: OperationInput<'worlds.list'> = {}, options?: CallOptions) => call('worlds.list', query, options),
    get: (id: string, of: Of = {}, options?: CallOptions) => call('worlds.get', { id, ...of }, options),
    create: (input: OperationInput<'worlds.create'>, options?: CallOptions) => call('worlds.create', input, options),
    /** `version` is that of the text that was read. */
    join: (id: string, input: Omit<OperationInput<'worlds.join'>, 'id'>, options?: CallOptions) =>
      call('worlds.join', { id, ...input }, options),
    leave: (id: string, of: Of = {}, options?: CallOptions) => call('worlds.leave', { id, ...of }, options),
    candidates: (id: string, of: Of & { limit?: number | undefined } = {}, options?: CallOptions) =>
      listItems(call('worlds.candidates', { id, ...of }, options)),
    moderation: (id: string, of: Of = {}, options?: CallOptions) => call('worlds.moderation', { id, ...of }, options),
    moderate: (id: string, act: OperationInput<'worlds.moderate'>['act'], of: Of = {}, options?: CallOptions) =>
      call('worlds.moderate', { id, act, ...of }, options),
    broadcast: (id: string, input: Omit<OperationInput<'worlds.broadcast'>, 'id'>, options?: CallOptions) =>
      call('worlds.broadcast', { id, ...input }, options),
    report: (id: string, input: Omit<OperationInput<'worlds.report'>, 'id'>, options?: CallOptions) =>
      call('worlds.report', { id, ...input }, options),
  },
  chatRequests: {
    list: (query: OperationInput<'chatRequests.list'> = {}, options?: CallOptions) => call('chatRequests.list', query, options),
    send: (input: OperationInput<'chatRequests.send'>, options?: CallOptions) => call('chatRequests.send', input, options),
    get: (id: string, of: Of = {}, options?: CallOptions) => call('chatRequests.get', { id, ...of }, options),
    accept: (id: string, input: Omit<OperationInput<'chatRequests.accept'>, 'id'> = {}, options?: CallOptions) =>
      call('chatRequests.accept', { id, ...input }, options),
    reject: (id: string, of: Of = {}, options?: CallOptions) => call('chatRequests.reject', { id, ...of }, options),
    withdraw: (id: string, of: Of = {}, options?: CallOptions) => call('chatRequests.withdraw', { id, ...of }, options),
    block: (id: string, of: Of = {}, options?: CallOptions) => call('chatRequests.block', { id, ...of }, options),
    report: (id: string, input: Omit<OperationInput<'chatRequests.report'>, 'id'>, options?: CallOptions) =>
      call('chatRequests.report', { id, ...input }, options),
  },
  conversations: {
    get: (id: string, of: Of = {}, options?: CallOptions) => call('conversations.get', { id, ...of }, options),
    limit: (id: string, input: Omit<OperationInput<'conversations.limit'>, 'id'>, options?: CallOptions) =>
      call('conversations.limit', { id, ...input }, options),
    takeOver: (id: string, of: Of = {}, options?: CallOptions) => call('conversations.takeOver', { id, ...of }, options),
    handBack: (id: string, of: Of = {}, options?: CallOptions) => call('conversations.handBack', { id, ...of }, options),
    write: (id: string, input: Omit<OperationInput<'conversations.write'>, 'id'>, options?: CallOptions) =>
      call('conversations.write', { id, ...input }, options),
    close: (id: string, of: Of = {}, options?: CallOptions) => call('conversations.close', { id, ...of }, options),
    export: (id: string, input: Omit<OperationInput<'conversations.export'>, 'id'> = {}, options?: CallOptions) =>
      call('conversations.export', { id, ...input }, options),
  },
  reports: {
    list: (query: OperationInput<'reports.list'> = {}, options?: CallOptions) => call('reports.list', query, options),
    get: (id: string, of: Of = {}, options?: CallOptions) => call('reports.get', { id, ...of }, options),
    card: (id: string, input: Omit<OperationInput<'reports.card'>, 'id'> = {}, options?: CallOptions) =>
      call('reports.card', { id, ...input }, options),
  },
})
