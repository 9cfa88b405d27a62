import type { SendFailure } from '../../ports/channel.ts'

type Wrapped = { message?: string; code?: string | number; cause?: unknown; original?: unknown }

/** The texts of an error and of those it wraps: libraries wrap the error of the connection. */
export function describeCauses(error: unknown): string {
  const texts: string[] = []
  for (let one = error as Wrapped | undefined; one && texts.length < 5; one = (one.original ?? one.cause) as Wrapped | undefined)
    texts.push(`${one.code ?? ''} ${one.message ?? ''}`)
  return texts.join(' ')
}

/** No connection came about, so nothing was sent. */
export const hasNeverLeft = (error: unknown): boolean =>
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|bad port/.test(describeCauses(error))

export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)

/** The meaning of a status where the platform gives no code of its own. */
export function readStatus(status: number | undefined): SendFailure['code'] {
  if (status === 401 || status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'gone'
  return status === 413 ? 'too_large' : 'refused'
}

export const refuse = (why: string, code: SendFailure['code'] = 'refused'): SendFailure => ({
  code,
  why,
  retryable: false,
  maybeSent: false,
})

export const reportUnreachable = (platform: string, why: string, maybeSent: boolean): SendFailure => ({
  code: 'unreachable',
  why: `${platform} cannot be reached (${why})`,
  retryable: true,
  maybeSent,
})

export const limitRate = (why: string, retryAfterMs: number, scope: SendFailure['scope']): SendFailure => ({
  code: 'rate_limited',
  why,
  retryable: true,
  retryAfterMs,
  ...(scope && { scope }),
  maybeSent: false,
})

/** A header such as `retry-after`; one second where it names none. */
export function readPauseMs(seconds: unknown): number {
  const pause = Number(seconds ?? 1)
  return (pause > 0 ? pause : 1) * 1_000
}
