import type { Fetch } from '../../../src/client/http.ts'

export type TokenSource = {
  current(): string | undefined
  /** Asks the maker of the page for a new token. Absent where the page offers no way. Rejects when the page could not get one. */
  renew?: () => Promise<string>
}

/** Puts the token on each request, and renews it once when the server says that it no longer counts. */
export function tokenFetch(source: () => TokenSource): Fetch {
  let renewal: Promise<string> | null = null
  /** Requests that fail at the same time share one renewal. */
  const renewed = (renew: () => Promise<string>): Promise<string> =>
    (renewal ??= renew().finally(() => {
      renewal = null
    }))
  return async (url, init) => {
    const { current, renew } = source()
    const send = (token: string | undefined): Promise<Response> =>
      fetch(url, token === undefined ? init : { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
    const token = current() ?? (renew && (await renewed(renew)))
    const response = await send(token)
    if (response.status !== 401 || !renew) return response
    // Another request may have renewed it meanwhile.
    const latest = current() === token ? await renewed(renew) : current()
    if (latest === token) return response
    void response.body?.cancel()
    return send(latest)
  }
}

/** `token-url`: an address of the page's own server that answers like POST /v1/builds/{id}/tokens. */
export async function fetchToken(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' }, credentials: 'same-origin' })
  const { token } = (response.ok ? await response.json() : {}) as { token?: unknown }
  if (typeof token !== 'string' || token === '') throw new Error(`${url} gave no token (status ${response.status})`)
  return token
}
