import { errorMessage } from '../../errors.ts'
import type { Channel, PlatformRequest, Receipt, SendFailure } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { deliveryLimits } from './delivery-limits.ts'
import type { Pace, Place } from './pacing.ts'

/** The chat whose rates apply: a thread shares those of its chat. */
export function placeOn({ address: rules }: Pick<Channel, 'address'>, address: string): Place {
  const place = rules.parent(address) ?? address
  return { place, isGroup: rules.isGroup(place) ?? false }
}

/** One call with an end. What the platform says about its rates counts for the calls that follow. */
export async function callChannel(
  channel: Channel,
  request: PlatformRequest,
  {
    key,
    withinMs = deliveryLimits.sendTimeoutMs,
    place,
    pace,
    clock,
  }: { key: string; withinMs?: number; place: Place; pace: Pace; clock: Clock },
): Promise<{ receipt: Receipt } | { failure: SendFailure }> {
  const tooLate = new AbortController()
  const cancel = clock.after(withinMs, () => tooLate.abort())
  const hold = (scope: 'address' | 'account' | 'method', forMs: number): void =>
    pace.hold(channel.name, place, clock.now() + forMs, scope, request.operation)
  try {
    const result = await channel.send(request, { key, signal: tooLate.signal })
    if ('failure' in result) {
      const { code, scope = 'address', retryAfterMs = 0 } = result.failure
      if (code === 'rate_limited') hold(scope, retryAfterMs)
    } else if (result.receipt.pace?.remaining === 0) hold(result.receipt.pace.scope, result.receipt.pace.resetAfterMs)
    return result
  } catch (error) {
    // A channel never throws by contract; one that does leaves the outcome unknown.
    return { failure: { code: 'unreachable', why: errorMessage(error), retryable: true, maybeSent: true } }
  } finally {
    cancel()
  }
}
