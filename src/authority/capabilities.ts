import { isAtLeast, type Role } from './roles.ts'

/**
 * Capabilities of a caller at the API, by role. `addressed` and `listed` are not decided by a role alone: a question goes to
 * named people, and a member approves only when parley.yaml lists them. Guests and groups only act through a chat.
 *
 * | capability | roles |
 * |---|---|
 * | read.own, write.own | owner, operator, member; in a chat also guest and group |
 * | read.all, write.all, grants, send, pair, worlds | owner, operator |
 * | answer | the addressed |
 * | approve | owner, operator, listed member |
 * | manage | owner |
 */
export const capabilities = {
  'read.own': { lowest: 'member', inChat: 'group' },
  'read.all': { lowest: 'operator' },
  'write.own': { lowest: 'member', inChat: 'group' },
  'write.all': { lowest: 'operator' },
  answer: { lowest: 'member', inChat: 'group', needs: 'addressed' },
  approve: { lowest: 'operator', ifListed: 'member' },
  grants: { lowest: 'operator' },
  send: { lowest: 'operator' },
  pair: { lowest: 'operator' },
  manage: { lowest: 'owner' },
  worlds: { lowest: 'operator' },
} as const satisfies Record<string, CapabilityRow>

type CapabilityRow = { lowest: Role; inChat?: Role; ifListed?: Role; needs?: 'addressed' }

export type Capability = keyof typeof capabilities

export const capabilityNames = Object.keys(capabilities) as readonly Capability[]

/** Bundles of capabilities that a token is made with. */
export const tokenScopes = {
  read: ['read.own', 'read.all'],
  chat: ['write.own', 'write.all'],
  answer: ['answer'],
  approve: ['approve'],
  send: ['send'],
  pair: ['pair'],
  admin: capabilityNames,
} as const satisfies Record<string, readonly Capability[]>

export type TokenScope = keyof typeof tokenScopes

export type RoleFacts = {
  /** Listed under `policy.approvers` or in the rule that asks. */
  isListed?: boolean
  /** The person acts in a chat they were admitted to, not at the API. */
  isInChat?: boolean
}

export function roleCan(role: Role, capability: Capability, { isListed = false, isInChat = false }: RoleFacts = {}): boolean {
  const row: CapabilityRow = capabilities[capability]
  if (isAtLeast(role, row.lowest)) return true
  if (isInChat && row.inChat !== undefined && isAtLeast(role, row.inChat)) return true
  return isListed && row.ifListed !== undefined && isAtLeast(role, row.ifListed)
}

/** A token can do what its role can and one of its scopes includes. Limits to one dialog or build are checked beside this. */
export function tokenCan(role: Role, scopes: readonly TokenScope[], capability: Capability, facts: RoleFacts = {}): boolean {
  return roleCan(role, capability, facts) && scopes.some((scope) => (tokenScopes[scope] as readonly Capability[]).includes(capability))
}

/** A person cannot give a token, link or role more rights than they have. Only an owner makes owners and operators. */
export function canGiveRole(giver: Role, role: Role): boolean {
  return isAtLeast(role, 'operator') ? giver === 'owner' : roleCan(giver, 'manage')
}

/** Tokens of 0.1 had scopes only. What works today goes on, except pairing by `answer` and question buttons by `chat`. */
export function upgradeToken(scopes: readonly string[]): { role: Role; scopes: readonly TokenScope[] } {
  const knownScopes = scopes.filter((scope): scope is TokenScope => Object.hasOwn(tokenScopes, scope))
  if (knownScopes.includes('admin')) return { role: 'owner', scopes: knownScopes }
  return {
    role: 'operator',
    scopes: knownScopes.includes('chat') && !knownScopes.includes('send') ? [...knownScopes, 'send'] : knownScopes,
  }
}
