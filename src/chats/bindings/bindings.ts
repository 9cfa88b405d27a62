import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UnclaimedView } from '../../shapes/messaging.ts'
import type { Store } from '../../ports/store.ts'
import type { StreamHandler, Under } from '../../streams/stream-handler.ts'
import { bindingStream, type BindingView, inboundViews, unclaimedKey, openPairing } from './binding-kind.ts'
import type { BindingState, BindingStatus } from './binding-state.ts'
import type { ChatAddress } from './chat-address.ts'
import type { BindingCommand } from './decide-binding.ts'
import { inboundLimits } from './inbound-limits.ts'

/** Addresses that may write here, and the dialogs they are bound to, for the owner. */
export type Bindings = {
  list(state?: BindingStatus): Promise<BindingView[]>
  get(where: ChatAddress): Promise<BindingView>
  /** By the code that the stranger says; `dialog` puts them into one that is there. */
  /** With the same `once` a repeated decision returns what became of the first. */
  accept(code: string, by: string, dialog?: string, once?: string): Promise<BindingView>
  decline(code: string, by: string, once?: string): Promise<BindingView>
  block(where: ChatAddress, by: string): Promise<BindingView>
  unblock(where: ChatAddress, by: string): Promise<BindingView>
  bind(where: ChatAddress, dialog: string, by: string): Promise<BindingView>
  unbind(where: ChatAddress, by: string): Promise<BindingView>
  /** Unclaimed messages, newest first. */
  unclaimed(): Promise<UnclaimedView[]>
  /** Dismisses one of them. The same `once` again changes nothing. */
  dismissUnclaimed(which: ChatAddress & { id: string }, by: string, once?: string): Promise<void>
}

export function bindingsOver({
  store,
  bindings,
  clock,
}: {
  store: Store
  bindings: StreamHandler<BindingState, BindingCommand>
  clock: Clock
}): Bindings {
  async function command(where: ChatAddress, commands: BindingCommand[], under: Pick<Under, 'once'> = {}): Promise<BindingView> {
    const stream = bindingStream(where.channel, where.address)
    const handled = await bindings.handle(stream, commands, under)
    if (!handled.ok && handled.why === 'seen') return toView(where, await bindings.load(stream))
    if (!handled.ok) {
      if (handled.why === 'refused') throw new ParleyError(handled.refusal.code, handled.refusal.details)
      throw new ParleyError('busy', {}, { retryable: true })
    }
    return toView(where, handled.state)
  }

  async function findByCode(code: string): Promise<ChatAddress | null> {
    const matches = await store.rows({ view: inboundViews.bindings, group: 'requested', text: code, limit: 10 })
    const [exact] = matches.map(({ body }) => body as BindingView).filter(({ pairing }) => pairing?.code === code.trim())
    return exact && (exact.pairing?.expiresAt ?? 0) > clock.now() ? exact : null
  }

  /** A decided request is no longer found by its code, so a repeated decision finds the address by its once-only name. */
  async function decideRequest(
    code: string,
    once: string | undefined,
    decision: (where: ChatAddress) => BindingCommand[],
  ): Promise<BindingView> {
    const key = once === undefined ? null : `pairing:${code.trim()}:${once}`
    const chatAddress = await findByCode(code)
    if (chatAddress) {
      const where: ChatAddress = { channel: chatAddress.channel, address: chatAddress.address }
      return command(where, decision(where), key === null ? {} : { once: { key, value: () => where } })
    }
    const first = key === null ? null : await store.remembered(key)
    if (!first) throw new ParleyError('pairing_not_found', { code })
    const where = first.value as ChatAddress
    return toView(where, await bindings.load(bindingStream(where.channel, where.address)))
  }

  return {
    async list(state) {
      const rows = await store.rows({
        view: inboundViews.bindings,
        limit: inboundLimits.listed,
        ...(state !== undefined && { group: state }),
      })
      return rows.map(({ body }) => body as BindingView)
    },
    get: async (where) => toView(where, await bindings.load(bindingStream(where.channel, where.address))),
    accept: (code, by, dialog, once) =>
      decideRequest(code, once, ({ channel, address }) => {
        const at = clock.now()
        const bind: BindingCommand[] = dialog === undefined ? [] : [{ type: 'bind-address', at, channel, address, dialog, by }]
        return [{ type: 'accept-pairing', at, channel, address, by }, ...bind]
      }),
    decline: (code, by, once) => decideRequest(code, once, () => [{ type: 'decline-pairing', at: clock.now(), by }]),
    block: ({ channel, address }, by) => command({ channel, address }, [{ type: 'block-address', at: clock.now(), channel, address, by }]),
    unblock: (where, by) => command(where, [{ type: 'unblock-address', at: clock.now(), by }]),
    bind: ({ channel, address }, dialog, by) =>
      command({ channel, address }, [{ type: 'bind-address', at: clock.now(), channel, address, dialog, by }]),
    unbind: (where, by) => command(where, [{ type: 'unbind-address', at: clock.now(), by }]),
    async unclaimed() {
      const unclaimedRows = await store.rows({ view: inboundViews.unclaimed, limit: inboundLimits.listed })
      return unclaimedRows.map(({ body }) => body as UnclaimedView)
    },
    async dismissUnclaimed({ channel, address, id }, by, once) {
      const key = unclaimedKey(channel, id)
      const name = once === undefined ? null : `dismissed:${key}:${once}`
      const row = await store.row(inboundViews.unclaimed, key)
      if ((row?.body as UnclaimedView | undefined)?.address !== address) {
        if (name !== null && (await store.remembered(name))) return
        throw new ParleyError('unclaimed_not_found', { id })
      }
      await command(
        { channel, address },
        [{ type: 'dismiss-unclaimed', at: clock.now(), id, by }],
        name === null ? {} : { once: { key: name, value: () => id } },
      )
    },
  }
}

const toView = ({ channel, address }: ChatAddress, state: BindingState): BindingView => ({
  stream: bindingStream(channel, address),
  channel,
  address,
  state: state.status,
  dialog: state.dialog,
  pairing: openPairing(state),
})
