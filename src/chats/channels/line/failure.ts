import type { SendFailure } from '../../../ports/channel.ts'
import { hideSecrets, limitRate, hasNeverLeft, readPauseMs, readStatus, refuse, reportUnreachable } from '../failure.ts'

/** Calls that make something new each time. */
const makesNew = new Set(['pushMessage', 'replyMessage'])

/** The part of an error of the library that is read here. */
export type LineError = { status?: number; body?: string; headers?: Headers; message?: string; cause?: unknown }

/** The failure for the outbox. A response of LINE is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const { status, body = '', headers } = (error ?? {}) as LineError
  const why = hideSecrets(describe(error, body), secrets)
  if (status === undefined || status >= 500)
    return reportUnreachable('LINE', why, !(status === undefined && hasNeverLeft(error)) && makesNew.has(operation))
  if (status === 429) {
    if (/monthly limit/i.test(why)) return refuse(`${why} ${quotaStep}`)
    return limitRate(why, readPauseMs(headers?.get('retry-after')), 'account')
  }
  // A reply token that LINE does not accept any more: the next try is a push message.
  if (operation === 'replyMessage' && isUsedToken(error))
    return { code: 'unreachable', why, retryable: true, retryAfterMs: 0, maybeSent: false }
  return refuse(why, readStatus(status))
}

export const isUsedToken = (error: unknown): boolean => {
  const { status, body = '' } = (error ?? {}) as LineError
  return status === 400 && /reply token/i.test(body)
}

const quotaStep = 'Replies within a minute are free; for more, change the plan in the LINE Official Account Manager.'

/** LINE explains in JSON, with the fields that are wrong. */
function describe(error: unknown, body: string): string {
  try {
    const { message, details = [] } = JSON.parse(body) as { message?: string; details?: { property?: string; message?: string }[] }
    const more = details.slice(0, 3).map(({ property = '', message: text = '' }) => `${property}: ${text}`)
    return [message ?? body, ...more].join('; ').slice(0, 500)
  } catch {
    return error instanceof Error ? error.message : String(error)
  }
}
