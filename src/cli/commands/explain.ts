import type { CommandFunction } from '../command-row.ts'
import { type ErrorCode, catalogue } from '../../errors.ts'
import { columns } from '../columns.ts'
import { decideExitCode } from '../exit-code.ts'
import { UsageError, getDocs } from '../fault.ts'
import { nearest } from '../../shapes/nearest.ts'
import { asTypedHere } from '../command-name.ts'
import { terminalHint } from '../terminal-hint.ts'

const originWords = {
  refused: 'the rules do not allow it; nothing was changed',
  failed: 'something outside Parley did not work; a retry may help',
  bug: 'a fault in Parley itself',
}

/** `{name}` in a sentence is what gets filled in when it happens. */
const blanks = (text: string): string => text.replace(/\{(\w+)\}/g, '<$1>')

function entry(code: ErrorCode) {
  const [origin, status, message, hint] = catalogue[code]
  return {
    code,
    origin,
    why: originWords[origin],
    status,
    exit: decideExitCode(code),
    message: blanks(message),
    hint: blanks(hint),
    docs: getDocs(code),
  }
}

export const run: CommandFunction = async (terminal, given) => {
  const codes = Object.keys(catalogue) as ErrorCode[]
  const argument = given.optionalArg(0)
  if (argument === undefined) {
    const all = codes.map(entry)
    terminal.result(all, () =>
      columns(
        all.map(({ code, message }) => [{ text: code, paint: terminal.paint.bold }, message]),
        terminal.width,
      ),
    )
    return
  }
  const code = codes.find((known) => known === argument.toLowerCase())
  if (!code) {
    const near = nearest(argument, codes)
    throw new UsageError(`There is no error code "${argument}".${near ? ` Did you mean ${near}?` : ''}`, 'All of them: parley explain')
  }
  const explanation = entry(code)
  const { paint } = terminal
  terminal.result(explanation, () => [
    paint.bold(code),
    `  ${explanation.message}`,
    `  ${paint.cyan('→')} ${asTypedHere(terminalHint(explanation.hint, 'parley dialogs continue ID'))}`,
    paint.dim(`  ${explanation.why} · HTTP ${explanation.status} · exit code ${explanation.exit} · ${explanation.docs}`),
  ])
}
