import { isPrivateHost } from '../../shapes/private-host.ts'
import { publicGet } from './public-get.ts'

export const fetchFileLimits = { redirects: 3 } as const

type FileRequest = {
  /** The address of the API as configured. Its host may be private, as that of an emulator or of a server of one's own. */
  apiRoot: string
  /** Further hosts that may see the token. */
  isPlatformHost?: (host: string) => boolean
  token?: () => Promise<string>
  signal: AbortSignal
}

/** Follows no redirect. Null where the host is refused after its name was looked up. */
type Get = (url: URL, options: { headers: Record<string, string>; signal: AbortSignal; isApi: boolean }) => Promise<Response | null>

/** The configured address is trusted, wherever it is. */
const getFrom: Get = (url, { headers, signal, isApi }) =>
  isApi ? fetch(url, { headers, signal, redirect: 'manual' }) : publicGet(url, { headers, signal })

/**
 * Fetches a file of a message. Its address comes from outside: a person may have written it, so it must not reach into the
 * network of the server, also not by a name that resolves to an address there, and the token goes to the hosts of the platform
 * alone. Returns null for a refused address.
 */
export async function fetchFile(given: string, request: FileRequest, get: Get = getFrom): Promise<Response | null> {
  const root = new URL(request.apiRoot)
  let url = new URL(given)
  for (let redirects = 0; redirects <= fetchFileLimits.redirects; redirects += 1) {
    const isApi = url.origin === root.origin
    if (!isApi && (url.protocol !== 'https:' || isPrivateHost(url.hostname))) return null
    const mayHaveToken = isApi || request.isPlatformHost?.(url.hostname)
    const headers: Record<string, string> = mayHaveToken && request.token ? { authorization: `Bearer ${await request.token()}` } : {}
    const response = await get(url, { headers, signal: request.signal, isApi })
    if (!response) return null
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return response
    await response.body?.cancel()
    url = new URL(location, url)
  }
  return null
}
