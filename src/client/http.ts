import type { ErrorCode } from '../errors.ts'
import { describeClientError } from '../errors/client-errors.ts'
import { ClientError } from './client-error.ts'
import { backOffMs } from '../shapes/back-off.ts'

/** The common part of every `fetch`, so that tests and browsers can pass their own. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | Blob; signal?: AbortSignal; credentials?: 'same-origin' },
) => Promise<Response>

export type HttpOptions = {
  baseUrl: string
  token?: string | undefined
  via?: string | undefined
  fetch?: Fetch | undefined
  tries?: number | undefined
  timeoutMs?: number | undefined
}

export type CallOptions = {
  /** Retries of one request share a key. One is made when none is given; keep your own to repeat it after a restart. */
  key?: string | undefined
  signal?: AbortSignal | undefined
  /** For a request that takes longer than others. */
  timeoutMs?: number | undefined
}

export type Http = {
  get<Result>(path: string, query?: Record<string, string | number | undefined>, options?: CallOptions): Promise<Result>
  /** A Blob is sent as its bytes, everything else as JSON. */
  send<Result>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object | undefined, options?: CallOptions): Promise<Result>
}

const longestPauseMs = 10_000

/** An id of one or two dots in a path. */
const dotSegment = /^[^?]*\/\.\.?(?:[/?]|$)/

/** JSON over HTTP with the server's errors as ClientError. A request is retried under one key while the connection fails. */
export function http({ baseUrl, token, via, fetch = globalThis.fetch, tries = 4, timeoutMs = 30_000 }: HttpOptions): Http {
  const root = baseUrl.replace(/(?<!\/)\/+$/, '')

  async function once<Result>(method: string, path: string, body: object | undefined, options: CallOptions): Promise<Result> {
    // No URL can name it: `fetch` resolves the dots, also as %2e, and would call another route.
    if (dotSegment.test(path)) throw new ClientError(describeClientError('not_found', { path }), { status: 404 })
    const headers: Record<string, string> = { accept: 'application/json' }
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (via !== undefined) headers['x-parley-via'] = via
    const isBytes = body instanceof Blob
    if (body !== undefined) headers['content-type'] = isBytes ? 'application/octet-stream' : 'application/json'
    if (method !== 'GET' && options.key !== undefined) headers['idempotency-key'] = options.key
    const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    let response: Response
    let text: string
    try {
      response = await fetch(root + path, {
        method,
        headers,
        signal,
        credentials: 'same-origin',
        ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (cause) {
      if (options.signal?.aborted) throw options.signal.reason
      throw new ClientError(describeClientError('server_unreachable', { url: root === '' ? 'this address' : root }), { status: 0, cause })
    }
    if (response.ok) return (text === '' ? undefined : parse(text)) as Result
    throw toRefusal(response, text, root)
  }

  async function withRetries<Result>(method: string, path: string, body: object | undefined, options: CallOptions): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once<Result>(method, path, body, options)
      } catch (error) {
        if (!(error instanceof ClientError) || !error.isTransient || attempt >= tries) throw error
        await pause(
          error.retryAfterMs ?? backOffMs({ firstRetryMs: 250, longestRetryMs: longestPauseMs }, attempt) * (0.5 + Math.random() / 2),
          options.signal,
        )
      }
    }
  }

  return {
    get: (path, query = {}, options = {}) => withRetries('GET', path + queryString(query), undefined, options),
    send: (method, path, body, options = {}) => withRetries(method, path, body, { ...options, key: options.key ?? freshKey() }),
  }
}

/** Turns an error response into a ClientError. */
export function toRefusal(response: Response, text: string, url: string): ClientError {
  return new ClientError(toWords(parse(text), url), {
    status: response.status,
    retryAfterMs: secondsToMs(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

/** Not crypto.randomUUID: a page opened over plain http from another machine has none. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function queryString(query: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A proxy in between may answer with anything; then all that is known is that Parley did not. */
function toWords(body: unknown, url: string): { code: ErrorCode; message: string; hint: string } {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { error } = body
    if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error && 'hint' in error) {
      const { code, message, hint } = error
      if (typeof code === 'string' && /^[a-z]+(?:_[a-z]+)*$/.test(code))
        return { code: code as ErrorCode, message: String(message), hint: String(hint) }
    }
  }
  return describeClientError('server_unreachable', { url })
}

const secondsToMs = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
