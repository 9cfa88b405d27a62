/** The handler for Express, Connect and node:http. In Express: `server.use('/parley', toHandler(app.fetch))`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type Fetch = (request: Request) => Promise<Response>

/** Express removes the mount path from `url` and keeps the whole address in `originalUrl`. */
type ExpressRequest = IncomingMessage & { originalUrl?: string }

/** A rejected handler is an error of Express 5. */
export const toHandler =
  (fetch: Fetch) =>
  async (incoming: ExpressRequest, outgoing: ServerResponse): Promise<void> => {
    const closed = new AbortController()
    outgoing.once('close', () => closed.abort())
    const { method = 'GET', headers } = incoming
    const url = new URL(incoming.originalUrl ?? incoming.url ?? '/', `http://${headers.host ?? 'localhost'}`)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const request = new Request(url, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each])),
      signal: closed.signal,
      ...(hasBody && { body: Readable.toWeb(incoming) as globalThis.ReadableStream, duplex: 'half' }),
    })
    const response = await fetch(request)
    outgoing.statusCode = response.status
    outgoing.setHeaders(response.headers)
    if (!response.body) outgoing.end()
    // A reader that leaves is no fault.
    else await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => {})
  }
