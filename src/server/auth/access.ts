import { randomBytes } from 'node:crypto'
import { toAuthor } from '../../authority/people.ts'
import type { Policy } from '../../authority/policy.ts'
import { type Author, isAtLeast, type Role } from '../../authority/roles.ts'
import type { Scope, SessionView, TokenLimit, TokenView } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Store, UnitResult } from '../../ports/store.ts'
import type { Principal } from './principal.ts'
import type { Secret } from './secret.ts'
import { type Session, sessions, sessionStream } from './sessions.ts'
import { type BuildTokens, buildTokens, buildTokenStream, isBuildTokenId } from './build-tokens.ts'
import { isSame, seal, sha256, sign, unseal } from './signature.ts'
import {
  decide,
  evolve,
  initialTokens,
  scopes,
  type Token,
  type TokenCommand,
  type TokenEvent,
  tokenLimits,
  type TokensState,
} from './tokens.ts'

/** People with their roles, and everyone the policy or one of its rules names as an approver, as parley.yaml lists them now. */
export type Rights = Pick<Policy, 'people' | 'approvers'>

export const getRights = ({ people, approvers, rules }: Pick<Policy, 'people' | 'approvers' | 'rules'>): Rights => ({
  people,
  approvers: [...approvers, ...rules.flatMap((rule) => rule.approvers)],
})

export type NewToken = {
  role?: Role
  limit?: TokenLimit | undefined
  /** A repeated `once` gives the same token again. */
  once?: { key: string; request: string } | undefined
}

export type Access = {
  /** The secret was given by a person, not made up: needed to listen where others can reach. */
  readonly hasOwnSecret: boolean
  /** Differs by data folder: cookies do not know ports, and two servers on one machine must not sign each other out. */
  readonly cookieName: string
  /** With the role member unless one is given. */
  createToken(name: string, scopes: readonly Scope[], more?: NewToken): Promise<{ token: string; view: TokenView }>
  listTokens(): Promise<TokenView[]>
  revokeToken(token: string): Promise<TokenView>
  /** Forgets a bounded number of tokens that were revoked before this time. Whether some are left. */
  pruneTokens(before: number): Promise<boolean>
  /** Forgets sessions that ended more than 30 days ago. Signing in and using a session do so too. */
  pruneSessions(): Promise<void>
  /** Tokens for one build. `checkToken` accepts them too. */
  readonly ofBuilds: Pick<BuildTokens, 'create' | 'list' | 'revokeAll'>
  checkToken(bearer: string): Promise<Principal | null>
  /** The role of a listed person. Throws for an unknown key. */
  getRole(person: string): Role
  /** A key for a sign-in link: works once, for ten minutes. It signs in as the owner unless it is for a listed person. */
  signInKey(whom?: { name?: string | undefined; person?: string | undefined }): { key: string; expiresAt: number }
  /** Trades a key for the value of a cookie. `attempt` lets the same browser ask again when the answer was lost. */
  redeem(key: string, attempt?: string, browser?: string): Promise<{ cookie: string; maxAgeMs: number }>
  checkCookie(value: string, browser?: string): Promise<Principal | null>
  /** Revokes the session of a cookie, also of one that 0.1 made. Nothing happens for a cookie that does not count. */
  signOut(cookie: string): Promise<void>
  /** Newest first, those that ended included. `current` marks the caller's own. */
  listSessions(principal: Principal): Promise<SessionView[]>
  revokeSession(session: string, principal: Principal): Promise<SessionView>
  /** All but the caller's own; with a token, all. */
  revokeOtherSessions(principal: Principal): Promise<{ count: number }>
  /** The person of a session with the role they have now; null when it has ended. */
  readerOf(session: string): Promise<Author | null>
  /** True if a caller who signed in earlier would still be accepted; checked repeatedly on a long connection. */
  isAlive(principal: Principal): Promise<boolean>
  /** Calls `listen` once when the token or session of this caller is revoked. Returns what ends the watch. */
  onRevoked(principal: Principal, listen: () => void): () => void
  /** True if this caller has fewer rights than at sign-in: a lowered role, or no longer an approver. */
  hasLess(principal: Principal): boolean
  /** People or approvers changed: connections of callers who may do less now end. */
  recheck(): void
  close(): void
}

