import type { Policy } from '../../authority/policy.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import { type DialogState, findFocus, getStatus } from '../../dialogs/rules/dialog-state.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Hooks } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Hints, Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import type { BindingState } from '../bindings/binding-state.ts'
import { findBoundAddresses } from '../bindings/bound-addresses.ts'
import type { Bindings } from '../bindings/bindings.ts'
import type { ChatAddress } from '../bindings/chat-address.ts'
import type { Identities } from '../bindings/identities.ts'
import type { Connections } from '../connections.ts'
import type { DeliverySide } from '../outbox/delivery-side.ts'
import type { SendingRules } from '../outbox/sending-rules.ts'
import { announcer } from './announcer.ts'
import { closingMessages } from './closing-messages.ts'
import { type ApprovalCopies, approvalCopies } from './approval-copies.ts'
import { escalation } from './escalation.ts'
import { type PairingRequests, pairingRequests } from './pairing-requests.ts'
import { replyPreviews } from './reply-previews.ts'
import { getPieceChars } from './shown-pieces.ts'
import { typingSigns } from './typing-signs.ts'

/** Everything that tells people in their chats about dialogs, approvals and pairing requests. */
export type AnnounceSide = {
  readonly approvals: ApprovalCopies
  readonly pairings: PairingRequests
  /** Also after a stop. */
  start(): void
  stop(graceMs: number): Promise<void>
  close(): void
}

export function announceSide(parts: {
  store: Store
  committer: Committer
  dialogs: StreamHandler<DialogState, DialogCommand>
  bindingStreams: StreamHandler<BindingState, never>
  bindings: Bindings
  identities: Identities
  connections: Connections
  delivery: DeliverySide
  hooks: Hooks
  rules: Pick<SendingRules, 'hasButtons'>
  policy: () => Policy
  /** Those of the store, as long as this process serves the chats. */
  hints: Hints
  /** The page of a dialog; null without an address. */
  pageUrl: (dialog: string) => string | null
  clock: Clock
  log: Log
  metrics: Metrics
}): AnnounceSide {
  const { store, committer, dialogs, bindingStreams, bindings, identities, connections, delivery } = parts
  const { hooks, rules, policy, hints, pageUrl, clock, log, metrics } = parts
  const { outbox } = delivery
  const notify = (): ChatAddress[] =>
    connections.list().flatMap(({ name, config }) => config.notify.map((address) => ({ channel: name, address })))
  const getKind = (channel: string): string => connections.getKind(channel)

  const people = () => policy().people
  /** True where it is not known: an account that is not connected yet. */
  const canEdit = (channel: string): boolean => connections.get(channel)?.capabilities.delivery.editing.ability !== 'none'
  const closing = closingMessages({ outbox, canEdit })
  const pairings = pairingRequests({ store, outbox, closing, connections, streams: bindingStreams, bindings, notify, people })
  const pieceChars = (channel: string): number => getPieceChars(connections.get(channel)?.capabilities)
  const approvals = approvalCopies({ store, committer, dialogs, outbox, closing, identities, policy, notify, pageUrl, pieceChars, clock })
  const escalating = escalation({ store, committer, approvals, clock, log, metrics })

  const previews = replyPreviews({
    hints,
    clock,
    delivery,
    async listPlaces(dialog) {
      // Text written now answers a teammate who asked back.
      if (findFocus(await dialogs.load(dialog))?.mode === 'back') return []
      return (await findBoundAddresses(store, dialog)).filter(({ channel, address }) => {
        const account = connections.connection(channel)
        const isGroup = account?.channel?.address.isGroup(address) ?? false
        const isShown = account?.channel?.capabilities.delivery.streaming !== 'none'
        return account?.config.streaming === true && isShown && !isGroup
      })
    },
  })
  const listPlaces = (dialog: string): Promise<ChatAddress[]> => findBoundAddresses(store, dialog)
  const signs = typingSigns({
    hints,
    clock,
    channels: connections,
    signals: delivery.signals,
    listPlaces,
    isWorking: async (dialog) => getStatus(await dialogs.load(dialog)) === 'working',
  })
  const canToggle = async (place: ChatAddress, options: number): Promise<boolean> => {
    const { presentation, delivery: able } = connections.get(place.channel)?.capabilities ?? {}
    const room = presentation?.limits?.actions?.maxActions ?? Infinity
    return (
      presentation?.buttons === true &&
      able !== undefined &&
      able.editing.ability !== 'none' &&
      options < room &&
      (await rules.hasButtons(place))
    )
  }
  const announcing = announcer({
    store,
    committer,
    dialogs,
    bindings: bindingStreams,
    outbox,
    hooks,
    getKind,
    notify,
    policy,
    identities,
    approvals,
    previews,
    canToggle,
    hasButtons: rules.hasButtons,
    closing,
    clock,
    log,
    metrics,
  })

  return {
    approvals,
    pairings,
    start() {
      announcing.start()
      escalating.start()
    },
    async stop(graceMs) {
      await Promise.all([announcing.stop(graceMs), escalating.stop(graceMs)])
    },
    close() {
      previews.close()
      signs.close()
    },
  }
}
