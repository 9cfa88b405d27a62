import type { Access, Principal } from '../access/access.ts'
import type { Scope } from '../client/wire.ts'
import { bearerProtocol } from '../client/live.ts'
import { ParleyError } from '../errors.ts'
import type { Headers, Site } from './same-site.ts'

/** Who is asking, by bearer token or cookie. A token that is wrong is refused even where a cookie would do. */
export async function whoAsks(header: Headers, access: Access): Promise<Principal | null> {
  const authorization = header('authorization')
  if (authorization !== undefined) return bearer(/^Bearer ([\x21-\x7e]{1,500})$/i.exec(authorization)?.[1], access)
  const protocol = header('sec-websocket-protocol')
    ?.split(',')
    .map((one) => one.trim())
    .find((one) => one.startsWith(bearerProtocol))
  if (protocol !== undefined) return bearer(protocol.slice(bearerProtocol.length), access)
  const cookie = cookieOf(header('cookie'), access.cookieName)
  return cookie === null ? null : access.checkCookie(cookie)
}

async function bearer(token: string | undefined, access: Access): Promise<Principal> {
  const principal = token === undefined ? null : await access.checkToken(token)
  if (!principal) throw new ParleyError('bad_token')
  return principal
}

/** Throws unless this caller may do what needs `scope`. A cookie travels by itself, so it only counts from our own page. */
export function mustBeAllowed(
  principal: Principal | null,
  scope: Scope,
  changesSomething: boolean,
  header: Headers,
  site: Site,
): Principal {
  if (!principal) throw new ParleyError('not_signed_in')
  if (principal.door === 'cookie' && changesSomething) site.checkOrigin(header)
  if (!principal.scopes.includes(scope)) throw new ParleyError('not_allowed', { scope })
  return principal
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return null
}
