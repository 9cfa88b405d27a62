import type { Access } from './access.ts'
import { can, lowered, mustHave, type Principal } from './principal.ts'
import { isRole, roles } from '../../authority/roles.ts'
import type { RouteRow } from '../../authority/route-capabilities.ts'
import { bearerProtocol } from '../../client/live.ts'
import { ParleyError } from '../../errors.ts'
import type { Headers, Site } from './same-site.ts'

/** The caller by bearer token or cookie, with the role `x-parley-as` lowers them to. */
export async function whoAsks(header: Headers, access: Access): Promise<Principal | null> {
  const principal = await proven(header, access)
  const as = header('x-parley-as')
  if (principal === null || as === undefined) return principal
  if (!isRole(as)) throw new ParleyError('bad_request', { field: 'x-parley-as', why: `must be one of ${roles.join(', ')}` })
  return lowered(principal, as)
}

/** A token that is wrong is refused even where a cookie would do. */
async function proven(header: Headers, access: Access): Promise<Principal | null> {
  const authorization = header('authorization')
  if (authorization !== undefined) return bearer(/^Bearer ([\x21-\x7e]{1,500})$/i.exec(authorization)?.[1], access)
  const protocol = header('sec-websocket-protocol')
    ?.split(',')
    .map((one) => one.trim())
    .find((one) => one.startsWith(bearerProtocol))
  if (protocol !== undefined) return bearer(protocol.slice(bearerProtocol.length), access)
  const cookie = getCookie(header, access)
  return cookie === null ? null : access.checkCookie(cookie, header('user-agent'))
}

async function bearer(token: string | undefined, access: Access): Promise<Principal> {
  const principal = token === undefined ? null : await access.checkToken(token)
  if (!principal) throw new ParleyError('bad_token')
  return principal
}

/** Throws unless this caller may use the route. A cookie travels by itself, so it only counts from our own page. */
export function mustBeAllowed(
  principal: Principal | null,
  row: RouteRow,
  changesSomething: boolean,
  header: Headers,
  site: Site,
): Principal {
  if (!principal) throw new ParleyError('not_signed_in')
  if (principal.credential === 'cookie') {
    // A page on another port of this machine is of the same site, so the browser sends the cookie with its requests.
    if (changesSomething) site.checkOrigin(header)
    else site.checkForeignOrigin(header)
  }
  // For a limited token everything else does not exist.
  if (principal.limit && !row.limited) throw new ParleyError('not_found', { path: row.path })
  if (row.capability !== 'open' && !mayUse(principal, row)) mustHave(principal, row.capability)
  return principal
}

function mayUse(principal: Principal, { or, legacyScope }: RouteRow): boolean {
  if (or !== undefined && can(principal, or)) return true
  return principal.isLegacy === true && legacyScope !== undefined && principal.scopes.includes(legacyScope)
}

/** Throws unless this caller has the capability of one effect of a route. */
export function mustBeAllowedTo(principal: Principal, row: RouteRow, effect: string): void {
  const capability = row.effects?.[effect]
  if (capability === undefined) throw new Error(`route-capabilities.ts names no capability for "${effect}"`)
  mustHave(principal, capability)
}

export function getCookie(header: Headers, { cookieName }: Access): string | null {
  for (const pair of header('cookie')?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === cookieName) return pair.slice(equals + 1).trim()
  }
  return null
}
