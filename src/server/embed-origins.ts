import type { RouteRow } from '../authority/route-capabilities.ts'
import type { Headers as HeaderLookup } from './auth/same-site.ts'

/** The script of `<parley-build>`. */
const scriptPath = '/parley-build.js'

const allowedHeaders = ['authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-parley-via']
const readableHeaders = ['retry-after', 'x-request-id']

export type EmbedOrigins = {
  /** True for the routes a token of one build may use. */
  isEmbeddable(row: Pick<RouteRow, 'path' | 'limited'>): boolean
  /** The response to a preflight request; null when the page of that origin may not call this server. */
  preflight(header: HeaderLookup, methods: readonly string[]): Response | null
  /** Lets a listed page read the response, errors included. Never with cookies: there is no allow-credentials. */
  open(response: Response, header: HeaderLookup): void
  /** The script holds no secret, so any page may load it: a page that is not listed can then show why nothing else works. */
  openScript(response: Response, path: string): void
}

/** CORS for `<parley-build>` in pages of other origins: the exact origins under `server.embedOrigins`, and none without it. */
export function embedOrigins(origins: readonly string[]): EmbedOrigins {
  const listed = (header: HeaderLookup): string | null => {
    const origin = header('origin')
    return origin !== undefined && origins.includes(origin) ? origin : null
  }
  return {
    isEmbeddable: ({ path, limited }) => origins.length > 0 && limited === true && path.startsWith('/v1/builds/{id}'),
    preflight(header, methods) {
      const origin = listed(header)
      if (origin === null) return null
      return new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-methods': methods.join(', '),
          'access-control-allow-headers': allowedHeaders.join(', '),
          'access-control-max-age': '600',
        },
      })
    },
    open(response, header) {
      response.headers.append('vary', 'origin')
      const origin = listed(header)
      if (origin === null) return
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', readableHeaders.join(', '))
    },
    openScript(response, path) {
      if (origins.length === 0 || path !== scriptPath) return
      response.headers.set('access-control-allow-origin', '*')
      response.headers.set('cross-origin-resource-policy', 'cross-origin')
    },
  }
}
