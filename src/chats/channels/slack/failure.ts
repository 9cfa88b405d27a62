import type { SendFailure } from '../../../ports/channel.ts'

/** Calls that make something new each time; all others may be repeated without harm. */
const makesNew = new Set(['chat.postMessage', 'chat.postEphemeral'])

const codes: readonly [errors: RegExp, code: SendFailure['code']][] = [
  [/^(already_pinned|no_pin|already_reacted|no_reaction)$/, 'not_modified'],
  [/^(message_not_found|channel_not_found|cant_update_message|cant_delete_message|edit_window_closed|is_archived|file_not_found)$/, 'gone'],
  [/^(msg_too_long|msg_blocks_too_long|too_many_attachments)$/, 'too_large'],
  [/^invalid_blocks/, 'unformattable'],
  [/^(not_in_channel|missing_scope|not_authed|invalid_auth|account_inactive|token_revoked|token_expired|restricted_action)/, 'forbidden'],
]

/** The failure for the outbox. A response of Slack is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const { code, data, retryAfter, statusCode } = (error ?? {}) as {
    code?: string
    data?: { error?: string }
    retryAfter?: number
    statusCode?: number
  }
  const why = hide(data?.error ?? (error instanceof Error ? error.message : String(error)), secrets)
  if (code === 'slack_webapi_rate_limited_error')
    return { code: 'rate_limited', why, retryable: true, retryAfterMs: (retryAfter ?? 1) * 1_000, scope: 'method', maybeSent: false }
  if (code === 'slack_webapi_platform_error') {
    const match = codes.find(([errors]) => errors.test(data?.error ?? ''))?.[1] ?? 'refused'
    const isPassing = /^(internal_error|service_unavailable|fatal_error|request_timeout)$/.test(data?.error ?? '')
    return { code: isPassing ? 'unreachable' : match, why, retryable: isPassing, maybeSent: false }
  }
  const neverLeft = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(describeCause(error))
  const isAnswered = statusCode !== undefined && statusCode < 500
  if (isAnswered) return { code: 'refused', why, retryable: false, maybeSent: false }
  return { code: 'unreachable', why: `Slack cannot be reached (${why})`, retryable: true, maybeSent: !neverLeft && makesNew.has(operation) }
}

/** The library wraps the error of the connection. */
function describeCause(error: unknown): string {
  const texts: string[] = []
  for (let one = error as { message?: string; code?: string; cause?: unknown; original?: unknown } | undefined; one && texts.length < 5;) {
    texts.push(`${one.code ?? ''} ${one.message ?? ''}`)
    one = (one.original ?? one.cause) as typeof one
  }
  return texts.join(' ')
}

const hide = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text)
