import type { CommandFunction } from '../command-row.ts'
import { type Shell, completionScript } from '../completion.ts'

export const run: CommandFunction = async (terminal, given) => {
  const shell = given.arg(0) as Shell
  const script = completionScript(shell)
  terminal.result({ shell, script }, () => script)
}
