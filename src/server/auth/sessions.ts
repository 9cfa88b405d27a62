import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store, Unit, ViewRow } from '../../ports/store.ts'

/**
 * One signed-in browser. Its cookie carries `id`; the record says whether the cookie still counts. `isLegacy`: signed in
 * with 0.1, which kept no records, and recorded when the cookie was first seen.
 */
export type Session = {
  id: string
  name: string
  /** Key under `people` in parley.yaml. Missing for the owner, and in records of 0.1. */
  person?: string
  createdAt: number
  /** Written at most once in `touchMs`. */
  lastUsedAt: number
  expiresAt: number
  revokedAt: number | null
  browser: string
  isLegacy?: true
}

export const sessionLimits = {
  alive: 200,
  /** Of those that have ended. */
  listed: 1_000,
  page: 500,
  browserChars: 160,
  touchMs: 60 * 60_000,
  /** A session that has ended is pruned after this time. */
  keptMs: 30 * 24 * 60 * 60_000,
  pruneEveryMs: 24 * 60 * 60_000,
  /** A record is read again after this time: another process may have revoked it and its hint may be lost. */
  staleMs: 1_000,
  cached: 1_000,
  conflictRetries: 50,
} as const

/** Records of sessions. No event says how long they were used, so they are rows that no fold makes anew. */
export const sessionView = 'sessions'

/** Revocations are events as well: their hint ends connections in every process at once. */
export const sessionStream = 'sessions'

const recordGroup = 'session'
/** Holds the time before which cookies of 0.1 without a record do not count. No id looks like this. */
const legacyMark = '*'

export type Sessions = {
  /** The record of a new session, to be committed together with what it stands for. */
  opening(session: Pick<Session, 'id' | 'name' | 'person' | 'createdAt' | 'expiresAt'>, browser: string | undefined): ViewRow
  /** Makes room for a new session: prunes records that ended long ago and revokes the least recently used above the limit. */
  prepareSignIn(): Promise<void>
  /** Alive now? Notes the use. A cookie of 0.1 gets its record here. */
  use(cookie: Omit<Session, 'lastUsedAt' | 'revokedAt' | 'browser'>, browser: string | undefined): Promise<boolean>
  isAlive(id: string): Promise<boolean>
  /** Its record while it is alive. */
  get(id: string): Promise<Session | null>
  /** Newest first, those that ended included. */
  list(): Promise<Session[]>
  revoke(id: string): Promise<Session>
  /** Every session but one; cookies of 0.1 that were not seen since the upgrade as well. */
  revokeAll(except: string | null): Promise<number>
  /** Forgets records of sessions that ended long ago. */
  prune(): Promise<void>
  close(): void
}

