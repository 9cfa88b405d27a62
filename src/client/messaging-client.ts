import type { CallOptions, Http } from './http.ts'
import type {
  ChannelView,
  DeliveryView,
  Done,
  DrySend,
  MessageAt,
  MessageRequest,
  Page,
  PairingState,
  PairingView,
  Sent,
  Target,
  UnclaimedName,
  UnclaimedView,
} from './wire.ts'

/** The chat apps connected to a Parley, from outside. */
export type MessagingClient = {
  readonly messages: {
    /** On disk when it resolves; `waitMs` waits so long for the outcome. */
    send(input: MessageRequest & { waitMs?: number | undefined }, options?: CallOptions): Promise<Sent>
    /** The very requests that would be made, and what would be lost. Nothing is sent. */
    dryRun(input: MessageRequest, options?: CallOptions): Promise<DrySend>
    edit(
      which: { delivery: string } | MessageAt,
      input: Pick<MessageRequest, 'message' | 'presentation'>,
      options?: CallOptions,
    ): Promise<Sent>
    remove(at: MessageAt, options?: CallOptions): Promise<Done>
    /** Null takes ours away. */
    react(at: MessageAt, emoji: string | null, options?: CallOptions): Promise<Done>
    pin(at: MessageAt & { notify?: boolean | undefined }, options?: CallOptions): Promise<Done>
    unpin(at: MessageAt, options?: CallOptions): Promise<Done>
    pins(at: Target & { limit?: number | undefined }, options?: CallOptions): Promise<DeliveryView[]>
  }
  readonly deliveries: {
    list(
      query?: { state?: DeliveryView['state']; search?: string; limit?: number; after?: string },
      options?: CallOptions,
    ): Promise<Page<DeliveryView>>
    get(delivery: string, options?: CallOptions): Promise<DeliveryView>
    retry(delivery: string, options?: CallOptions): Promise<DeliveryView>
    /** Lets a stuck one be; it waits for nobody any more. */
    dismiss(delivery: string, options?: CallOptions): Promise<DeliveryView>
  }
  readonly channels: {
    list(options?: CallOptions): Promise<ChannelView[]>
    test(channel: string, target?: string, options?: CallOptions): Promise<{ account: string; delivery: DeliveryView | null }>
  }
  readonly pairings: {
    list(state?: PairingState, options?: CallOptions): Promise<PairingView[]>
    accept(code: string, dialog?: string, options?: CallOptions): Promise<PairingView>
    decline(code: string, options?: CallOptions): Promise<PairingView>
    block(at: Target, options?: CallOptions): Promise<PairingView>
    unblock(at: Target, options?: CallOptions): Promise<PairingView>
    bind(at: Target, dialog: string, options?: CallOptions): Promise<PairingView>
    unbind(at: Target, options?: CallOptions): Promise<PairingView>
  }
  unclaimed(options?: CallOptions): Promise<UnclaimedView[]>
  dismissUnclaimed(which: UnclaimedName, options?: CallOptions): Promise<void>
}

export function messagingClient({ get, send }: Http): MessagingClient {
  const listed = async <Item>(path: string, query: Record<string, string | number | undefined>, call?: CallOptions): Promise<Item[]> =>
    (await get<{ items: Item[] }>(path, query, call)).items
  return {
    messages: {
      send: (input, call) => send('POST', '/v1/messages', input, call),
      dryRun: (input, call) => send('POST', '/v1/messages', { ...input, dryRun: true }, call),
      edit: (which, input, call) => send('POST', '/v1/messages/edit', { ...which, ...input }, call),
      remove: (at, call) => send('POST', '/v1/messages/remove', at, call),
      react: (at, emoji, call) => send('POST', '/v1/messages/react', { ...at, emoji }, call),
      pin: (at, call) => send('POST', '/v1/messages/pin', at, call),
      unpin: (at, call) => send('POST', '/v1/messages/unpin', at, call),
      pins: ({ channel, target, limit }, call) => listed('/v1/messages/pins', { channel, target, limit }, call),
    },
    deliveries: {
      list: (query = {}, call) => get('/v1/deliveries', query, call),
      get: (delivery, call) => get(`/v1/deliveries/${encodeURIComponent(delivery)}`, {}, call),
      retry: (delivery, call) => send('POST', `/v1/deliveries/${encodeURIComponent(delivery)}/retry`, {}, call),
      dismiss: (delivery, call) => send('POST', `/v1/deliveries/${encodeURIComponent(delivery)}/dismiss`, {}, call),
    },
    channels: {
      list: (call) => listed('/v1/channels', {}, call),
      test: (channel, target, call) =>
        send('POST', `/v1/channels/${encodeURIComponent(channel)}/test`, target === undefined ? {} : { target }, call),
    },
    pairings: {
      list: (state, call) => listed('/v1/pairings', { state }, call),
      accept: (code, dialog, call) => send('POST', '/v1/pairings/accept', dialog === undefined ? { code } : { code, dialog }, call),
      decline: (code, call) => send('POST', '/v1/pairings/decline', { code }, call),
      block: (at, call) => send('POST', '/v1/pairings/block', at, call),
      unblock: (at, call) => send('POST', '/v1/pairings/unblock', at, call),
      bind: (at, dialog, call) => send('POST', '/v1/pairings/bind', { ...at, dialog }, call),
      unbind: (at, call) => send('POST', '/v1/pairings/unbind', at, call),
    },
    unclaimed: (call) => listed('/v1/unclaimed', {}, call),
    dismissUnclaimed: ({ channel, address, id }, call) => send('POST', '/v1/unclaimed/dismiss', { channel, address, id }, call),
  }
}
