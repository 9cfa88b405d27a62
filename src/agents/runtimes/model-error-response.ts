/** What a provider itself says is wrong: with a status instead of a reply, or in the middle of one. */
export class ModelComplaint extends Error {
  override name = 'ModelComplaint'
  readonly type: unknown
  readonly code: unknown
  readonly statusCode: number | undefined
  readonly responseHeaders: Readonly<Record<string, unknown>>

  constructor(said: { message: string; type?: unknown; code?: unknown }, response: { status?: number; headers?: object } = {}) {
    super(said.message)
    this.type = said.type
    this.code = said.code
    this.statusCode = response.status
    this.responseHeaders = (response.headers ?? {}) as Record<string, unknown>
  }
}

/**
 * The complaint in a document, if it is one. The protocol has `{"error": {"message", "type", "code"}}`; servers also send
 * the error as a text, without the outer object, as `detail`, or in a list of one.
 */
export function complaintIn(document: unknown, response?: { status?: number; headers?: object }): ModelComplaint | null {
  const value: unknown = Array.isArray(document) ? document[0] : document
  if (typeof value !== 'object' || value === null) return null
  const { error, choices, message, detail, type, code } = value as Record<string, unknown>
  if (typeof error === 'object' && error !== null) {
    const inner = error as Record<string, unknown>
    return new ModelComplaint(
      { message: worded(inner['message'] ?? inner['detail']), type: inner['type'], code: inner['code'] ?? code },
      response,
    )
  }
  if (typeof error === 'string' && error !== '') return new ModelComplaint({ message: error, type, code }, response)
  if (choices !== undefined) return null
  const words = typeof message === 'string' ? message : typeof detail === 'string' ? detail : null
  return words === null ? null : new ModelComplaint({ message: words, type, code }, response)
}

const worded = (message: unknown): string => (typeof message === 'string' ? message : '')
