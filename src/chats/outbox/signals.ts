import type { Channel, PlatformRequest, Receipt, SendFailure } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { callChannel } from './call-channel.ts'
import type { Pace } from './pacing.ts'

/** Short-lived requests, such as typing indicators and toasts. They are not stored, and count towards the rates of the account. */
export type Signals = {
  /** Not sent while the account is over its rate, unless `isUrgent`. */
  send(
    channel: Channel,
    address: string,
    request: PlatformRequest,
    how: { key: string; withinMs: number; isUrgent?: true },
  ): Promise<{ receipt: Receipt } | { failure: SendFailure }>
}

export const signalsOver = (pace: Pace, clock: Clock): Signals => ({
  async send(channel, address, request, { key, withinMs, isUrgent }) {
    // Platforms count these for the account; the rate of a chat is one of messages.
    const rates = channel.capabilities.delivery.rates.filter(({ of }) => of === 'account')
    const place = { place: address, isGroup: false }
    const now = clock.now()
    const waitMs = pace.freeAt(channel.name, place, rates, now, request.operation) - now
    if (waitMs > 0 && !isUrgent)
      return {
        failure: { code: 'rate_limited', why: 'the account is over its rate', retryable: true, retryAfterMs: waitMs, maybeSent: false },
      }
    pace.take(channel.name, place, rates, now)
    return callChannel(channel, request, { key, withinMs, place, pace, clock })
  },
})
