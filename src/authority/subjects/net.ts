import { isPrivateHost } from '../../shapes/private-host.ts'
import type { NetSubject } from './subject.ts'

/**
 * Reads `host` or `host:port`. The URL parser brings every spelling of a host into one form: case, trailing dot,
 * international names, and IPv4 addresses written as one number, octal or hexadecimal.
 */
export function parseNetHost(given: string): NetSubject | null {
  const text = given.trim()
  if (text === '' || /[\s/?#@\\]/.test(text) || !URL.canParse(`http://${text}`)) return null
  const url = new URL(`http://${text}`)
  const host = url.hostname.replace(/\.$/, '')
  const named = /:(\d+)$/.exec(text.replace(/^\[.*\]/, ''))?.[1]
  if (host === '' || (/:[^\]:]*$/.test(text.replace(/^\[.*\]/, '')) && named === undefined)) return null
  return netSubject(host, named === undefined ? null : Number(named), [])
}

/** `addresses` are what the host resolves to; one private address is enough to make the subject private. */
export function netSubject(host: string, port: number | null, addresses: readonly string[]): NetSubject {
  const isPrivate = [host, ...addresses].some(isPrivateHost)
  return { kind: 'net', host, port, ...(isPrivate && { isPrivate }) }
}
