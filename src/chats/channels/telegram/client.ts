import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { ReadFile } from '../../../ports/channel-kind.ts'
import type { InboundFile, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { atMost } from '../at-most.ts'
import { telegramLimits } from './limits.ts'
import { plainFetch } from './plain-fetch.ts'

/** The only file that imports grammY. It is loaded with the first Telegram account. */

export const telegramClientLimits = {
  callTimeoutSeconds: 60,
  /** Idle connections are closed by us, before the far side does it in the moment of our next request. */
  idleConnectionMs: 4_000,
  downloadBytes: 20 * 1024 * 1024,
} as const

export type TelegramClient = {
  /** One call. Throws nothing: what went wrong is a value. */
  call(request: PlatformRequest, signal?: AbortSignal): Promise<{ result: unknown } | { failure: SendFailure }>
  /** A file that a person sent. */
  download(fileId: string, signal?: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
}

type Call = (body: Record<string, unknown>, signal?: AbortSignal) => Promise<unknown>
type Ask = (signal?: AbortSignal) => Promise<unknown>

/** grammY gives these the signal alone. */
const takeNothing = new Set(['getMe', 'getWebhookInfo', 'logOut', 'close'])

export async function telegramClient({
  token,
  apiRoot = 'https://api.telegram.org',
  readFile = async () => ({ problem: 'files of this machine are not sent from here' }),
}: {
  token: string
  apiRoot?: string
  readFile?: ReadFile
}): Promise<TelegramClient> {
  const { Api, InputFile } = await import('grammy')
  const root = apiRoot.replace(/(?<!\/)\/+$/, '')
  const agentOptions = { keepAlive: true, timeout: telegramClientLimits.idleConnectionMs }
  const agent = root.startsWith('https:') ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions)
  const { raw } = new Api(token, {
    apiRoot: root,
    timeoutSeconds: telegramClientLimits.callTimeoutSeconds,
    fetch: plainFetch(agent) as never,
  })
  const methods = raw as unknown as Record<string, Call>

  const call: TelegramClient['call'] = async ({ operation, body = {} }, signal) => {
    try {
      const method = methods[operation] as Call & Ask
      if (takeNothing.has(operation)) return { result: await method(signal) }
      const filled = await withUploads(body, readFile, (bytes, name) => new InputFile(bytes, name))
      return 'failure' in filled ? filled : { result: await method(filled.body, signal) }
    } catch (error) {
      return { failure: toFailure(error, operation, token) }
    }
  }
  return {
    call,
    async download(fileId, signal) {
      const match = await call({ operation: 'getFile', body: { file_id: fileId } }, signal)
      if ('failure' in match) return match
      const path = (match.result as { file_path?: string }).file_path
      try {
        const response = await fetch(`${root}/file/bot${token}/${path ?? ''}`, signal ? { signal } : {})
        if (!response.ok || !response.body) {
          await response.body?.cancel()
          return { failure: failure('gone', `the file is not there any more (${response.status})`) }
        }
        const sizeBytes = Number(response.headers.get('content-length') ?? Number.NaN)
        if (sizeBytes > telegramClientLimits.downloadBytes) {
          await response.body.cancel()
          return { failure: failure('too_large', `the file has ${sizeBytes} bytes`) }
        }
        const name = path?.split('/').at(-1)
        const body = response.body.pipeThrough(atMost(telegramClientLimits.downloadBytes))
        return { file: { body, ...(name !== undefined && { name }), ...(Number.isFinite(sizeBytes) && { sizeBytes }) } }
      } catch (error) {
        return { failure: { ...failure('unreachable', withoutSecret(error, token)), retryable: true } }
      }
    },
  }
}

/** Fields that name a file, and the one inside of which another does. */
const fileFields = ['photo', 'animation', 'audio', 'video', 'document', 'media'] as const

/**
 * The body with the files of this machine in place of their addresses. They are read at the last moment, so that a request
 * stays plain JSON until then and one that is repeated after a crash finds the file as it is.
 */
async function withUploads(
  body: Record<string, unknown>,
  readFile: ReadFile,
  upload: (bytes: Uint8Array, name: string) => unknown,
): Promise<{ body: Record<string, unknown> } | { failure: SendFailure }> {
  for (const field of fileFields) {
    const value = body[field]
    if (field === 'media' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inside = await withUploads(value as Record<string, unknown>, readFile, upload)
      return 'failure' in inside ? inside : { body: { ...body, media: inside.body } }
    }
    if (typeof value !== 'string' || !value.startsWith('file:')) continue
    const read = await readFile(value)
    if ('problem' in read) return { failure: failure('refused', read.problem) }
    const isPhoto = field === 'photo' || body['type'] === 'photo'
    const limit = isPhoto ? telegramLimits.photoUploadBytes : telegramLimits.uploadBytes
    if (read.bytes.length > limit)
      return {
        failure: failure(
          'too_large',
          `${read.name} has ${read.bytes.length} bytes; Telegram takes ${limit} of a ${isPhoto ? 'picture' : 'file'}`,
        ),
      }
    return { body: { ...body, [field]: upload(read.bytes, read.name) } }
  }
  return { body }
}

const failure = (code: SendFailure['code'], why: string): SendFailure => ({ code, why, retryable: false, maybeSent: false })

/** Calls that make something new each time; all others may be repeated without harm. */
const makesNew = /^(send(?!ChatAction)|copy|forward|createForumTopic)/

/** The failure for the outbox. A response of Telegram is certain; a lost connection after sending is not. */
export function toFailure(error: unknown, operation: string, token: string): SendFailure {
  const answer = error as {
    error_code?: unknown
    description?: unknown
    parameters?: { retry_after?: number; migrate_to_chat_id?: number }
  }
  if (typeof answer.error_code === 'number')
    return answered(answer.error_code, String(answer.description), answer.parameters ?? {}, operation)
  const cause = (error as { error?: { code?: unknown } }).error
  const neverLeft = typeof cause?.code === 'string' && notConnected.has(cause.code)
  const why = neverLeft
    ? `Telegram cannot be reached (${String(cause.code)})`
    : `no answer from Telegram (${withoutSecret(cause ?? error, token)})`
  return { code: 'unreachable', why, retryable: true, maybeSent: !neverLeft && makesNew.test(operation) }
}

const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
])

