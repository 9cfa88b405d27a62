import { type ProviderFault, providerFaultLimits, readFault } from '../models/provider-fault.ts'

/** An error that the provider reports: as a status instead of a reply, or in the middle of one. */
export class ModelErrorResponse extends Error {
  override name = 'ModelErrorResponse'
  readonly type: unknown
  readonly code: unknown
  readonly statusCode: number | undefined
  readonly responseHeaders: Readonly<Record<string, unknown>>
  #body: string

  /** `body` is the error as it was sent. */
  constructor(
    reported: { message: string; type?: unknown; code?: unknown },
    response: { status?: number; headers?: object; body?: string } = {},
  ) {
    super(reported.message)
    this.#body = (response.body ?? '').slice(0, providerFaultLimits.bodyChars)
    this.type = reported.type
    this.code = reported.code
    this.statusCode = response.status
    this.responseHeaders = (response.headers ?? {}) as Record<string, unknown>
  }

  /** Everything the provider said, for the rules that look for a way on. */
  get fault(): ProviderFault {
    return readFault(this.statusCode ?? null, this.#body)
  }
}

/** The error of an event that is one, whatever its form. */
export function toErrorResponse(value: unknown, body: string): ModelErrorResponse {
  const { message, type, code } = readFault(null, body)
  return findErrorResponse(value, { body }) ?? new ModelErrorResponse({ message, type, code }, { body })
}

/**
 * The error in a document, if it is one. The protocol has `{"error": {"message", "type", "code"}}`; servers also send
 * the error as a text, without the outer object, as `detail`, or in a list of one.
 */
export function findErrorResponse(
  document: unknown,
  response?: { status?: number; headers?: object; body?: string },
): ModelErrorResponse | null {
  const value: unknown = Array.isArray(document) ? document[0] : document
  if (typeof value !== 'object' || value === null) return null
  const { error, choices, message, detail, type, code } = value as Record<string, unknown>
  if (typeof error === 'object' && error !== null) {
    const inner = error as Record<string, unknown>
    return new ModelErrorResponse(
      { message: toText(inner['message'] ?? inner['detail']), type: inner['type'], code: inner['code'] ?? code },
      response,
    )
  }
  if (typeof error === 'string' && error !== '') return new ModelErrorResponse({ message: error, type, code }, response)
  if (choices !== undefined) return null
  const words = typeof message === 'string' ? message : typeof detail === 'string' ? detail : null
  return words === null ? null : new ModelErrorResponse({ message: words, type, code }, response)
}

const toText = (message: unknown): string => (typeof message === 'string' ? message : '')
