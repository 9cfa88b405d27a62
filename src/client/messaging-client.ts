import { type Call, listItems, type OperationInput, type OperationResult } from './call.ts'
import type { CallOptions } from './http.ts'
import type { DrySend, MessageAt, MessageRequest, PairingState, Sent, Target, UnclaimedName } from '../shapes/wire.ts'

/** The chat apps connected to a Parley, from outside. */
export type MessagingClient = Readonly<ReturnType<typeof messagingClient>>

/** `presentation` and `delivery` are JSON of any origin; the server checks them. */
const checkedByServer = (input: object): OperationInput<'messages.send'> => input as OperationInput<'messages.send'>

export const messagingClient = (call: Call) => ({
  messages: {
    /** On disk when it resolves; `waitMs` waits so long for the outcome. */
    send: (input: MessageRequest & { waitMs?: number | undefined }, options?: CallOptions) =>
      call('messages.send', checkedByServer(input), options) as Promise<Sent>,
    /** The very requests that would be made, and what would be lost. Nothing is sent. */
    dryRun: (input: MessageRequest, options?: CallOptions) =>
      call('messages.send', { ...checkedByServer(input), dryRun: true }, options) as Promise<DrySend>,
    /** One message as each kind of channel would get it. Nothing is sent. */
    preview: (message: object, options?: CallOptions) => call('messages.preview', message, options),
    edit: (
      which: { delivery: string } | MessageAt,
      { message, presentation, waitMs }: Pick<MessageRequest, 'message' | 'presentation'> & { waitMs?: number | undefined },
      options?: CallOptions,
    ) => call('messages.edit', { ...which, message, presentation, waitMs } as OperationInput<'messages.edit'>, options),
    remove: (at: MessageAt, options?: CallOptions) => call('messages.remove', at, options),
    /** Null removes our reaction. */
    react: (at: MessageAt, emoji: string | null, options?: CallOptions) => call('messages.react', { ...at, emoji }, options),
    pin: (at: OperationInput<'messages.pin'>, options?: CallOptions) => call('messages.pin', at, options),
    unpin: (at: MessageAt, options?: CallOptions) => call('messages.unpin', at, options),
    /** A chat app without polls refuses it. */
    poll: (input: OperationInput<'messages.poll'>, options?: CallOptions) => call('messages.poll', input, options),
    /** Messages of a chat as the platform has them, newest first. */
    read: ({ channel, target, limit, before, messageId }: OperationInput<'messages.read'>, options?: CallOptions) =>
      listItems(call('messages.read', { channel, target, limit, before, messageId }, options)),
    reactions: ({ channel, target, messageId }: MessageAt, options?: CallOptions) =>
      listItems(call('messages.reactions', { channel, target, messageId }, options)),
    pins: ({ channel, target, limit }: OperationInput<'messages.pins'>, options?: CallOptions) =>
      listItems(call('messages.pins', { channel, target, limit }, options)),
  },
  deliveries: {
    list: (query: OperationInput<'deliveries.list'> = {}, options?: CallOptions) => call('deliveries.list', query, options),
    get: (id: string, options?: CallOptions) => call('deliveries.get', { id }, options),
    retry: (id: string, options?: CallOptions) => call('deliveries.retry', { id }, options),
    /** Says that an unconfirmed delivery arrived; nothing is sent again. */
    confirm: (id: string, options?: CallOptions) => call('deliveries.confirm', { id }, options),
    /** Dismisses a stuck delivery. */
    dismiss: (id: string, options?: CallOptions) => call('deliveries.dismiss', { id }, options),
  },
  channels: {
    list: (options?: CallOptions) => listItems(call('channels.list', {}, options)),
    test: (name: string, target?: string, options?: CallOptions) => call('channels.test', { name, target }, options),
  },
  /** Requests of strangers to write to Parley. */
  pairings: {
    list: (state?: PairingState, options?: CallOptions) => listItems(call('requests.list', { state }, options)),
    accept: (code: string, dialog?: string, options?: CallOptions) => call('requests.accept', { code, dialog }, options),
    decline: (code: string, options?: CallOptions) => call('requests.decline', { code }, options),
    block: (at: Target, options?: CallOptions) => call('requests.block', at, options),
    unblock: (at: Target, options?: CallOptions) => call('requests.unblock', at, options),
    bind: (at: Target, dialog: string, options?: CallOptions) => call('requests.bind', { ...at, dialog }, options),
    unbind: (at: Target, options?: CallOptions) => call('requests.unbind', at, options),
  },
  unclaimed: (options?: CallOptions): Promise<OperationResult<'unclaimed.list'>['items']> => listItems(call('unclaimed.list', {}, options)),
  dismissUnclaimed: ({ channel, address, id }: UnclaimedName, options?: CallOptions) =>
    call('unclaimed.dismiss', { channel, address, id }, options),
})
