import type { Target } from '../shapes/wire.ts'
import { UsageError } from './fault.ts'

/** Optional prefixes of an address; on all platforms so far the rest is sufficient. */
const kinds = ['channel', 'user', 'conversation', 'chat']

const help = 'Such as: -t 42, -t telegram:-1001:topic:7, -t user:42 --channel telegram'

/**
 * Where a message goes, as people type it: `42`, `user:42`, `channel:-1001`, `-1001:topic:7`, each of them with the name of
 * a channel before it, as in `telegram:user:42`. An account that is named wins: there may be several of one platform.
 */
export function parseTarget(
  typed: string,
  flags: { channel?: string | undefined; account?: string | undefined; topic?: string | undefined } = {},
): Target {
  let rest = typed.trim()
  let channel = flags.channel
  const [, prefix, after = ''] = /^(\p{L}[\p{L}\p{N}._-]*):(.*)$/su.exec(rest) ?? []
  if (prefix !== undefined && !kinds.includes(prefix)) {
    if (channel !== undefined && channel !== prefix)
      throw new UsageError(`The target is on "${prefix}", but --channel says "${channel}".`, help)
    channel = prefix
    rest = after.trim()
  }
  const kind = kinds.find((one) => rest.startsWith(`${one}:`))
  if (kind !== undefined) rest = rest.slice(kind.length + 1).trim()
  if (rest === '') throw new UsageError('The target is empty.', help)
  if (flags.topic !== undefined) {
    if (rest.includes(':topic:')) throw new UsageError('The target already names a topic; remove --thread-id.', help)
    rest = `${rest}:topic:${flags.topic}`
  }
  const name = flags.account ?? channel
  return { ...(name !== undefined && { channel: name }), target: rest }
}
