import { ParleyError } from '../../errors.ts'

const getCode = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '')

/** A deadlock, or two commits that used one new name: the commit was undone and can run again. */
export const isRepeatable = (error: unknown): boolean => ['40001', '40P01'].includes(getCode(error))

/** SQLSTATE classes: 08 connection, 28 sign-in, 3D no such database, 42501 no right, 53 resources, 57P server stopping, 58 I/O, XX damaged. */
export function postgresFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ParleyError) return error
  const code = getCode(error)
  const why = error.message
  if (/^(53|58|25006)/.test(code)) return new ParleyError('store_unwritable', { why }, { cause: error, retryable: true })
  if (code.startsWith('XX')) return new ParleyError('store_damaged', { why }, { cause: error })
  const isConnection = /^(08|57P|28|3D|42501)/.test(code) || /^E[A-Z]+$/.test(code) || /connection|terminated|timeout/i.test(why)
  return isConnection ? new ParleyError('store_unreachable', { why }, { cause: error, retryable: true }) : error
}
