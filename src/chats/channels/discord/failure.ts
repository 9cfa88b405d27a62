import type { SendFailure } from '../../../ports/channel.ts'

/** Calls that make something new each time; all others may be repeated without harm. */
const makesNew = new Set(['create_message', 'execute_webhook'])

/** D topics/opcodes-and-status-codes, JSON error codes. */
const codes: Readonly<Record<number, SendFailure['code']>> = {
  10_003: 'gone',
  10_008: 'gone',
  10_013: 'gone',
  10_014: 'gone',
  10_015: 'gone',
  10_062: 'gone',
  30_046: 'gone',
  40_005: 'too_large',
  40_060: 'not_modified',
  50_001: 'forbidden',
  50_005: 'gone',
  50_007: 'forbidden',
  50_013: 'forbidden',
  50_027: 'gone',
  50_035: 'unformattable',
}

/** The failure for the outbox. A response of Discord is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const { status, code, retryAfter, timeToReset, global, name } = (error ?? {}) as {
    status?: number
    code?: number | string
    retryAfter?: number
    timeToReset?: number
    global?: boolean
    name?: string
  }
  if (typeof retryAfter === 'number' && typeof timeToReset === 'number') {
    const why = 'Discord limits the rate of requests'
    const retryAfterMs = Math.max(retryAfter, timeToReset, 0)
    return { code: 'rate_limited', why, retryable: true, retryAfterMs, scope: global ? 'account' : 'address', maybeSent: false }
  }
  const why = hide(error instanceof Error ? error.message || (name ?? 'unknown') : String(error), secrets)
  if (typeof status === 'number' && status < 500) {
    const match = typeof code === 'number' ? codes[code] : undefined
    return { code: match ?? byStatus(status), why, retryable: false, maybeSent: false }
  }
  const neverLeft = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(describeCause(error))
  return {
    code: 'unreachable',
    why: `Discord cannot be reached (${why})`,
    retryable: true,
    maybeSent: !neverLeft && makesNew.has(operation),
  }
}

function byStatus(status: number): SendFailure['code'] {
  if (status === 401 || status === 403) return 'forbidden'
  if (status === 404) return 'gone'
  return status === 413 ? 'too_large' : 'refused'
}

/** The library wraps the error of the connection. */
function describeCause(error: unknown): string {
  const texts: string[] = []
  for (let one = error as { message?: string; code?: string | number; cause?: unknown } | undefined; one && texts.length < 5;) {
    texts.push(`${one.code ?? ''} ${one.message ?? ''}`)
    one = one.cause as typeof one
  }
  return texts.join(' ')
}

const hide = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)
