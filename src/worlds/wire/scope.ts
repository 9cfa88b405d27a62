import { refuse, type Refusal } from '../../errors.ts'

/** Ids that a frame may name in several places, with the code for places that do not agree. */
const scopedIds = {
  deliveryId: 'relay_delivery_scope_mismatch',
  turnId: 'relay_turn_scope_mismatch',
  sessionKey: 'relay_session_scope_mismatch',
  chatRequestId: 'relay_request_scope_mismatch',
  accountId: 'relay_account_scope_mismatch',
} as const

type ScopedId = keyof typeof scopedIds

/** Values that are known from outside the frame: the path of a request, the account of a connection. */
type Known = Partial<Record<ScopedId, string>>

/**
 * Refuses a frame whose places name different ids: one that is checked in one place and used from another could reach a
 * delivery of another account. A delivery belongs to the chat request that begins its id.
 */
export function checkScope(frame: object, known: Known = {}): { refused: Refusal } | null {
  const { payload, metadata, delivery } = frame as Record<string, unknown>
  const places = [known, frame, payload, metadata, delivery].filter((place) => typeof place === 'object' && place !== null)
  const named: Known = {}
  for (const [name, code] of Object.entries(scopedIds) as [ScopedId, (typeof scopedIds)[ScopedId]][])
    for (const place of places) {
      const value = (place as Record<string, unknown>)[name]
      if (value === undefined || value === null) continue
      if (typeof value !== 'string' || (named[name] ?? value) !== value) return refuse(code, { field: name })
      named[name] = value
    }
  const { deliveryId, turnId, chatRequestId } = named
  if (chatRequestId === undefined) return null
  if (deliveryId !== undefined && !deliveryId.startsWith(`${chatRequestId}.d`)) return refuse(scopedIds.deliveryId, { field: 'deliveryId' })
  return turnId !== undefined && !turnId.startsWith(`${chatRequestId}.t`) ? refuse(scopedIds.turnId, { field: 'turnId' }) : null
}
