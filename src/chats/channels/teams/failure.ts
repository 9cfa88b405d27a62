import type { SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { hideSecrets, limitRate, hasNeverLeft, readPauseMs, readStatus, refuse, reportUnreachable } from '../failure.ts'

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
  const why = hideSecrets(describe(error), secrets)
  // D bots/how-to/rate-limit: 412 is retried like 429.
  if (status === 429 || status === 412) return limitRate(why, readPauseMs(response?.headers?.['retry-after']), 'address')
  if (status === undefined || status >= 500)
    return reportUnreachable('Teams', why, !(status === undefined && hasNeverLeft(error)) && makesNew.has(operation))
  return refuse(why, readStatus(status))
}

/** The connector explains with `error.code` and `error.message`, the login with `error_description`. */
function describe(error: unknown): string {
  const { response, message } = (error ?? {}) as TeamsError
  const data = isRecord(response?.data) ? response.data : {}
  const inner = isRecord(data['error']) ? data['error'] : {}
  const texts = [inner['code'], inner['message'], data['error_description'], data['message']].filter((one) => typeof one === 'string')
  return (texts.length > 0 ? texts.join(': ') : (message ?? String(error))).slice(0, 500)
}
