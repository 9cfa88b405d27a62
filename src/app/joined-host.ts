import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import { type Identities, identityFolder } from '../worlds/wire/identities.ts'
import { type MemberRecords, memberRecords } from '../worlds/wire/member-records.ts'
import { type WireHost, wireHost } from '../worlds/wire/wire-host.ts'
import { type WireLimits, wireLimits } from '../worlds/wire/wire-limits.ts'
import { wsDial } from '../worlds/wire/ws-socket.ts'

type Parts = { url: string; dataDir: string; store: Store; committer: Committer; clock: Clock; log: Log; limits?: WireLimits }

export type JoinedHost = { host: WireHost; records: MemberRecords; identities: Identities; origin: string }

/** The keys of the accounts at one host. Another host never sees them: each has a folder of its own. */
export const keyFolder = (dataDir: string, origin: string): string =>
  join(dataDir, 'worlds', createHash('sha256').update(origin).digest('hex').slice(0, 16))

/** A host somewhere else, for the agents of this owner. */
export function joinHost({ url, dataDir, store, committer, clock, log, limits = wireLimits }: Parts): JoinedHost {
  const origin = readHostOrigin(url)
  const records = memberRecords({ store, committer, clock })
  const identities = identityFolder(keyFolder(dataDir, origin), origin)
  const host = wireHost({ host: origin, identities, records, dial: wsDial(origin, limits), clock, random: Math.random, log, limits })
  return { host, records, identities, origin }
}

const isLoopback = (hostname: string): boolean => hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)

/** The origin of a host. Plain HTTP is for this machine alone: turns and presence would be readable on the way. */
export function readHostOrigin(url: string): string {
  const parsed = URL.parse(url.includes('://') ? url : `https://${url}`)
  const isAllowed = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname))
  if (!parsed || !isAllowed || parsed.username !== '' || parsed.pathname !== '/')
    throw new ParleyError('bad_request', { field: 'host', why: 'write an address such as https://worlds.example.org' })
  return parsed.origin
}
