import { text } from 'node:stream/consumers'
import { UsageError } from './fault.ts'
import type { Terminal } from './terminal.ts'

/** All of stdin, without the line break at its end. Nobody wants to be waited for in silence at a keyboard. */
export async function readStdin(terminal: Terminal, what: string): Promise<string> {
  if (terminal.stdin.isTTY)
    throw new UsageError(`${what} is to be read from stdin, but nothing is piped in.`, 'Such as: echo "text" | parley …')
  return (await text(terminal.stdin)).replace(/\r?\n$/, '')
}
