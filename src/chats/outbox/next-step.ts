import type { DeliveryState } from './delivery-state.ts'

export type Step =
  | { does: 'rest' }
  | { does: 'wait'; until: number }
  /** It is unknown whether it was sent. */
  | { does: 'give-up' }
  | { does: 'park' }
  | { does: 'part'; again: boolean }
  | { does: 'remove' | 'strip' | 'pin'; messageId: string }

/** The next step of a delivery. An intention without an outcome means that its process ended: the caller holds the claim. */
export function nextStep(state: DeliveryState, now: number): Step {
  const { status, intended, maybe, done, total, shown, toStrip, pin, notBefore, postponedAt, staleAt } = state
  if (status !== 'open') return { does: 'rest' }
  if (intended) {
    const isEdit = shown[intended.part] !== undefined
    const isFresh = now <= (maybe?.keyUntil ?? intended.keyUntil) && intended.revision === state.revision
    return intended.isRepeatable && (isEdit || isFresh) ? { does: 'part', again: true } : { does: 'give-up' }
  }
  if (maybe && (maybe.revision !== state.revision || now > maybe.keyUntil)) return { does: 'give-up' }
  if (notBefore > now && now >= postponedAt) return { does: 'wait', until: notBefore }
  if (total === null || done < total) return now > staleAt ? { does: maybe ? 'give-up' : 'park' } : { does: 'part', again: false }
  const extra = shown.length > total ? shown.at(-1) : undefined
  if (extra) return { does: 'remove', messageId: extra.messageId }
  const [controls] = toStrip
  if (controls !== undefined) return { does: 'strip', messageId: controls }
  const [first] = shown
  if (pin === 'wanted' && first) return { does: 'pin', messageId: first.messageId }
  return { does: 'rest' }
}