export const accessLimits = {
  linkMs: 10 * 60_000,
  cookieMs: 30 * 24 * 60 * 60_000,
  staleMs: 1_000,
  readPage: 500,
  conflictRetries: 50,
} as const

/** The stream all tokens are in. */
export const tokenStream = 'tokens'

/** Streams that no reader of events is shown. */
export const isPrivateStream = (stream: string): boolean => [tokenStream, sessionStream, buildTokenStream, 'push'].includes(stream)

/** Name of a person who signs in by a link without a name. */
export const ownerName = 'owner'

/** The bearer token of the terminal on the same machine, which can read the secret file. */
export const localToken = (secret: Secret): string => `parley_local_${sign(secret.value, 'local', '')}`

const localId = 'local'

type Deps = { store: Store; secret: Secret; clock: Clock; ids: Ids; rights?: () => Rights }

const noRights: Rights = { people: [], approvers: [] }

export function access({ store, secret, clock, ids, rights = () => noRights }: Deps): Access {
  const key = secret.value
  const local = localToken(secret)
  let tokens: TokensState = initialTokens
  let seq = 0
  let freshAt = -Infinity
  let reading: Promise<void> | null = null
  const signedIn = sessions({ store, clock })
  const ofBuilds = buildTokens({ store, key, clock, ids, isMakerAlive: isAlive })
  const watches = new Set<{ principal: Principal; listen: () => void }>()
  let isLooking = false
  let lookAgain = false

  // After `sessions` listens, so that what it remembers is gone when this looks.
  const stopListening = store.hints.onStream((stream) => {
    if (stream === tokenStream) freshAt = -Infinity
    if (isPrivateStream(stream)) void endRevoked()
  })

  /** One pass at a time over the open connections; a revocation during a pass starts another. */
  async function endRevoked(): Promise<void> {
    lookAgain = true
    if (isLooking) return
    isLooking = true
    try {
      while (lookAgain) {
        lookAgain = false
        const alive = new Map<string, boolean>()
        for (const watch of watches) {
          const { id, author, isListed = false } = watch.principal
          const caller = `${id} ${author.role} ${isListed}`
          // A store that does not answer decides nothing: the connection itself asks again soon.
          if (!alive.has(caller)) alive.set(caller, await isAlive(watch.principal).catch(() => true))
          if (alive.get(caller) === false && watches.delete(watch)) watch.listen()
        }
      }
    } finally {
      isLooking = false
    }
  }

  /** Owner is the person of a link that named no one. */
  const cookieRights = (person: string | null): Pick<Principal, 'author' | 'isListed'> => {
    const { people, approvers } = rights()
    const isListed = person !== null && approvers.includes(person)
    return { author: toAuthor({ surface: 'page', person }, people), ...(isListed && { isListed }) }
  }

  function hasLess({ credential, person = null, author, isListed = false }: Principal): boolean {
    if (credential === 'token') return false
    const now = cookieRights(person)
    return !isAtLeast(now.author.role, author.role) || (isListed && now.isListed !== true)
  }

  async function isAlive(principal: Principal): Promise<boolean> {
    const { id, session, credential } = principal
    if (hasLess(principal)) return false
    if (credential === 'cookie') return session !== undefined && signedIn.isAlive(session)
    if (id === localId) return true
    if (isBuildTokenId(id)) return ofBuilds.isAlive(id)
    await refresh()
    return tokens.get(id)?.revokedAt === null
  }

  type Cookie = { id: string; name: string; person?: string; expiresAt: number; v?: 2 }
  const readCookie = (value: string): Cookie | null => {
    const data = unseal(key, 'cookie', value) as Cookie | null
    return data && data.expiresAt > clock.now() ? data : null
  }

  /** Notes the use of the cookie's session; null when it was revoked or never recorded. */
  async function useCookie({ id, name, person, expiresAt, v }: Cookie, browser: string | undefined): Promise<string | null> {
    const session = sessionId(id)
    const named = { id: session, name, ...(person !== undefined && { person }) }
    const record = { ...named, createdAt: expiresAt - accessLimits.cookieMs, expiresAt }
    return (await signedIn.use(v === undefined ? { ...record, isLegacy: true } : record, browser)) ? session : null
  }

  async function readOn(): Promise<void> {
    freshAt = clock.now()
    for (;;) {
      const events = await store.read(tokenStream, seq, accessLimits.readPage)
      for (const event of events) {
        tokens = evolve(tokens, event as unknown as TokenEvent)
        seq = event.seq
      }
      if (events.length < accessLimits.readPage) return
    }
  }

  /** Hints from another process may get lost, so what is known is also looked at again after a moment. */
  async function refresh(isForced = false): Promise<void> {
    // Either way: after a step back of the clock the last look lies in the future.
    if (!isForced && Math.abs(clock.now() - freshAt) < accessLimits.staleMs) return
    // One that is under way may have looked too early.
    if (isForced && reading) await reading
    reading ??= readOn().finally(() => {
      reading = null
    })
    await reading
  }

  async function handle(
    command: TokenCommand,
    once?: { key: string; value: unknown },
  ): Promise<Extract<UnitResult, { why: 'seen' }> | null> {
    for (let tries = 0; tries < accessLimits.conflictRetries; tries += 1) {
      await refresh(true)
      const decision = decide(tokens, command)
      if ('refused' in decision) throw new ParleyError(decision.refused.code, decision.refused.details)
      const append = decision.events.length === 0 ? [] : [{ stream: tokenStream, expect: seq, events: decision.events }]
      const [result] = await store.commit([{ append, ...(once ? { once: [once] } : {}) }])
      if (result?.ok) {
        await refresh(true)
        return null
      }
      if (result?.why === 'seen') return result
    }
    throw new ParleyError('busy', {}, { retryable: true })
  }

  function getRole(person: string): Role {
    const listed = rights().people.find((one) => one.key === person)
    if (!listed) throw new ParleyError('person_not_found', { person })
    return listed.role
  }

  const getToken = (id: string): Token => {
    const token = tokens.get(id)
    if (!token) throw new ParleyError('token_not_found', { token: id })
    return token
  }

  async function createToken(
    name: string,
    granted: readonly Scope[],
    { role = 'member', limit, once }: NewToken = {},
  ): Promise<{ token: string; view: TokenView }> {
    const fresh = ids.next('tok')
    const findSecret = (id: string): string =>
      (once ? Buffer.from(sign(key, 'token', `${id}\n${once.key}`), 'base64url') : randomBytes(32)).toString('hex')
    let id = fresh
    let part = findSecret(id)
    const handled = await handle(
      { type: 'create-token', at: clock.now(), token: id, name, scopes: granted, hash: sha256(part), role, limit },
      once && { key: `token:${once.key}`, value: { request: once.request, token: id } },
    )
    if (handled && once) {
      const first = handled.value as { request: string; token: string }
      if (first.request !== once.request) throw new ParleyError('key_reused')
      await refresh(true)
      id = first.token
      part = findSecret(id)
    }
    return { token: `parley_${id}_${part}`, view: toView(getToken(id)) }
  }

  return {
    hasOwnSecret: secret.isOwn,
    cookieName: `parley_${sign(key, 'cookie-name', '').slice(0, 8)}`,
    createToken,
    ofBuilds,
    async listTokens() {
      await refresh()
      return Array.from(tokens.values(), toView)
    },
    async revokeToken(token) {
      await handle({ type: 'revoke-token', at: clock.now(), token })
      return toView(getToken(token))
    },
    async pruneTokens(before) {
      await refresh()
      const count = tokens.size
      await handle({ type: 'prune-tokens', at: clock.now(), before })
      return count - tokens.size >= tokenLimits.prunedAtOnce
    },
    pruneSessions: () => signedIn.prune(),
    async checkToken(bearer) {
      if (isSame(bearer, local))
        return { id: localId, name: ownerName, author: toAuthor({ surface: 'terminal' }, []), scopes, credential: 'token' }
      const ofBuild = await ofBuilds.check(bearer)
      if (ofBuild) return ofBuild
      const parts = /^parley_(\w{1,100})_([0-9a-f]{64})$/.exec(bearer)
      await refresh()
      const token = parts?.[1] === undefined ? undefined : tokens.get(parts[1])
      const fits = isSame(token?.hash ?? '', sha256(parts?.[2] ?? ''))
      if (!token || !fits || token.revokedAt !== null) return null
      const { token: id, name, role, limit, isLegacy } = token
      const granted = token.scopes.includes('admin') ? scopes : token.scopes
      const author = toAuthor({ surface: 'token', id, name, role }, [])
      return { id, name, author, scopes: granted, credential: 'token', ...(limit && { limit }), ...(isLegacy && { isLegacy }) }
    },
    getRole,
    signInKey({ person, name = person ?? ownerName } = {}) {
      if (person !== undefined) getRole(person)
      const expiresAt = clock.now() + accessLimits.linkMs
      const link: LinkData = { nonce: randomBytes(12).toString('base64url'), name, expiresAt, ...(person !== undefined && { person }) }
      return { key: seal(key, 'link', link), expiresAt }
    },
    async redeem(link, attempt, browser) {
      const data = unseal(key, 'link', link) as LinkData | null
      if (!data || data.expiresAt <= clock.now()) throw new ParleyError('link_used')
      const { nonce, name, person } = data
      const whose = person === undefined ? {} : { person }
      const value = { attempt: attempt === undefined ? null : sha256(attempt) }
      const createdAt = clock.now()
      const expiresAt = createdAt + accessLimits.cookieMs
      const open = async (): Promise<unknown> => {
        await signedIn.prepareSignIn()
        const row = signedIn.opening({ id: sessionId(nonce), name, ...whose, createdAt, expiresAt }, browser)
        const [result] = await store.commit([{ once: [{ key: `link:${nonce}`, value }], rows: [row] }])
        if (result?.ok) return null
        return result?.why === 'seen' ? result.value : { attempt: null }
      }
      // Read before anything is written: repeats of a used link must not cost a commit each.
      const first = ((await store.remembered(`link:${nonce}`))?.value ?? (await open())) as { attempt: string | null } | null
      const isRepeat = first !== null && first.attempt !== null && first.attempt === value.attempt
      if (first !== null && !(isRepeat && (await signedIn.isAlive(sessionId(nonce))))) throw new ParleyError('link_used')
      const cookie: Cookie = { id: nonce, name, ...whose, expiresAt, v: 2 }
      return { cookie: seal(key, 'cookie', cookie), maxAgeMs: accessLimits.cookieMs }
    },
    async checkCookie(value, browser) {
      const cookie = readCookie(value)
      const session = cookie && (await useCookie(cookie, browser))
      if (cookie === null || session === null) return null
      const { id, name, person = null } = cookie
      const { author, ...listed } = cookieRights(person)
      // A link for a person has their key as its name, unless it was given another.
      const shownName = name === person ? author.name : name
      return {
        id: `cookie:${id}`,
        name: shownName,
        author: { ...author, name: shownName },
        scopes,
        credential: 'cookie',
        session,
        person,
        ...listed,
      }
    },
    async signOut(value) {
      const cookie = readCookie(value)
      const session = cookie && (await useCookie(cookie, undefined))
      if (session !== null) await signedIn.revoke(session)
    },
    listSessions: async ({ session }) => (await signedIn.list()).map((one) => toSessionView(one, session)),
    revokeSession: async (id, { session }) => toSessionView(await signedIn.revoke(id), session),
    revokeOtherSessions: async ({ session }) => ({ count: await signedIn.revokeAll(session ?? null) }),
    async readerOf(id) {
      const session = await signedIn.get(id)
      return session && cookieRights(session.person ?? null).author
    },
    isAlive,
    onRevoked(principal, listen) {
      const watch = { principal, listen }
      watches.add(watch)
      return () => void watches.delete(watch)
    },
    hasLess,
    recheck: () => void endRevoked(),
    close() {
      stopListening()
      signedIn.close()
      watches.clear()
    },
  }
}

type LinkData = { nonce: string; name: string; person?: string; expiresAt: number }

/** The id people see and type: the nonce of the link may begin with a dash. */
const sessionId = (nonce: string): string => `ses_${nonce}`

const toSessionView = (session: Session, own: string | undefined): SessionView => ({
  ...session,
  person: session.person ?? null,
  current: session.id === own,
})

const toView = ({ token, name, role, scopes: granted, limit, createdAt, revokedAt, isLegacy }: Token): TokenView => ({
  id: token,
  name,
  role,
  scopes: granted,
  limit,
  createdAt,
  revokedAt,
  ...(isLegacy && { isLegacy }),
})
