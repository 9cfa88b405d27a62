import type { SendFailure } from '../../../ports/channel.ts'
import { hideSecrets, limitRate, hasNeverLeft, readStatus, refuse, reportUnreachable } from '../failure.ts'

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
    return limitRate(why, Math.max(retryAfter, timeToReset, 0), global ? 'account' : 'address')
  }
  const why = hideSecrets(error instanceof Error ? error.message || (name ?? 'unknown') : String(error), secrets)
  if (typeof status === 'number' && status < 500) {
    const match = typeof code === 'number' ? codes[code] : undefined
    return refuse(why, match ?? readStatus(status))
  }
  return reportUnreachable('Discord', why, !hasNeverLeft(error) && makesNew.has(operation))
}
