import type { ErrorCode } from '../errors.ts'

/** Exit codes for scripts. */
export const exitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  waitsForHuman: 5,
  waitsForApproval: 6,
  interrupted: 130,
} as const

const special: Partial<Record<ErrorCode, number>> = {
  usage: exitCode.usage,
  needs_terminal: exitCode.usage,
  server_unreachable: exitCode.unreachable,
  not_signed_in: exitCode.notAllowed,
  link_used: exitCode.notAllowed,
  bad_token: exitCode.notAllowed,
  not_allowed: exitCode.notAllowed,
  not_addressed: exitCode.notAllowed,
  already_allowed: exitCode.notAllowed,
  always_not_limited: exitCode.notAllowed,
  owner_only: exitCode.notAllowed,
  role_too_low: exitCode.notAllowed,
  wrong_origin: exitCode.notAllowed,
}

export const decideExitCode = (code: string): number => special[code as ErrorCode] ?? exitCode.failed
