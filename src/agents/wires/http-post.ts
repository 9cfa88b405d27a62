import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'

const proxy = process.env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: process.env } : {}
/** Idle connections do not keep the process alive: Node unrefs what these agents keep. */
const agents = {
  http: { kept: new HttpAgent({ keepAlive: true, ...proxy }), fresh: new HttpAgent({ keepAlive: false, ...proxy }) },
  https: { kept: new HttpsAgent({ keepAlive: true, ...proxy }), fresh: new HttpsAgent({ keepAlive: false, ...proxy }) },
}

export type HttpTarget = { secure: boolean; options: RequestOptions }

export function httpTarget(url: URL): HttpTarget {
  const { hostname, port, path, auth } = urlToHttpOptions(url)
  return { secure: url.protocol === 'https:', options: { hostname, port, path, ...(auth ? { auth } : {}) } }
}

export type HttpCall = {
  method: string
  headers: Record<string, string>
  body: Buffer | string | undefined
  signal: AbortSignal | undefined
}

/** Thrown as what Node throws when the other side goes away. */
export const connectionCut = (): Error => Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' })

/**
 * Sends one request and gives the response when its head is there. Nothing is followed and nothing is decoded. An abort
 * takes the connection away at once, before and after.
 *
 * A kept connection may be closed by the server just as it is used again. Then nothing of the request was taken in, so it
 * is sent once more, on a connection of its own: the other kept ones may be as dead.
 */
export async function httpSend(target: HttpTarget, call: HttpCall): Promise<IncomingMessage> {
  call.signal?.throwIfAborted()
  try {
    return await attempt(target, call, 'kept')
  } catch (error) {
    call.signal?.throwIfAborted()
    if (error !== staleConnection) throw error
    return attempt(target, call, 'fresh')
  }
}

const staleConnection = new Error('the kept connection was closed')

function attempt(
  { secure, options }: HttpTarget,
  { method, headers, body, signal }: HttpCall,
  which: 'kept' | 'fresh',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const agent = agents[secure ? 'https' : 'http'][which]
    const all = { ...options, method, headers, agent }
    const request: ClientRequest = secure ? httpsRequest(all) : httpRequest(all)
    let readBefore = 0
    let response: IncomingMessage | undefined
    const stop = (): void => void (response ?? request).destroy()
    signal?.addEventListener('abort', stop, { once: true })
    request.on('socket', (socket) => (readBefore = socket.bytesRead))
    request.on('response', (given) => {
      response = given
      resolve(given)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isCut = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      const isStale = isCut && request.reusedSocket && request.socket?.bytesRead === readBefore
      reject(isStale ? staleConnection : error)
    })
    request.on('close', () => {
      signal?.removeEventListener('abort', stop)
      if (response === undefined) reject(connectionCut())
    })
    // The head waits for the body, so that both go out in one write.
    request.end(body)
  })
}

/** Read ahead of a slow reader; above it the connection waits. */
const aheadBytes = 256_000
/** After the reader is done, a well-behaved rest is let in, so that the connection can be used again. */
const restMs = 1_000

/** The body as it comes. What arrived before a cut is given before the cut is thrown. */
export async function* getBody(response: IncomingMessage): AsyncGenerator<Buffer> {
  let arrived: Buffer[] = []
  let bytes = 0
  let isOver = response.readableEnded || response.destroyed
  let fault: unknown = response.destroyed && !response.readableEnded ? connectionCut() : undefined
  let wake = (): void => {}
  const over = (error?: unknown): void => {
    if (!isOver) fault = error ?? connectionCut()
    isOver = true
    wake()
  }
  response.on('data', (chunk: Buffer) => {
    arrived.push(chunk)
    bytes += chunk.length
    if (bytes > aheadBytes) response.pause()
    wake()
  })
  response.on('end', () => {
    isOver = true
    wake()
  })
  response.on('error', over)
  response.on('close', () => over())
  while (arrived.length > 0 || !isOver) {
    if (arrived.length === 0) {
      await new Promise<void>((resolve) => (wake = resolve))
      continue
    }
    const [first = noBytes] = arrived
    const all = arrived.length === 1 ? first : Buffer.concat(arrived)
    arrived = []
    bytes = 0
    if (response.isPaused()) response.resume()
    yield all
  }
  if (fault !== undefined) throw fault
}

const noBytes: Buffer = Buffer.alloc(0)

/** All that matters was read: what still comes is thrown away, for a while. */
export function letGo(response: IncomingMessage): void {
  response.removeAllListeners('data').resume()
  if (response.complete) return
  const timer = setTimeout(() => response.destroy(), restMs)
  timer.unref()
  response.on('close', () => clearTimeout(timer))
}
