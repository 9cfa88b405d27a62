import { text } from 'node:stream/consumers'
import { UsageError } from './fault.ts'
import type { Terminal } from './terminal.ts'

/** All of stdin, without the final line break. Refused at a keyboard, where it would wait silently. */
export async function readStdin(terminal: Terminal, what: string): Promise<string> {
  if (terminal.stdin.isTTY) throw new UsageError(`${what} comes from stdin, but nothing is piped in.`, 'Such as: echo "text" | parley …')
  return (await text(terminal.stdin)).replace(/\r?\n$/, '')
}
