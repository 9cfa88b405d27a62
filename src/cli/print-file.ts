import { resolve } from 'node:path'
import { writeFileAtomic } from '../app/config/write-file-atomic.ts'
import type { Terminal } from './terminal.ts'

type Given = { text: string; out: string | undefined; mode: number; done(file: string): string }

/** Writes a text to the file that was named, or to stdout. With `--json` the whole result is printed. */
export function printFile(terminal: Terminal, result: object, { text, out, mode, done }: Given): void {
  if (out === undefined) return terminal.json ? terminal.result(result, () => '') : void terminal.stdout.write(text)
  const file = resolve(terminal.cwd, out)
  writeFileAtomic(file, text, mode)
  terminal.result({ ...result, file }, () => done(file))
}
