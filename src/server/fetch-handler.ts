import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import type { Connections } from './connections.ts'

/** The path below `basePath`. A path outside of it is one whose host has removed the base already. */
export function withoutBase(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : path
}

/**
 * Answers a standard Request, for a server of another framework. The routes count connections and read bodies from Node's own
 * objects, so each request gets a socket that is connected to nothing and ends with its response.
 */
export function fetchHandler(
  handle: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
  connections: Connections,
  basePath: string,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url)
    const headers = new Headers(request.headers)
    if (!headers.has('host')) headers.set('host', url.host)
    const incoming = incomingFrom(request, headers)
    const { socket } = incoming
    const outgoing = new ServerResponse(incoming)
    const end = (): void => {
      if (socket.destroyed) return
      outgoing.emit('close')
      socket.destroy()
    }
    connections.accepted(socket)
    request.signal.addEventListener('abort', end, { once: true })
    url.pathname = withoutBase(url.pathname, basePath)
    const inner = new Request(url, { method: request.method, headers, signal: request.signal })
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    connections.requested(incoming, outgoing, () => {
      Promise.resolve(handle(inner, { incoming, outgoing })).then(resolve, reject)
    })
    try {
      return endWithBody(await promise, end)
    } catch (error) {
      end()
      throw error
    }
  }
}

/** A socket that looks like one of this machine: the host has accepted the connection and limits strangers itself. */
function incomingFrom(request: Request, headers: Headers): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.1' })
  const body = request.body ? Readable.fromWeb(request.body) : Readable.from([])
  return Object.assign(body, {
    socket,
    headers: Object.fromEntries(headers),
    rawHeaders: [...headers].flat(),
    method: request.method,
    url: request.url,
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  }) as unknown as IncomingMessage
}

/** The connection counts as open until the body was read or its reader has left. */
function endWithBody(response: Response, end: () => void): Response {
  if (!response.body) {
    end()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      end()
      controller.close()
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
