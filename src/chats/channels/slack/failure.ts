import type { SendFailure } from '../../../ports/channel.ts'
import { hideSecrets, limitRate, hasNeverLeft, refuse, reportUnreachable } from '../failure.ts'

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
  const why = hideSecrets(data?.error ?? (error instanceof Error ? error.message : String(error)), secrets)
  if (code === 'slack_webapi_rate_limited_error') return limitRate(why, (retryAfter ?? 1) * 1_000, 'method')
  if (code === 'slack_webapi_platform_error') {
    const match = codes.find(([errors]) => errors.test(data?.error ?? ''))?.[1] ?? 'refused'
    const isPassing = /^(internal_error|service_unavailable|fatal_error|request_timeout)$/.test(data?.error ?? '')
    return { code: isPassing ? 'unreachable' : match, why, retryable: isPassing, maybeSent: false }
  }
  if (statusCode !== undefined && statusCode < 500) return refuse(why)
  return reportUnreachable('Slack', why, !hasNeverLeft(error) && makesNew.has(operation))
}
