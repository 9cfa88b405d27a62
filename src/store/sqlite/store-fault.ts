import { ParleyError } from '../../errors.ts'

const primary = {
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const

/** SQLite's primary result code, if the error came from there. */
function resultCode(error: unknown): number | null {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null
  return typeof code === 'number' ? code & 0xff : null
}

/** Another process holds it; the same call may succeed later. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === primary.busy || code === primary.locked || code === primary.protocol
}

/** Turns faults that a person can fix into errors of the catalogue; other errors pass unchanged. */
export function storeFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ParleyError) return error
  const why = error.message
  if (isBusy(error)) return new ParleyError('store_locked', { why }, { cause: error, retryable: true })
  switch (resultCode(error) ?? 0) {
    case primary.corrupt:
    case primary.notADatabase:
      return new ParleyError('store_damaged', { why }, { cause: error })
    case primary.full:
    case primary.ioError:
      return new ParleyError('store_unwritable', { why }, { cause: error, retryable: true })
    case primary.perm:
    case primary.readOnly:
    case primary.cannotOpen:
      return new ParleyError('store_unwritable', { why }, { cause: error })
    default:
      return error
  }
}
