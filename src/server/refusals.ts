import type { z } from 'zod'
import { catalogue, describeError, type ErrorWords, ParleyError, type Refusal } from '../errors.ts'
import { issueInWords } from '../shapes/issue-words.ts'

/** Turns the first schema fault into an error of the catalogue. */
export function toRefusal(error: z.ZodError, where: string): ParleyError {
  const [issue] = error.issues
  const field = [...(where === 'body' ? [] : [where]), ...(issue?.path ?? [])].map(String).join('.').slice(0, 100) || where
  if (!issue) return new ParleyError('bad_request', { field, why: 'it cannot be read' })
  if (issue.code === 'custom' && issue.params?.['refused'] !== undefined) {
    const { code, details } = issue.params['refused'] as Refusal
    return new ParleyError(code, details)
  }
  if (issue.code === 'custom' && typeof issue.params?.['what'] === 'string')
    return new ParleyError('bad_text', { field, what: issue.params['what'] })
  if (issue.code === 'too_big' && issue.origin === 'string') {
    const length = typeof issue.input === 'string' ? issue.input.length : 0
    return new ParleyError('text_too_long', { field, length, limit: Number(issue.maximum) })
  }
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(key.slice(0, 40).toWellFormed())).slice(0, 5)
    return new ParleyError('bad_request', { field, why: `there is no field ${keys.join(', ')}` })
  }
  return new ParleyError('bad_request', { field: field.toWellFormed(), why: issueInWords(issue) })
}

export type Failure = { status: number; words: ErrorWords; retryAfterSeconds: number | null; isBug: boolean }

/** The error response. An internal fault shows only the id of its log line. */
export function toFailure(error: unknown, request: string): Failure {
  if (!(error instanceof ParleyError) || catalogue[error.code][0] === 'bug') {
    return { status: 500, words: describeError('internal', { request }), retryAfterSeconds: null, isBug: true }
  }
  const retryAfterSeconds = error.retryAfterMs === undefined ? null : Math.max(1, Math.ceil(error.retryAfterMs / 1000))
  return { status: error.status, words: describeError(error.code, error.details), retryAfterSeconds, isBug: false }
}
