/**
 * Every error a person can meet, in one place.
 *
 * Three origins: *refused* (a request that the rules do not allow; returned as a value), *failed* (something
 * outside Parley did not work; a retry may help), *bug* (a fault of Parley; ends the turn, never the process).
 * docs/ERRORS.md has one entry for each code, compared both ways by test/docs.test.ts.
 */

import { agentErrors } from './errors/agent-errors.ts'
import { chatErrors } from './errors/chat-errors.ts'
import { dialogErrors } from './errors/dialog-errors.ts'
import { fillSentence } from './errors/fill-sentence.ts'
import { requestErrors } from './errors/request-errors.ts'
import { setupErrors } from './errors/setup-errors.ts'
import { worldErrors } from './errors/world-errors.ts'
import type { Details } from './errors/refuse.ts'

export { errorMessage } from './errors/error-message.ts'
export { refuse, type Details, type Refusal } from './errors/refuse.ts'

/** The rows of each area are in a file of `src/errors`. */
export const catalogue = {
  ...requestErrors,
  ...dialogErrors,
  ...chatErrors,
  ...agentErrors,
  ...setupErrors,
  ...worldErrors,
} as const

export type ErrorCode = keyof typeof catalogue

export type ErrorWords = { code: ErrorCode; message: string; hint: string }

export function describeError(code: ErrorCode, details: Details = {}): ErrorWords {
  const [, , message, hint] = catalogue[code]
  return { code, message: fillSentence(message, details), hint: fillSentence(hint, details) }
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never

/** The details of one error: those its sentences in the catalogue name are there, others may be. */
export type ErrorDetails<Code extends ErrorCode> = Details &
  Readonly<Record<Placeholders<(typeof catalogue)[Code][2] | (typeof catalogue)[Code][3]>, Details[string]>>

type ErrorOptions = { cause?: unknown; retryable?: boolean; retryAfterMs?: number; isUnmetered?: boolean }

type Thrown = Error & {
  /** A retry may succeed without a change by a person. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** The model refused the request before it did any work, so it cost nothing. */
  readonly isUnmetered: boolean
  readonly hint: string
  readonly status: number
}

/**
 * Thrown at the edges; carries a code of the catalogue and what fills its sentence. `ParleyError<'already_answered'>` has the
 * details of that code; a check of `code` narrows to it.
 */
export type ParleyError<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? Thrown & { readonly code: Code; readonly details: ErrorDetails<Code> }
  : never

type ParleyErrorClass = {
  new <Code extends ErrorCode>(code: Code, details?: Details, options?: ErrorOptions): ParleyError<Code>
  /** The type that `instanceof` narrows to. */
  readonly prototype: ParleyError
}

export const ParleyError: ParleyErrorClass = class extends Error {
  readonly code: ErrorCode
  readonly details: Details
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly isUnmetered: boolean

  constructor(code: ErrorCode, details: Details = {}, options: ErrorOptions = {}) {
    super(describeError(code, details).message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ParleyError'
    this.code = code
    this.details = details
    this.retryable = options.retryable ?? false
    this.retryAfterMs = options.retryAfterMs
    this.isUnmetered = options.isUnmetered ?? false
  }

  get hint(): string {
    return describeError(this.code, this.details).hint
  }

  get status(): number {
    return catalogue[this.code][1]
  }
} as unknown as ParleyErrorClass
