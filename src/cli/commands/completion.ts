import { type Shell, completionScript } from '../completion.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const shell = given.arg(0) as Shell
  const script = completionScript(shell)
  terminal.result({ shell, script }, () => script)
}
