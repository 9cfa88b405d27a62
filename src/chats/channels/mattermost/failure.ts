import type { SendFailure } from '../../../ports/channel.ts'

/** Calls that make something new each time; all others may be repeated without harm. */
const makesNew = new Set(['CreatePost', 'CreatePostEphemeral'])

/** A response that is no success. */
export type Refusal = { status: number; headers: { get(name: string): string | null }; data: unknown }

/** Errors of the server by their id: server/i18n/en.json. */
const codes: readonly [ids: RegExp, code: SendFailure['code']][] = [
  [/message_length|props\.app_error|too_large/, 'too_large'],
  [/mm_blocks|attachment/, 'unformattable'],
  [/permissions_time_limit|deleted|not_found/, 'gone'],
]

/** A response of Mattermost is certain, apart from a fault of the server itself. */
export function toRefusal({ status, headers, data }: Refusal, operation: string, secrets: readonly string[]): SendFailure {
  const { id = '', message } = (typeof data === 'object' && data !== null ? data : {}) as { id?: string; message?: string }
  const why = hide(message ?? `status ${status}`, secrets)
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? 1)
    const retryAfterMs = (seconds > 0 ? seconds : 1) * 1_000
    return { code: 'rate_limited', why, retryable: true, retryAfterMs, scope: 'account', maybeSent: false }
  }
  if (status >= 500) return unreachable(why, makesNew.has(operation))
  if (operation === 'CreatePostEphemeral' && status === 403)
    return { code: 'forbidden', why: `${why} ${ephemeralStep}`, retryable: false, maybeSent: false }
  return { code: codes.find(([ids]) => ids.test(id))?.[1] ?? byStatus(status), why, retryable: false, maybeSent: false }
}

const ephemeralStep = 'The bot needs the permission create_post_ephemeral, which administrators have.'

/** No response came. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const why = hide(error instanceof Error ? error.message : String(error), secrets)
  const neverLeft = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|bad port/.test(describeCause(error))
  return unreachable(why, !neverLeft && makesNew.has(operation))
}

const unreachable = (why: string, maybeSent: boolean): SendFailure => ({
  code: 'unreachable',
  why: `Mattermost cannot be reached (${why})`,
  retryable: true,
  maybeSent,
})

export const refuse = (why: string, code: SendFailure['code'] = 'refused'): SendFailure => ({
  code,
  why,
  retryable: false,
  maybeSent: false,
})

function byStatus(status: number): SendFailure['code'] {
  if (status === 401 || status === 403) return 'forbidden'
  if (status === 404) return 'gone'
  return status === 413 ? 'too_large' : 'refused'
}

/** `fetch` wraps the error of the connection. */
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
