import { catalogue, ParleyError } from '../../errors.ts'
import type { Inbound } from '../../ports/channel.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Identities } from '../bindings/identities.ts'

/** The once-only key of an update: the platform may send the same update again. */
export const inboundKey = (channel: string, { id }: Pick<Inbound, 'id'>): string => `inbound:${channel}:${id}`

/** The author of an update as a caller of Parley, with the role they have now. */
export function toCaller(
  identities: Pick<Identities, 'toAuthor'>,
  channel: string,
  inbound: Pick<Inbound, 'id' | 'from' | 'address' | 'isPrivate'>,
  key: string = inboundKey(channel, inbound),
): Caller {
  return { by: { kind: 'human', ...identities.toAuthor(channel, inbound) }, via: channel, once: { key, request: key } }
}

/** True when the rules refused a request: a retry changes nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ParleyError && !error.retryable && catalogue[error.code][0] === 'refused'
