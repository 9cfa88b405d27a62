import { isInForce } from './judge.ts'
import type { Policy } from './policy.ts'
import type { Role } from './roles.ts'
import { type NetScope, parseScope } from './scope.ts'

/** An agent and the lowest role whose text it has read. */
export type HostsFor = { agent: string; role: Role; now: number }

/**
 * Hosts that are open to an agent's programs without a call that names them: those of its configuration, and with
 * `hasRules` those of `allow: net(…)` rules. A pattern that a deny or ask rule overlaps is left out as a whole, because the
 * network proxy of one program knows no exceptions.
 */
export function openHosts(policy: Policy, who: HostsFor, configured: readonly string[], { hasRules }: { hasRules: boolean }): string[] {
  const call = { agent: who.agent, now: who.now, cause: { by: [], role: who.role, origin: 'message' as const } }
  const rules = policy.rules.filter((rule) => rule.scope.kind === 'net' && isInForce(rule, call))
  const scopes = (effects: readonly string[]): NetScope[] =>
    rules.flatMap(({ effect, scope }) => (scope.kind === 'net' && effects.includes(effect) ? [scope] : []))
  const forbidden = scopes(['deny', 'ask'])
  const isFree = (scope: NetScope): boolean => !forbidden.some((other) => overlaps(scope, other))
  const own = configured.filter((pattern) => {
    const parsed = parseScope(`net(${pattern})`)
    return 'scope' in parsed && parsed.scope.kind === 'net' && isFree(parsed.scope)
  })
  const allowed = hasRules ? scopes(['allow']).filter(isFree).flatMap(listPatterns) : []
  return [...new Set([...own, ...allowed])]
}

/** Patterns of the proxy. It has none for every host, so that `net(*)` opens nothing by itself. */
function listPatterns({ host, hasSubdomains, port }: NetScope): string[] {
  if (host === '') return []
  const name = `${hasSubdomains ? '*.' : ''}${host}`
  // As the gate reads a rule without a port.
  return (port === null ? [80, 443] : [port]).map((one) => `${name}:${one}`)
}

/** A forbidding rule holds for its host and everything below it. */
function overlaps(open: NetScope, forbidden: NetScope): boolean {
  if (open.port !== null && forbidden.port !== null && open.port !== forbidden.port) return false
  const isBelow = (host: string, top: string): boolean => host === top || host.endsWith(`.${top}`)
  if (forbidden.host === '' || isBelow(open.host, forbidden.host)) return true
  return open.hasSubdomains && isBelow(forbidden.host, open.host)
}
