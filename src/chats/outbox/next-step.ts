import { type DeliveryState, findShown } from './delivery-state.ts'

export type Step =
  | { does: 'rest' }
  | { does: 'wait'; until: number }
  /** It is unknown whether it was sent. */
  | { does: 'give-up' }
  | { does: 'park' }
  | { does: 'part'; again: boolean }
  | { does: 'remove' | 'strip' | 'pin'; messageId: string }

/**
 * The next step of a delivery. An intention without an outcome means that its process ended: the caller holds the claim.
 * `isAlone`: no other delivery waits for this one, so it may wait for a change of the message.
 */
export function nextStep(state: DeliveryState, now: number, isAlone = true): Step {
  const { status, intended, maybe, done, total, shown, toStrip, stripAt, closedBy, pin, notBefore, postponedAt, staleAt } = state
  if (status !== 'open') return { does: 'rest' }
  if (intended) {
    const isEdit = findShown(state, intended.part) !== undefined
    const isFresh = now <= (maybe?.keyUntil ?? intended.keyUntil) && intended.revision === state.revision
    return intended.isRepeatable && (isEdit || isFresh) ? { does: 'part', again: true } : { does: 'give-up' }
  }
  if (maybe && (maybe.revision !== state.revision || now > maybe.keyUntil)) return { does: 'give-up' }
  if (notBefore > now && now >= postponedAt) return { does: 'wait', until: notBefore }
  if (total === null || done < total) return now > staleAt ? { does: maybe ? 'give-up' : 'park' } : { does: 'part', again: false }
  const extra = shown.length > total ? shown.at(-1) : undefined
  if (extra) return { does: 'remove', messageId: extra.messageId }
  const [controls] = toStrip
  // A clock that is before the tap was set back, and `stripAt` says nothing any more.
  const isExpectingChange = isAlone && now < stripAt && now >= (closedBy?.at ?? stripAt)
  if (controls !== undefined) return isExpectingChange ? { does: 'wait', until: stripAt } : { does: 'strip', messageId: controls }
  const [first] = shown
  if (pin === 'wanted' && first) return { does: 'pin', messageId: first.messageId }
  return { does: 'rest' }
}
