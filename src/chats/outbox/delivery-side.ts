import type { Channel, PlatformRequest, Receipt, SendFailure } from '../../ports/channel.ts'
import { type Clock, pauseFor } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { controlSweeper } from './control-sweeper.ts'
import { ask, type Channels, type Deliverer, deliverer, placeOn } from './deliverer.ts'
import { deliveryKind } from './delivery-kind.ts'
import { deliveryLimits } from './delivery-limits.ts'
import type { DeliveryState } from './delivery-state.ts'
import { type LivePreview, livePreview } from './live-preview.ts'
import { type DeliveryPlan, type Outbox, outbox } from './outbox.ts'
import { Pace } from './pacing.ts'

/** Everything that goes to chat apps, over one pace. */
export type DeliverySide = {
  readonly outbox: Outbox
  readonly deliverer: Deliverer
  preview(plan: Omit<DeliveryPlan, 'message'>): LivePreview
  /** Something small done at once to a message already there: a pin, a reaction. Not kept; its outcome is the caller's. */
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
  onSettled?: (state: DeliveryState) => Promise<void>
}): DeliverySide {
  const { store, committer, channels, clock, ids } = parts
  const deliveries = streamHandler(deliveryKind, store, committer)
  const pace = new Pace(clock.now())
  const sending = deliverer({ ...parts, deliveries, pace })
  const sweeper = controlSweeper(parts)
  const box = outbox({ store, deliveries, clock, ids })
  return {
    outbox: box,
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
    preview: (plan) => livePreview({ outbox: box, channels, clock, pace }, plan),
    async perform({ channel: name, address }, make) {
      const channel = channels.get(name)
      if (!channel) return { failure: { code: 'unreachable', why: `${name} is not connected`, retryable: true, maybeSent: false } }
      const place = placeOn(channel, address)
      const { rates } = channel.capabilities.delivery
      const now = clock.now()
      const waitMs = pace.freeAt(name, place, rates, now) - now
      if (waitMs > deliveryLimits.performWaitMs)
        return {
          failure: {
            code: 'rate_limited',
            why: 'too much is going to this place',
            retryable: true,
            retryAfterMs: waitMs,
            maybeSent: false,
          },
        }
      pace.take(name, place, rates, now + waitMs)
      if (waitMs > 0) await pauseFor(clock, waitMs)
      return ask(channel, make(channel.operations), ids.next('op'), clock)
    },
  }
}
