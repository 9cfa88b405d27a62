import type { ErrorCode } from '../errors.ts'

/** An error response of the server, or `server_unreachable` with status 0. */
export class ClientError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly retryAfterMs: number | undefined
  /** Names the request in the server's log. */
  readonly requestId: string | undefined

  constructor(
    said: { code: ErrorCode; message: string; hint: string },
    more: { status: number; retryAfterMs?: number | undefined; requestId?: string | undefined; cause?: unknown },
  ) {
    super(said.message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'ClientError'
    this.code = said.code
    this.hint = said.hint
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
    this.requestId = more.requestId
  }

  /** Nothing is known to be wrong with the request itself. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
  }
}
