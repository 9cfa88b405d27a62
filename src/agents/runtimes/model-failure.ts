import { type Details, type ErrorCode, ParleyError } from '../../errors.ts'
import { ModelErrorResponse } from '../wires/model-error-response.ts'
import { readField } from '../../shapes/record.ts'

/** Facts about a failed call besides the error itself. */
export type CallFacts = {
  /** Never to appear in any word of ours. */
  secrets: readonly string[]
  /** Of the response, if there was one. */
  contentType: string | null
  /** The model began to answer. What fails before that, by a refusal or without a connection, costs nothing. */
  isAccepted: boolean
  now: number
}

/**
 * Says what went wrong in words of the catalogue. The original error is not kept as a cause: it carries the whole
 * request, and dialogs do not belong in a log.
 */
export function modelFailure(error: unknown, facts: CallFacts): ParleyError {
  const failure = namedFailure(error, facts)
  if (facts.isAccepted || failure.isUnmetered || !isRefusedUnworked(error)) return failure
  const { code, details, retryable, retryAfterMs: waitMs } = failure
  return new ParleyError(code, details, { retryable, isUnmetered: true, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) })
}

/**
 * A client error, or no connection at all: the provider did no work and meters nothing. A server error, a timeout or a
 * cut may come after work was done, so they are not among these.
 */
function isRefusedUnworked(error: unknown): boolean {
  const status = readStatus(error)
  if (status !== null) return status >= 300 && status < 500 && status !== 408
  return listCauses(error).some((cause) => {
    const code = readField(cause, 'code')
    return typeof code === 'string' && (unsent.has(code) || /^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
  })
}

const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'ERR_INVALID_CHAR',
])

function namedFailure(error: unknown, facts: CallFacts): ParleyError {
  const status = readStatus(error)
  if (isWebPage(error, facts, status)) return fail('model_wrong_address', {}, false)
  if (error instanceof ParleyError) return error
  const why = clean(readReason(error), facts.secrets)
  if (status !== null) return byStatus(status, why, readWait(error, facts.now))
  const declared = declaredKind(error)
  if (declared) return fail(declared.code, { status: declared.status, why }, declared.retryable)
  const socket = socketFault(error)
  if (socket !== null) return fail('model_unreachable', { why: socket }, true)
  if (readName(error) === 'AI_LoadAPIKeyError') return fail('model_key_refused', { status: 'no key is set' }, false)
  if (readField(error, 'code') === 'ERR_INVALID_CHAR')
    return fail('model_refused', { status: 'not sent', why: 'the key or a header has a character that cannot be sent' }, false)
  if (error instanceof ModelErrorResponse) return fail('model_garbled', { why }, true)
  return fail('model_garbled', { why: notEventStream(facts.contentType) ?? why }, true)
}

/** Another server, or another path of the right one, answers at the address. A busy gateway may answer with a page too. */
function isWebPage(error: unknown, { contentType }: CallFacts, status: number | null): boolean {
  if (status !== null && status !== 404 && status !== 405) return false
  const answered = status === null ? contentType : readField(readField(error, 'responseHeaders'), 'content-type')
  return typeof answered === 'string' && answered.startsWith('text/html')
}

function byStatus(status: number, why: string, waitMs: number | undefined): ParleyError {
  if (status === 401 || status === 403) return fail('model_key_refused', { status }, false)
  if (status === 402) return fail('model_unpaid', { status, why }, false)
  if (status === 429) return fail('model_rate_limited', {}, true, waitMs)
  if (status === 408 || status >= 500) return fail('model_overloaded', { status }, true, waitMs)
  if (status >= 300 && status < 400)
    return fail('model_refused', { status, why: 'it redirects to another address, and a key is not sent on' }, false)
  return fail('model_refused', { status, why }, false)
}

const fail = (code: ErrorCode, details: Details, retryable: boolean, waitMs?: number): ParleyError =>
  new ParleyError(code, details, { retryable, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) })

const readName = (error: unknown): unknown => readField(error, 'name')

