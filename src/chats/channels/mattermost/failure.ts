import type { SendFailure } from '../../../ports/channel.ts'
import { hideSecrets, limitRate, hasNeverLeft, readPauseMs, readStatus, refuse, reportUnreachable } from '../failure.ts'

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
  const why = hideSecrets(message ?? `status ${status}`, secrets)
  if (status === 429) return limitRate(why, readPauseMs(headers.get('retry-after') ?? headers.get('x-ratelimit-reset')), 'account')
  if (status >= 500) return reportUnreachable('Mattermost', why, makesNew.has(operation))
  if (operation === 'CreatePostEphemeral' && status === 403) return refuse(`${why} ${ephemeralStep}`, 'forbidden')
  return refuse(why, codes.find(([ids]) => ids.test(id))?.[1] ?? readStatus(status))
}

const ephemeralStep = 'The bot needs the permission create_post_ephemeral, which administrators have.'

/** No response came. */
export function toFailure(error: unknown, operation: string, secrets: readonly string[]): SendFailure {
  const why = hideSecrets(error instanceof Error ? error.message : String(error), secrets)
  return reportUnreachable('Mattermost', why, !hasNeverLeft(error) && makesNew.has(operation))
}
