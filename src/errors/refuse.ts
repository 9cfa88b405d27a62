import type { ErrorCode } from '../errors.ts'

export type Details = Record<string, string | number | boolean | null>

/** A request that the rules do not allow. A value, never thrown by the pure core. */
export type Refusal = { code: ErrorCode; details: Details }

export const refuse = (code: ErrorCode, details: Details = {}): { refused: Refusal } => ({ refused: { code, details } })