function readStatus(error: unknown): number | null {
  const status = readField(error, 'statusCode')
  if (typeof status === 'number' && (status < 200 || status > 299)) return status
  // OpenAI-compatible servers put the status into the error they send in the middle of a stream.
  const code = Number(readField(error, 'code'))
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : null
}

/** Errors that come as an event of the stream carry a kind instead of a status. */
function declaredKind(error: unknown): { code: ErrorCode; status: string; retryable: boolean } | null {
  const kind = [readField(error, 'type'), readField(error, 'code'), readField(readField(error, 'error'), 'type')].find(
    (value) => typeof value === 'string' && value !== 'error',
  )
  if (typeof kind !== 'string') return null
  if (/rate_limit/.test(kind)) return { code: 'model_rate_limited', status: kind, retryable: true }
  if (/overloaded|server_error|api_error|timeout/.test(kind)) return { code: 'model_overloaded', status: kind, retryable: true }
  if (/authentication|permission|invalid_api_key/.test(kind)) return { code: 'model_key_refused', status: kind, retryable: false }
  if (/billing|quota/.test(kind)) return { code: 'model_unpaid', status: kind, retryable: false }
  if (/invalid_request|not_found|too_large/.test(kind)) return { code: 'model_refused', status: kind, retryable: false }
  return null
}

const socketWords: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_HEADERS_TIMEOUT: 'it accepted the request and sent nothing',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'there is no network',
  ERR_INVALID_URL: 'its address is not valid',
}

function listCauses(error: unknown): unknown[] {
  const causes: unknown[] = []
  let current: unknown = error
  for (let depth = 0; depth < 6 && current; depth += 1) {
    causes.push(current)
    const several = readField(current, 'errors')
    current = Array.isArray(several) && several.length > 0 ? several[0] : readField(current, 'cause')
  }
  return causes
}

/** Looks through the causes for what the network said. */
function socketFault(error: unknown): string | null {
  for (const cause of listCauses(error)) {
    const code = readField(cause, 'code')
    if (typeof code !== 'string') continue
    const explanation = socketWords[code]
    if (explanation) return explanation
    if (/^(UND_ERR|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|HPE)/.test(code)) return `the connection failed (${code})`
  }
  const reported = readField(error, 'message')
  const message = typeof reported === 'string' ? reported : ''
  if (message === 'terminated' || message === 'fetch failed') return 'the connection was cut'
  return message.startsWith('Cannot connect to API: ') ? message.slice('Cannot connect to API: '.length) : null
}

function readWait(error: unknown, now: number): number | undefined {
  const headers = readField(error, 'responseHeaders')
  return retryAfterMs((name) => {
    const value = readField(headers, name)
    return typeof value === 'string' ? value : null
  }, now)
}

/** The wait a provider asks for: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(header: (name: string) => string | null, now: number): number | undefined {
  const exact = Number(header('retry-after-ms') ?? 'none')
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const value = header('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** The provider's own sentence, wherever this kind of error keeps it. */
function readReason(error: unknown): string {
  const message = readField(error, 'message') ?? readField(readField(error, 'error'), 'message') ?? error
  const text = typeof message === 'string' ? message : ''
  if (error instanceof SyntaxError || readName(error) === 'AI_JSONParseError' || readName(error) === 'AI_TypeValidationError')
    return 'a piece of the reply is not what this protocol allows'
  return text.trim() === '' ? 'no reason given' : text
}

function notEventStream(contentType: string | null): string | null {
  if (contentType === null || contentType.startsWith('text/event-stream')) return null
  return `it answered with ${contentType.split(';', 1)[0]} instead of a stream`
}

function clean(text: string, secrets: readonly string[]): string {
  let safe = text
  for (const secret of secrets) if (secret.length >= 4) safe = safe.replaceAll(secret, '•••')
  safe = safe
    .replace(/\b(sk|pk|key|xai|gsk)-[\w-]{6,}/g, '•••')
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .replace(/\.$/, '')
  return safe.length > 300 ? `${safe.slice(0, 300).toWellFormed()}…` : safe
}
