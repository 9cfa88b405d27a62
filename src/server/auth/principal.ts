import { capabilityNames, canGiveRole, type Capability, tokenCan } from '../../authority/capabilities.ts'
import { type Author, isAtLeast, lowestRole, type Role } from '../../authority/roles.ts'
import type { Scope, TokenLimit } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'

/** The caller of a request, once proven. Made anew for every request, so that a changed role counts at once. */
export type Principal = {
  /** Names the token or the session, for limits and idempotency keys. */
  id: string
  name: string
  /** Stored with everything the caller says or decides. */
  author: Author
  scopes: readonly Scope[]
  credential: 'cookie' | 'token'
  /** Listed under `policy.approvers`. */
  isListed?: boolean
  /** A token that passes on text of people below member: it keeps what they may do in a chat. */
  isInChat?: boolean
  limit?: TokenLimit
  /** A token of 0.1: some routes still accept it by the scope they needed then. */
  isLegacy?: true
  /** The session of a cookie. */
  session?: string
  /** Of a cookie: the key under `people`, null for the owner. */
  person?: string | null
}

export function can({ author, scopes, isListed = false, isInChat = false }: Principal, capability: Capability): boolean {
  return tokenCan(author.role, scopes, capability, { isListed, isInChat })
}

/** Throws unless the caller has the capability, with the reason: their role, or the scopes of their token. */
export function mustHave(principal: Principal, capability: Capability): void {
  if (can(principal, capability)) return
  const { author, scopes } = principal
  if (tokenCan('owner', scopes, capability)) throw new ParleyError('role_too_low', { role: author.role, capability })
  throw new ParleyError('not_allowed', { scope: scopeFor(capability) })
}

/** The smallest scope that includes a capability. */
export function scopeFor(capability: Capability): Scope {
  switch (capability) {
    case 'read.own':
    case 'read.all':
      return 'read'
    case 'write.own':
    case 'write.all':
      return 'chat'
    case 'answer':
    case 'approve':
    case 'send':
    case 'pair':
      return capability
    case 'grants':
    case 'manage':
    case 'worlds':
      return 'admin'
  }
}

/** `x-parley-as`: the same caller with a lower role. A higher one changes nothing. */
export function lowered(principal: Principal, to: Role): Principal {
  const role = lowestRole(principal.author.role, to)
  if (role === principal.author.role) return principal
  return { ...principal, author: { ...principal.author, role }, ...(!isAtLeast(role, 'member') && { isInChat: true }) }
}

/** A26: throws when the caller would give a role or a capability they do not have. */
export function mustBeAbleToGive(giver: Principal, role: Role, scopes: readonly Scope[] = ['admin']): void {
  const lacks = capabilityNames.find((one) => tokenCan(role, scopes, one) && !can(giver, one))
  if (canGiveRole(giver.author.role, role) && lacks === undefined) return
  throw new ParleyError('role_too_low', { role: giver.author.role, capability: lacks ?? 'manage' })
}
