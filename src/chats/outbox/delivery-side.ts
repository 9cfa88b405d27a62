import type { Channel, PlatformRequest, Receipt, SendFailure } from '../../ports/channel.ts'
import { type Clock, pauseFor } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { present, type Presented } from '../presentation/present.ts'
import { controlSweeper } from './control-sweeper.ts'
import { controlTokens } from './control-tokens.ts'
import { callChannel, placeOn } from './call-channel.ts'
import { type Channels, type Deliverer, deliverer, toStrip } from './deliverer.ts'
import { deliveryKind, deliveryStream } from './delivery-kind.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { type DeliveryState, initialDelivery } from './delivery-state.ts'
import { findMessage } from './message-index.ts'
import { type LivePreview, livePreview } from './live-preview.ts'
import { noPreparing, type Preparing } from './message-purpose.ts'
import { type DeliveryPlan, type Outbox, outbox } from './outbox.ts'
import { Pace } from './pacing.ts'
import { type SendingRules, usualRules, withoutButtons } from './sending-rules.ts'
import { type Signals, signalsOver } from './signals.ts'
import { type IsOwn, withoutOwn } from './without-own.ts'

/** Everything that goes to chat apps, over one pace. */
export type DeliverySide = {
  readonly outbox: Outbox
  readonly deliverer: Deliverer
  preview(plan: Omit<DeliveryPlan, 'message'>): LivePreview
  readonly signals: Signals
  /** The requests that a delivery of this message would make now. Its tokens have the length of real ones; nothing is stored. */
  dryRun(at: { channel: string; address: string }, message: ReplyPayload, channel: Channel): Promise<Presented>
  /** Removes those controls of a sent message that `isOwn` names, all by default, as far as the platform can. */
  strip(at: {
    channel: string
    address: string
    messageId: string
    marker?: string | undefined
    isOwn?: IsOwn | undefined
  }): Promise<{ failure: SendFailure } | null>
  /** An immediate change of a message, such as a pin or a reaction. It is not stored, and waits until the rates allow it. */
  perform(
    at: { channel: string; address: string },
    make: (operations: Channel['operations']) => PlatformRequest,
  ): Promise<{ receipt: Receipt } | { failure: SendFailure }>
}

export function deliverySide(parts: {
  store: Store
  committer: Committer
  channels: Channels
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
  concurrency?: number
  isSigned?: (value: string) => boolean
  rules?: SendingRules
  preparing?: Preparing
  onSettled?: (state: DeliveryState) => Promise<void>
}): DeliverySide {
  const { store, committer, channels, preparing = noPreparing, isSigned = () => false, clock, ids } = parts
  const deliveries = streamHandler(deliveryKind, store, committer)
  const pace = new Pace(clock.now())
  const sending = deliverer({ ...parts, deliveries, pace })
  const sweeper = controlSweeper(parts)
  const box = outbox({ store, deliveries, preparing, clock, ids })
  const side: DeliverySide = {
    outbox: box,
    signals: signalsOver(pace, clock),
    deliverer: {
      get running() {
        return sending.running
      },
      start() {
        sending.start()
        sweeper.start()
      },
      async stop(graceMs) {
        await Promise.all([sending.stop(graceMs), sweeper.stop()])
      },
    },
    async dryRun(at, given, channel) {
      const message = await preparing.prepare({ purpose: 'sent', ...at, dialog: null, message: given })
      const shownOn = (await (parts.rules ?? usualRules).hasButtons(at)) ? channel : withoutButtons(channel)
      const { tokens } = controlTokens(ids.next('dlv'), message, isSigned)
      return present(message, shownOn, { address: at.address }, tokens)
    },
    preview: (plan) => livePreview({ outbox: box, channels, preparing, clock, pace }, plan),
    async strip({ channel: name, address, messageId, marker, isOwn = () => true }) {
      const channel = channels.get(name)
      if (!channel) return { failure: { code: 'unreachable', why: `${name} is not connected`, retryable: true, maybeSent: false } }
      const found = await findMessage(store, { channel: name, chat: placeOn(channel, address).place, messageId }, channel.address)
      const state = found ? await deliveries.load(deliveryStream(found.delivery)) : { ...initialDelivery, address }
      const rest = found && state.closedBy === null ? withoutOwn(state.message, isOwn, marker) : null
      if (found && rest) {
        await box.edit(found.delivery, rest, { orKeep: true })
        return null
      }
      const request = toStrip(state, channel, messageId, { isSigned, marker })
      if (!request) return null
      const result = await side.perform({ channel: name, address }, () => request)
      return 'failure' in result ? result : null
    },
    async perform({ channel: name, address }, make) {
      const channel = channels.get(name)
      if (!channel) return { failure: { code: 'unreachable', why: `${name} is not connected`, retryable: true, maybeSent: false } }
      const place = placeOn(channel, address)
      const { rates } = channel.capabilities.delivery
      const request = make(channel.operations)
      const key = ids.next('op')
      const until = clock.now() + deliveryLimits.performWaitMs
      for (;;) {
        const now = clock.now()
        const waitMs = pace.freeAt(name, place, rates, now, request.operation) - now
        if (now + waitMs > until) return { failure: { ...tooMuch, retryAfterMs: waitMs } }
        pace.take(name, place, rates, now + waitMs)
        if (waitMs > 0) await pauseFor(clock, waitMs)
        const result = await callChannel(channel, request, { key, place, pace, clock })
        if (!('failure' in result) || result.failure.code !== 'rate_limited') return result
        if (clock.now() + (result.failure.retryAfterMs ?? 0) > until || (result.failure.retryAfterMs ?? 0) === 0) return result
      }
    },
  }
  return side
}

const tooMuch: SendFailure = { code: 'rate_limited', why: 'too much is going to this place', retryable: true, maybeSent: false }
