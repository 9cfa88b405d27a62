import type { SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'

/** Calls that make something new each time; all others may be repeated without harm. */
const makesNew = new Set(['Conversations_SendToConversation'])

/** An error response: of the library, which keeps it in `response`, or of a request of ours. */
export type TeamsError = {
  response?: { status?: number; data?: unknown; headers?: Record<string, unknown> }
  message?: string
  cause?: unknown
}

/** The failure for the outbox. A response of Teams is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const { response } = (error ?? {}) as TeamsError
  const status = response?.status
  const why = hide(describe(error), secrets)
  // D bots/how-to/rate-limit: 412 is retried like 429.
  if (status === 429 || status === 412) {
    const seconds = Number(response?.headers?.['retry-after'] ?? 1)
    return {
      code: 'rate_limited',
      why,
      retryable: true,
      retryAfterMs: (seconds > 0 ? seconds : 1) * 1_000,
      scope: 'address',
      maybeSent: false,
    }
  }
  if (status === undefined || status >= 500) {
    const neverLeft = status === undefined && /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(describeCause(error))
    const isLost = !neverLeft && makesNew.has(operation)
    return { code: 'unreachable', why: `Teams cannot be reached (${why})`, retryable: true, maybeSent: isLost }
  }
  return { code: codes[status] ?? 'refused', why, retryable: false, maybeSent: false }
}

const codes: Readonly<Record<number, SendFailure['code']>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'gone',
  410: 'gone',
  413: 'too_large',
}

/** The connector explains with `error.code` and `error.message`, the login with `error_description`. */
function describe(error: unknown): string {
  const { response, message } = (error ?? {}) as TeamsError
  const data = isRecord(response?.data) ? response.data : {}
  const inner = isRecord(data['error']) ? data['error'] : {}
  const texts = [inner['code'], inner['message'], data['error_description'], data['message']].filter((one) => typeof one === 'string')
  return (texts.length > 0 ? texts.join(': ') : (message ?? String(error))).slice(0, 500)
}

function describeCause(error: unknown): string {
  const texts: string[] = []
  for (let one = error as { message?: string; code?: string; cause?: unknown } | undefined; one && texts.length < 5;) {
    texts.push(`${one.code ?? ''} ${one.message ?? ''}`)
    one = one.cause as typeof one
  }
  return texts.join(' ')
}

const hide = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)