export function sessions({ store, clock }: { store: Store; clock: Clock }): Sessions {
  const cache = new Map<string, { session: Session | null; readAt: number }>()
  let prunedAt = -Infinity
  const stopListening = store.hints.onStream((stream) => {
    if (stream === sessionStream) cache.clear()
  })

  function remember(id: string, session: Session | null): void {
    cache.delete(id)
    cache.set(id, { session, readAt: clock.now() })
    for (const oldest of cache.keys()) {
      if (cache.size <= sessionLimits.cached) break
      cache.delete(oldest)
    }
  }

  async function find(id: string): Promise<Session | null> {
    const cached = cache.get(id)
    // Either way: after a step back of the clock the last look lies in the future.
    if (cached && Math.abs(clock.now() - cached.readAt) < sessionLimits.staleMs) return cached.session
    const row = await store.row(sessionView, id)
    const session = row ? (row.body as Session) : null
    remember(id, session)
    return session
  }

  /**
   * Writes the record of an open session that `change` makes of the latest one; false when it makes none. Decided again when a
   * session was revoked meanwhile: a note of its use must not open it again.
   */
  async function writeOpen(id: string, change: (latest: Session | null) => Promise<Session | null>): Promise<boolean> {
    for (let tries = 0; tries < sessionLimits.conflictRetries; tries += 1) {
      const expect = await store.head(sessionStream)
      const row = await store.row(sessionView, id)
      const session = await change(row ? (row.body as Session) : null)
      if (session === null) return false
      const [result] = await store.commit([{ append: [{ stream: sessionStream, expect, events: [] }], rows: [getRow(session)] }])
      if (!result?.ok) continue
      remember(id, session)
      return true
    }
    throw new ParleyError('busy', {}, { retryable: true })
  }

  /** Every record, newest first. An open one may be older than many that have ended. */
  async function everyRecord(): Promise<Session[]> {
    const matches: ViewRow[] = []
    for (;;) {
      const last = matches.at(-1)
      const before = last && { before: { sort: last.sort, key: last.key } }
      const page = await store.rows({ view: sessionView, group: recordGroup, limit: sessionLimits.page, ...before })
      matches.push(...page)
      if (page.length < sessionLimits.page) return matches.map(({ body }) => body as Session)
    }
  }

  const isOpen = ({ revokedAt, expiresAt }: Session): boolean => revokedAt === null && expiresAt > clock.now()

  async function get(id: string): Promise<Session | null> {
    const session = await find(id)
    return session !== null && isOpen(session) ? session : null
  }

  async function makePruner(all: readonly Session[]): Promise<void> {
    prunedAt = clock.now()
    const ended = all.filter(({ revokedAt, expiresAt }) => Math.min(revokedAt ?? Infinity, expiresAt) <= clock.now() - sessionLimits.keptMs)
    if (ended.length === 0) return
    await store.commit([{ rows: ended.map(({ id }) => ({ view: sessionView, key: id, body: null })) }])
  }

  /** The records and the event in one commit, decided again when another process revoked something meanwhile. */
  async function revoking(choose: () => Promise<{ revoked: Session[]; rows?: Unit['rows'] }>): Promise<Session[]> {
    for (let tries = 0; tries < sessionLimits.conflictRetries; tries += 1) {
      const expect = await store.head(sessionStream)
      const { revoked, rows = [] } = await choose()
      if (revoked.length + rows.length === 0) return []
      const at = clock.now()
      const events = [{ type: 'session.revoked', at, data: { sessions: revoked.map(({ id }) => id) } }]
      const ended = revoked.map((session) => ({ ...session, revokedAt: at }))
      const [result] = await store.commit([{ append: [{ stream: sessionStream, expect, events }], rows: [...ended.map(getRow), ...rows] }])
      cache.clear()
      if (result?.ok) return ended
    }
    throw new ParleyError('busy', {}, { retryable: true })
  }

  const wasRevokedUnseen = async (createdAt: number): Promise<boolean> => {
    const mark = await store.row(sessionView, legacyMark)
    return mark !== null && createdAt <= (mark.body as { before: number }).before
  }

  return {
    opening: (session, browser) => getRow({ ...session, lastUsedAt: session.createdAt, revokedAt: null, browser: shortName(browser) }),
    prune: async () => makePruner(await everyRecord()),
    async prepareSignIn() {
      const all = await everyRecord()
      await makePruner(all)
      const open = all.filter(isOpen).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
      const surplus = open.slice(sessionLimits.alive - 1)
      if (surplus.length > 0) await revoking(async () => ({ revoked: surplus }))
    },
    async use({ isLegacy, ...cookie }, browser) {
      const openSession = await find(cookie.id)
      const now = clock.now()
      if (openSession ? !isOpen(openSession) : !isLegacy) return false
      // A clock that was set back must not stop the record from being written again.
      const isNoted = openSession !== null && Math.abs(now - openSession.lastUsedAt) < sessionLimits.touchMs
      const isAlive =
        isNoted ||
        (await writeOpen(cookie.id, async (latest) => {
          if (latest) return isOpen(latest) ? { ...latest, lastUsedAt: now } : null
          if (!isLegacy || (await wasRevokedUnseen(cookie.createdAt))) return null
          return { ...cookie, lastUsedAt: now, revokedAt: null, browser: shortName(browser), isLegacy }
        }))
      if (isAlive && Math.abs(now - prunedAt) >= sessionLimits.pruneEveryMs) await makePruner(await everyRecord())
      return isAlive
    },
    isAlive: async (id) => (await get(id)) !== null,
    get,
    list: async () => (await everyRecord()).filter((session, at) => at < sessionLimits.listed || isOpen(session)),
    async revoke(id) {
      const [revoked] = await revoking(async () => {
        const row = await store.row(sessionView, id)
        if (!row || id === legacyMark) throw new ParleyError('session_not_found', { session: id })
        const session = row.body as Session
        return { revoked: session.revokedAt === null ? [session] : [] }
      })
      return revoked ?? ((await store.row(sessionView, id))?.body as Session)
    },
    async revokeAll(except) {
      const before = clock.now()
      const mark: ViewRow = { view: sessionView, key: legacyMark, group: legacyMark, sort: before, text: '', body: { before } }
      const revoked = await revoking(async () => ({
        revoked: (await everyRecord()).filter((session) => session.id !== except && isOpen(session)),
        rows: [mark],
      }))
      return revoked.length
    },
    close: stopListening,
  }
}

const getRow = (session: Session): ViewRow => ({
  view: sessionView,
  key: session.id,
  group: recordGroup,
  sort: session.createdAt,
  text: '',
  body: session,
})

/** For a person to recognise the browser by; control characters and the rest of a long header are cut. */
const shortName = (header: string | undefined): string =>
  (header ?? '')
    .slice(0, sessionLimits.browserChars)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
