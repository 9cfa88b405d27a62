import { isIP } from 'node:net'
import { ParleyError } from '../../errors.ts'

export type Headers = (name: string) => string | undefined

export type Site = {
  /** Throws for an unexpected Host header: a foreign name that points to this machine. */
  checkHost(header: Headers): void
  /** Throws unless the request was made by our own page. Browsers always say; what says nothing is not a browser with our cookie. */
  checkOrigin(header: Headers): void
  /** For auth that are open anyway: another site's page is refused, a program is not. */
  checkForeignOrigin(header: Headers): void
  isHttps(header: Headers): boolean
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)

/** Reachable only from this machine. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host.replace(/^\[|\]$/g, '').toLowerCase())

/** The address of a connection, which may be IPv4 written as IPv6. */
export const isLoopbackAddress = (address: string): boolean => isLoopback(address.replace(/^::ffff:/i, ''))

/** `origins` are the addresses people use, such as `https://parley.example.org`. `host` is what the server listens on. */
export function site(host: () => string, origins: readonly string[]): Site {
  const allowedOrigins = origins.map((origin) => new URL(origin))

  function checkHost(header: Headers): void {
    const hostHeader = header('host') ?? ''
    const name = getName(hostHeader)
    const bound = host().toLowerCase()
    const isOurs =
      name !== null &&
      (isLoopback(name) ||
        name === bound ||
        allowedOrigins.some((url) => getName(url.host) === name) ||
        (isIP(name) !== 0 && (bound === '0.0.0.0' || bound === '::')))
    if (!isOurs) throw new ParleyError('wrong_origin', { origin: printable(hostHeader) })
  }

  function isOwn(origin: string, header: Headers): boolean {
    if (!URL.canParse(origin)) return false
    const url = new URL(origin)
    return url.host === (header('host') ?? '').toLowerCase() || allowedOrigins.some((one) => one.origin === url.origin)
  }

  function checkForeignOrigin(header: Headers): void {
    const origin = header('origin')
    if (origin !== undefined && !isOwn(origin, header)) throw new ParleyError('wrong_origin', { origin: printable(origin) })
    const fetchSite = header('sec-fetch-site')
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none')
      throw new ParleyError('wrong_origin', { origin: printable(origin ?? fetchSite) })
  }

  return {
    checkHost,
    checkForeignOrigin,
    checkOrigin(header) {
      checkForeignOrigin(header)
      if (header('origin') === undefined && header('sec-fetch-site') !== 'same-origin')
        throw new ParleyError('wrong_origin', { origin: 'unknown' })
    },
    isHttps: (header) => allowedOrigins.some((url) => url.protocol === 'https:' && url.host === (header('host') ?? '').toLowerCase()),
  }
}

function getName(host: string): string | null {
  if (!URL.canParse(`http://${host}`) || /[/@?#\\\s]/.test(host)) return null
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
}

const printable = (text: string): string =>
  text
    .slice(0, 100)
    .toWellFormed()
    .replace(/\p{Cc}/gv, '')