const reasons: readonly [words: RegExp, code: SendFailure['code']][] = [
  [/message is not modified/i, 'not_modified'],
  [/can't parse (message |caption )?entities|ENTIT(Y|IES)_\w{0,60}INVALID/i, 'unformattable'],
  [/too long|too big|too large|ENTITY_TOO_LARGE/i, 'too_large'],
  [
    /not found|can't be edited|can't be deleted|MESSAGE_ID_INVALID|TOPIC_DELETED|TOPIC_CLOSED|upgraded to a supergroup|query is too old/i,
    'gone',
  ],
  [/not enough rights|have no rights|need administrator|CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED/i, 'forbidden'],
]

function answered(
  status: number,
  why: string,
  given: { retry_after?: number; migrate_to_chat_id?: number },
  operation: string,
): SendFailure {
  if (status === 429)
    return { code: 'rate_limited', why, retryable: true, retryAfterMs: (given.retry_after ?? 1) * 1_000, maybeSent: false }
  // A gateway that gave up waiting does not know what became of it.
  if (status >= 500) return { code: 'unreachable', why, retryable: true, maybeSent: status === 504 && makesNew.test(operation) }
  if (status === 409) return { code: 'refused', why, retryable: true, maybeSent: false }
  if (status === 413) return failure('too_large', why)
  // 404 is what Telegram says about a token that it cannot even read.
  if (status === 401 || status === 403 || status === 404) return failure('forbidden', why)
  const moved = given.migrate_to_chat_id === undefined ? '' : `; the chat is now ${given.migrate_to_chat_id}`
  return failure(reasons.find(([words]) => words.test(why))?.[1] ?? 'refused', why + moved)
}

const withoutSecret = (error: unknown, token: string): string => {
  const { code, message = String(error) } = (error ?? {}) as { code?: string; message?: string }
  return (code ?? message).replaceAll(token, '***')
}
