import { type TokenScope, tokenScopes, upgradeToken } from '../../authority/capabilities.ts'
import type { Role } from '../../authority/roles.ts'
import type { TokenLimit } from '../../shapes/wire.ts'
import { type Refusal, refuse } from '../../errors.ts'

/**
 * `hash` is a SHA-256 of the secret part; the secret itself is shown once and kept nowhere. `scopeSet` says which scopes
 * existed when the token was made: events of 0.1 have none, and their `chat` included what is `send` today. Events without
 * `role` are read by `upgradeToken`.
 */
export type TokenEvent =
  | { type: 'token.created'; at: number; data: CreatedToken }
  | { type: 'token.revoked'; at: number; data: { token: string } }
  /** They could not be used for a long time, and are not listed any more. */
  | { type: 'token.pruned'; at: number; data: { tokens: string[] } }

type CreatedToken = {
  token: string
  name: string
  scopes: TokenScope[]
  hash: string
  scopeSet?: 2 | 3
  role?: Role
  limit?: TokenLimit
}

export type TokenCommand = { at: number } & (
  | {
      type: 'create-token'
      token: string
      name: string
      scopes: readonly TokenScope[]
      hash: string
      role: Role
      limit?: TokenLimit | undefined
    }
  | { type: 'revoke-token'; token: string }
  | { type: 'prune-tokens'; before: number }
)

export type Token = {
  token: string
  name: string
  role: Role
  scopes: TokenScope[]
  limit: TokenLimit | null
  hash: string
  createdAt: number
  revokedAt: number | null
  isLegacy?: true
}

/** All tokens that were not pruned, by id, oldest first. */
export type TokensState = ReadonlyMap<string, Token>

export const initialTokens: TokensState = new Map()

export const scopes = Object.keys(tokenScopes) as readonly TokenScope[]

/** Guests and groups act in chats alone, so no token is made for them. */
export const tokenRoles = ['owner', 'operator', 'member'] as const satisfies readonly Role[]

export const tokenLimits = { alive: 1_000, nameChars: 100, prunedAtOnce: 200 } as const

/** When it stopped to open anything; null while it does. */
const unusableSince = ({ revokedAt }: Token): number | null => revokedAt

export function decide(state: TokensState, command: TokenCommand): { events: TokenEvent[] } | { refused: Refusal } {
  const { at } = command
  switch (command.type) {
    case 'create-token': {
      const { token, name, hash, role, limit } = command
      if (name.trim() === '') return refuse('empty_text', { field: 'name' })
      if (name.length > tokenLimits.nameChars)
        return refuse('text_too_long', { field: 'name', length: name.length, limit: tokenLimits.nameChars })
      if (command.scopes.length === 0) return refuse('bad_request', { field: 'scopes', why: 'at least one is needed' })
      const entry = state.get(token)
      if (entry) return entry.hash === hash ? { events: [] } : refuse('busy')
      const alive = [...state.values()].filter(({ revokedAt }) => revokedAt === null).length
      if (alive >= tokenLimits.alive)
        return refuse('bad_request', { field: 'tokens', why: `there are already ${alive}; revoke some first` })
      return {
        events: [
          {
            type: 'token.created',
            at,
            data: {
              token,
              name: name.trim(),
              scopes: scopes.filter((scope) => command.scopes.includes(scope)),
              hash,
              scopeSet: 3,
              role,
              ...(limit && { limit }),
            },
          },
        ],
      }
    }
    case 'revoke-token': {
      const { token } = command
      const existing = state.get(token)
      if (!existing) return refuse('token_not_found', { token })
      return { events: existing.revokedAt === null ? [{ type: 'token.revoked', at, data: { token } }] : [] }
    }
    case 'prune-tokens': {
      const over = [...state.values()].filter((token) => (unusableSince(token) ?? Infinity) < command.before)
      const tokens = over.slice(0, tokenLimits.prunedAtOnce).map(({ token }) => token)
      return { events: tokens.length > 0 ? [{ type: 'token.pruned', at, data: { tokens } }] : [] }
    }
  }
}

export function evolve(state: TokensState, event: TokenEvent): TokensState {
  const next = new Map(state)
  switch (event.type) {
    case 'token.created': {
      const { token, name, scopes: granted, hash, scopeSet, role, limit = null } = event.data
      const upgraded = upgradeToken(granted)
      const isLegacy = scopeSet === undefined
      const has = isLegacy ? scopes.filter((scope) => upgraded.scopes.includes(scope)) : granted
      const created: Token = { token, name, role: role ?? upgraded.role, scopes: has, limit, hash, createdAt: event.at, revokedAt: null }
      return next.set(token, isLegacy ? { ...created, isLegacy } : created)
    }
    case 'token.revoked': {
      const { token } = event.data
      const previous = state.get(token)
      return previous ? next.set(token, { ...previous, revokedAt: event.at }) : state
    }
    case 'token.pruned': {
      for (const token of event.data.tokens) next.delete(token)
      return next
    }
  }
}
