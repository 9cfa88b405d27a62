import type { SendFailure } from '../../../ports/channel.ts'
import { describeCauses, hideSecrets, limitRate, hasNeverLeft, readStatus, refuse, reportUnreachable } from '../failure.ts'

/** Calls that make something new each time; all others may be repeated without harm. */
const makesNew = new Set(['im.message.create', 'im.message.reply'])

/** D server-side error codes, and those of im-v1 message, pin and reaction. */
const codes: Readonly<Record<number, SendFailure['code']>> = {
  // The message was withdrawn or deleted, or is not there.
  230_011: 'gone',
  230_110: 'gone',
  231_003: 'gone',
  // The bot is not in the chat, the chat is gone, the person left.
  230_002: 'forbidden',
  230_006: 'forbidden',
  230_013: 'forbidden',
  230_018: 'forbidden',
  230_027: 'forbidden',
  230_029: 'gone',
  230_035: 'forbidden',
  232_009: 'gone',
  230_038: 'forbidden',
  // A permission of the app is missing.
  99_991_672: 'forbidden',
  99_991_679: 'forbidden',
  230_025: 'too_large',
  // The card could not be read.
  230_099: 'unformattable',
  230_031: 'refused',
}

/** 99991400 is the limit of an interface, the others those of a chat or a message. */
const limited: Readonly<Record<number, SendFailure['scope']>> = {
  230_020: 'address',
  230_049: 'address',
  11_232: 'account',
  11_233: 'address',
  11_247: 'account',
  99_991_400: 'method',
}

/** The access token is not accepted any more; the library asks for a new one. */
export const isOldToken = (error: unknown): boolean => [99_991_661, 99_991_663, 99_991_664, 99_991_668].includes(readError(error).code ?? 0)

export type FeishuError = { status?: number; code?: number; message: string; retryAfterMs?: number }

/** The library throws the errors of axios, writes the code of a refused secret into a message, and returns other error codes. */
export function readError(error: unknown): FeishuError {
  const { response, code, msg, message } = (error ?? {}) as {
    response?: { status?: number; data?: { code?: number; msg?: string }; headers?: Record<string, unknown> }
    code?: number | string
    msg?: string
    message?: string
  }
  const seconds = Number(response?.headers?.['x-ogw-ratelimit-reset'] ?? response?.headers?.['retry-after'] ?? Number.NaN)
  const [, tokenCode] = /^failed to get \w+, code: (\d+)/.exec(message ?? '') ?? []
  const own = response?.data?.code ?? (typeof code === 'number' ? code : tokenCode === undefined ? undefined : Number(tokenCode))
  return {
    message: response?.data?.msg ?? msg ?? message ?? String(error),
    ...(response?.status !== undefined && { status: response.status }),
    ...(own !== undefined && { code: own }),
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }),
  }
}

/** The failure for the outbox. A response of Feishu is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const { status, code, message, retryAfterMs = 1_000 } = readError(error)
  const why = hideSecrets(code === undefined ? message : `${message} (${code})`, secrets).slice(0, 500)
  if (status === 429 || (code !== undefined && limited[code] !== undefined))
    return limitRate(why, Math.max(retryAfterMs, 0), limited[code ?? 0] ?? 'account')
  if (code !== undefined || (status !== undefined && status < 500)) return refuse(why, codes[code ?? 0] ?? readStatus(status))
  // Without a token nothing was sent.
  const { config } = (error ?? {}) as { config?: { url?: string } }
  const hadNoToken = /tenant_access_token/.test(`${config?.url} ${describeCauses(error)}`)
  return reportUnreachable('Feishu', why, !hadNoToken && !hasNeverLeft(error) && makesNew.has(operation))
}
