import { randomBytes } from 'node:crypto'
import type { Scope, TokenView } from '../client/wire.ts'
import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Store, UnitResult } from '../ports/store.ts'
import type { Secret } from './secret.ts'
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

/** Who is asking, once that is proven. */
export type Principal = { id: string; name: string; scopes: readonly Scope[]; door: 'cookie' | 'token' }

export type Access = {
  /** The secret was given by a person, not made up: needed to listen where others can reach. */
  readonly hasOwnSecret: boolean
  /** Differs by data folder: cookies do not know ports, and two servers on one machine must not sign each other out. */
  readonly cookieName: string
  /** A repeated `once` gives the same token again. */
  createToken(name: string, scopes: readonly Scope[], once?: { key: string; request: string }): Promise<{ token: string; view: TokenView }>
  listTokens(): Promise<TokenView[]>
  revokeToken(token: string): Promise<TokenView>
  /** Forgets a bounded number of tokens that were revoked before this time. Whether some are left. */
  pruneTokens(before: number): Promise<boolean>
  checkToken(bearer: string): Promise<Principal | null>
  /** A key for a sign-in link: works once, for ten minutes. */
  signInKey(name?: string): { key: string; expiresAt: number }
  /** Trades a key for the value of a cookie. `attempt` lets the same browser ask again when the answer was lost. */
  redeem(key: string, attempt?: string): Promise<{ cookie: string; maxAgeMs: number }>
  checkCookie(value: string): Principal | null
  /** Whether one who was let in earlier would be let in now: asked again and again on a long connection. */
  isAlive(principal: Principal): Promise<boolean>
  close(): void
}

export const accessLimits = {
  linkMs: 10 * 60_000,
  cookieMs: 30 * 24 * 60 * 60_000,
  staleMs: 2_000,
  readPage: 500,
  conflictRetries: 50,
} as const

/** The stream all tokens are in. Not shown to readers of events. */
export const tokenStream = 'tokens'

/** Who signs in by a link without a name. */
export const ownerName = 'owner'

/** A bearer token for whoever can read the secret file: the terminal on the same machine. */
export const localToken = (secret: Secret): string => `parley_local_${sign(secret.value, 'local', '')}`

const localId = 'local'

type Deps = { store: Store; secret: Secret; clock: Clock; ids: Ids }

export function access({ store, secret, clock, ids }: Deps): Access {
  const key = secret.value
  const local = localToken(secret)
  let tokens: TokensState = initialTokens
  let seq = 0
  let freshAt = -Infinity
  let reading: Promise<void> | null = null
  const stopListening = store.hints.onStream((stream) => {
    if (stream === tokenStream) freshAt = -Infinity
  })

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

  const known = (id: string): Token => {
    const token = tokens.get(id)
    if (!token) throw new ParleyError('token_not_found', { token: id })
    return token
  }

  async function createToken(
    name: string,
    granted: readonly Scope[],
    once?: { key: string; request: string },
  ): Promise<{ token: string; view: TokenView }> {
    const fresh = ids.next('tok')
    const secretOf = (id: string): string =>
      (once ? Buffer.from(sign(key, 'token', `${id}\n${once.key}`), 'base64url') : randomBytes(32)).toString('hex')
    let id = fresh
    let part = secretOf(id)
    const seen = await handle(
      { type: 'create-token', at: clock.now(), token: id, name, scopes: granted, hash: sha256(part) },
      once && { key: `token:${once.key}`, value: { request: once.request, token: id } },
    )
    if (seen && once) {
      const first = seen.value as { request: string; token: string }
      if (first.request !== once.request) throw new ParleyError('key_reused')
      await refresh(true)
      id = first.token
      part = secretOf(id)
    }
    return { token: `parley_${id}_${part}`, view: viewOf(known(id)) }
  }

  return {
    hasOwnSecret: secret.isOwn,
    cookieName: `parley_${sign(key, 'cookie-name', '').slice(0, 8)}`,
    createToken,
    async listTokens() {
      await refresh()
      return Array.from(tokens.values(), viewOf)
    },
    async revokeToken(token) {
      await handle({ type: 'revoke-token', at: clock.now(), token })
      return viewOf(known(token))
    },
    async pruneTokens(before) {
      await refresh()
      const count = tokens.size
      await handle({ type: 'prune-tokens', at: clock.now(), before })
      return count - tokens.size >= tokenLimits.prunedAtOnce
    },
    async checkToken(bearer) {
      if (isSame(bearer, local)) return { id: localId, name: ownerName, scopes, door: 'token' }
      const parts = /^parley_(\w{1,100})_([0-9a-f]{64})$/.exec(bearer)
      await refresh()
      const token = parts?.[1] === undefined ? undefined : tokens.get(parts[1])
      const fits = isSame(token?.hash ?? '', sha256(parts?.[2] ?? ''))
      if (!token || !fits || token.revokedAt !== null) return null
      return { id: token.token, name: token.name, scopes: token.scopes.includes('admin') ? scopes : token.scopes, door: 'token' }
    },
    signInKey(name = ownerName) {
      const expiresAt = clock.now() + accessLimits.linkMs
      return { key: seal(key, 'link', { nonce: randomBytes(12).toString('base64url'), name, expiresAt }), expiresAt }
    },
    async redeem(link, attempt) {
      const data = unseal(key, 'link', link) as { nonce: string; name: string; expiresAt: number } | null
      if (!data || data.expiresAt <= clock.now()) throw new ParleyError('link_used')
      const value = { attempt: attempt === undefined ? null : sha256(attempt) }
      const [result] = await store.commit([{ once: [{ key: `link:${data.nonce}`, value }] }])
      if (!result?.ok) {
        const first = result?.why === 'seen' ? (result.value as { attempt: string | null }) : null
        if (first?.attempt === null || first?.attempt !== value.attempt) throw new ParleyError('link_used')
      }
      const expiresAt = clock.now() + accessLimits.cookieMs
      return { cookie: seal(key, 'cookie', { id: data.nonce, name: data.name, expiresAt }), maxAgeMs: accessLimits.cookieMs }
    },
    checkCookie(value) {
      const data = unseal(key, 'cookie', value) as { id: string; name: string; expiresAt: number } | null
      return data && data.expiresAt > clock.now() ? { id: `cookie:${data.id}`, name: data.name, scopes, door: 'cookie' } : null
    },
    async isAlive({ door, id }) {
      if (door === 'cookie' || id === localId) return true
      await refresh()
      return tokens.get(id)?.revokedAt === null
    },
    close: stopListening,
  }
}

const viewOf = ({ token, name, scopes: granted, createdAt, revokedAt }: Token): TokenView => ({
  id: token,
  name,
  scopes: granted,
  createdAt,
  revokedAt,
})
