import type { SendFailure } from '../../../ports/channel.ts'

/** Calls that make something new each time. */
const makesNew = new Set(['pushMessage', 'replyMessage'])

/** The part of an error of the library that is read here. */
export type LineError = { status?: number; body?: string; headers?: Headers; message?: string; cause?: unknown }

/** The failure for the outbox. A response of LINE is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const { status, body = '', headers } = (error ?? {}) as LineError
  const why = hide(describe(error, body), secrets)
  if (status === undefined || status >= 500) {
    const neverLeft = status === undefined && /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(describeCause(error))
    return {
      code: 'unreachable',
      why: `LINE cannot be reached (${why})`,
      retryable: true,
      maybeSent: !neverLeft && makesNew.has(operation),
    }
  }
  if (status === 429) {
    if (/monthly limit/i.test(why)) return { code: 'refused', why: `${why} ${quotaStep}`, retryable: false, maybeSent: false }
    const seconds = Number(headers?.get('retry-after') ?? 1)
    return {
      code: 'rate_limited',
      why,
      retryable: true,
      retryAfterMs: (seconds > 0 ? seconds : 1) * 1_000,
      scope: 'account',
      maybeSent: false,
    }
  }
  // A reply token that LINE does not accept any more: the next try is a push message.
  if (operation === 'replyMessage' && isUsedToken(error))
    return { code: 'unreachable', why, retryable: true, retryAfterMs: 0, maybeSent: false }
  const code = codes.find(([statuses]) => statuses.includes(status))?.[1] ?? 'refused'
  return { code, why, retryable: false, maybeSent: false }
}

export const isUsedToken = (error: unknown): boolean => {
  const { status, body = '' } = (error ?? {}) as LineError
  return status === 400 && /reply token/i.test(body)
}

const codes: readonly [statuses: readonly number[], code: SendFailure['code']][] = [
  [[401, 403], 'forbidden'],
  [[404, 410], 'gone'],
  [[413], 'too_large'],
]

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
