import { type ErrorCode, ParleyError, catalogue, describeError } from '../errors.ts'
import { asTypedHere } from './command-name.ts'
import { decideExitCode } from './exit-code.ts'
import { plainText } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** An error as a person at a terminal meets it: what, why, next step. */
export type Fault = { code: string; message: string; hint: string; docs: string }

export const getDocs = (code: string): string => `docs/ERRORS.md#${code}`

const withDocs = (words: { code: string; message: string; hint: string }): Fault => ({ ...words, docs: getDocs(words.code) })

/** A wrong way of calling the command, with the help page that shows the right one. */
export class UsageError extends Error {
  readonly hint: string
  constructor(why: string, hint = 'See: parley --help') {
    super(why)
    this.name = 'UsageError'
    this.hint = hint
  }
}

export const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(catalogue, code)

export function getFault(error: unknown): Fault {
  if (error instanceof UsageError) return withDocs({ code: 'usage', message: error.message, hint: error.hint })
  if (error instanceof ParleyError) return withDocs({ code: error.code, message: error.message, hint: error.hint })
  if (error instanceof Error) {
    // A client error carries the message of the server unchanged.
    const { code, hint } = error as Error & { code?: unknown; hint?: unknown }
    // The fields of a request are flags here.
    if (code === 'bad_request')
      return withDocs({
        code,
        message: error.message,
        hint: 'Correct this value and run the command again. Flags: --help; fields of the API: /v1/openapi.json.',
      })
    if (isErrorCode(code))
      return withDocs({ code, message: error.message, hint: typeof hint === 'string' ? hint : describeError(code).hint })
    const system = typeof code === 'string' ? ` (${code})` : ''
    return {
      code: 'internal',
      message: `Something went wrong: ${error.message}${system}.`,
      hint: 'Run it again with --verbose to see where.',
      docs: getDocs('internal'),
    }
  }
  return {
    code: 'internal',
    message: `Something went wrong: ${String(error)}.`,
    hint: 'Run it again with --verbose to see where.',
    docs: getDocs('internal'),
  }
}

/** Tells the error on stderr and gives the exit code. stdout stays as it is: empty, or results that are true. */
export function tellFault(terminal: Terminal, error: unknown): number {
  const fault = getFault(error)
  const faultOutput = { ...fault, hint: asTypedHere(fault.hint) }
  if (terminal.json) terminal.stderr.write(`${JSON.stringify({ error: faultOutput })}\n`)
  else {
    const paint = terminal.errPaint
    terminal.warn(`${paint.red('✗')} ${plainText(faultOutput.message)}`, `  ${paint.cyan('→')} ${plainText(faultOutput.hint)}`)
    if (faultOutput.code !== 'usage') terminal.warn(paint.dim(`  ${terminal.words.moreAbout(faultOutput.code)}`))
    if (terminal.verbose && error instanceof Error && error.stack) terminal.warn(paint.dim(error.stack))
  }
  return decideExitCode(faultOutput.code)
}
