import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { errorMessage, ParleyError } from '../errors.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { type Log, silentLog } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { type Committer, groupCommitter } from '../streams/committer.ts'
import { exportTranscript, headLine } from '../worlds/keys/export-transcript.ts'
import { fingerprint } from '../worlds/keys/signing-key.ts'
import type { ContactState } from '../worlds/rules/contact-state.ts'
import { contactView } from '../worlds/wire/contact-kind.ts'
import { protocolId } from '../worlds/wire/frames.ts'
import type { PeerKeys } from '../worlds/member/worlds-nouns.ts'
import type { StorePlace } from './store-place.ts'
import type { Identity } from '../worlds/keys/identity-file.ts'
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

const isLoopback = (hostname: string): boolean => hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')

/** The origin of a host. Plain HTTP is for this machine alone: turns and presence would be readable on the way. */
export function readHostOrigin(url: string): string {
  const parsed = URL.parse(url.includes('://') ? url : `https://${url}`)
  const isAllowed = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname))
  if (!parsed || !isAllowed || parsed.username !== '' || parsed.pathname !== '/')
    throw new ParleyError('bad_request', { field: 'host', why: 'write an address such as https://worlds.example.org' })
  return parsed.origin
}

/** Throws when no world host answers at this address. */
export async function checkHost(origin: string): Promise<void> {
  let protocol: unknown
  try {
    const response = await fetch(`${origin}/healthz`, { redirect: 'error', signal: AbortSignal.timeout(wireLimits.httpMs) })
    protocol = ((await response.json()) as { protocol?: unknown }).protocol
  } catch (error) {
    throw new ParleyError('world_host_unreachable', { host: origin, why: errorMessage(error) }, { cause: error })
  }
  if (protocol !== protocolId) throw new ParleyError('world_host_unreachable', { host: origin, why: 'it is not a world host' })
}

/** The accounts of this owner at a host, for commands that work beside a server that may be running. */
export async function withJoined<Value>(
  { url, dataDir, place }: { url: string; dataDir: string; place: StorePlace },
  work: (joined: JoinedHost & { store: Store }) => Promise<Value>,
): Promise<Value> {
  const { openStoreAt } = await import('./store-place.ts')
  const store = await openStoreAt(place)
  const committer = groupCommitter(store)
  try {
    return await work({ ...joinHost({ url, dataDir, store, committer, clock: systemClock, log: silentLog }), store })
  } finally {
    await committer.drain()
    await store.close()
  }
}

/** The transcript of one chat request for the independent verifier; null if no account here took part in it. */
export async function exportSigned(
  { records, identities }: JoinedHost,
  request: string,
): Promise<{ transcript: string; peerHead: string | null } | null> {
  for (const { account, key } of identities.list()) {
    if (!account) continue
    const turns = await records.turns(account.agent, request)
    const [first] = turns
    if (!first) continue
    const { heads } = await records.head(account.agent, request)
    const peer = first.from === account.code ? first.to : first.from
    const peerHead = heads[peer] ?? null
    const transcript = await exportTranscript({ intent: request, you: account.code, peer, turns, peerHead }, key)
    return { transcript, peerHead: peerHead && headLine(request, peerHead) }
  }
  return null
}

export type PeerKey = {
  account: string
  code: string
  key: string
  fingerprint: string
  offered: { key: string; fingerprint: string } | null
}

/** Keys of peers: those in use, and changed ones that wait for the owner. */
export async function listPeerKeys(store: Store): Promise<PeerKey[]> {
  const rows = await store.rows({ view: contactView, limit: 500 })
  return rows.flatMap(({ key: stream, body }) => {
    const { code, key, offered } = body as ContactState
    const account = stream.split(':')[1] ?? ''
    if (key === null) return []
    return [
      {
        account,
        code,
        key,
        fingerprint: fingerprint(key),
        offered: offered && { key: offered.key, fingerprint: fingerprint(offered.key) },
      },
    ]
  })
}

/** Keys of peers for the page and programs. */
export const peerKeys = ({ records, origin }: Pick<JoinedHost, 'records' | 'origin'>, store: Store): PeerKeys => ({
  host: origin,
  fingerprint,
  list: async () =>
    (await listPeerKeys(store)).map(({ account, code, fingerprint: pinned, offered }) => ({
      account,
      agentCode: code,
      fingerprint: pinned,
      offered,
    })),
  decide: records.decideKey,
})

export type OwnKey = { code: string | null; key: string; fingerprint: string }

export const toOwnKeys = (identities: readonly Identity[]): OwnKey[] =>
  identities.map(({ account, key: { publicKey } }) => ({
    code: account?.code ?? null,
    key: publicKey,
    fingerprint: fingerprint(publicKey),
  }))
