import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type ShopOptions = {
  /** Where Parley listens, such as http://127.0.0.1:4700. */
  parley: string
  /** A token with the scopes read, chat and answer. It stays on this server. */
  token: string
  /** Which build a customer may see: here your own sign-in decides. */
  mayUse(request: IncomingMessage, build: string): boolean
}

/** Only the routes that <parley-build> uses are passed on. */
const routes = [
  { method: 'GET', path: /^\/v1\/builds\/([\w-]+)\/events$/ },
  { method: 'POST', path: /^\/v1\/builds\/([\w-]+)\/(?:answers|messages|retry)$/ },
]

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')

/**
 * A shop's own server with a page that shows a build. The browser speaks to the shop alone, and the shop puts the token on:
 * no CORS, no secret in the page, and the shop decides who sees which build.
 */
export async function shop({ parley, token, mayUse }: ShopOptions): Promise<Server> {
  const server = createServer((request, response) => {
    answer().catch(() => response.destroy())

    async function answer(): Promise<void> {
      const url = new URL(request.url ?? '/', 'http://shop')
      const buildId = /^\/builds\/([\w-]+)$/.exec(url.pathname)?.[1]
      if (buildId !== undefined)
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(page.replace('{{build}}', buildId))
      if (url.pathname === '/parley-build.js') return pass('GET', url.pathname, {})
      const route = routes.find(({ method, path }) => method === request.method && path.test(url.pathname))
      const build = route?.path.exec(url.pathname)?.[1] ?? ''
      if (!route || !mayUse(request, build)) return void response.writeHead(404).end()
      return pass(route.method, url.pathname + url.search, pickHeaders(request))
    }

    async function pass(method: string, path: string, headers: Record<string, string>): Promise<void> {
      const over = new AbortController()
      response.on('close', () => over.abort())
      const answered = await fetch(parley + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        signal: over.signal,
        ...(method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' } : {}),
      })
      response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'text/plain' })
      // Piece by piece: an event stream does not end.
      if (answered.body) await pipeline(Readable.fromWeb(answered.body), response)
      else response.end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Only these travel on: neither the shop's cookies nor a header that a browser could make up. */
function pickHeaders({ headers }: IncomingMessage): Record<string, string> {
  const passed = ['accept', 'content-type', 'idempotency-key', 'last-event-id', 'x-parley-via']
  return Object.fromEntries(passed.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}
