import { displayWidth } from './display-width.ts'
import { pad } from './columns.ts'
import { asTypedHere, commandName } from './command-name.ts'
import type { Terminal } from './terminal.ts'

export type BannerRow = { name: string; value: string; note?: string }

/** Lines printed when a server has started: its address, its data folder, the next step. */
export function banner(terminal: Terminal, title: string, rows: readonly BannerRow[], next: readonly string[]): string[] {
  const { paint, words } = terminal
  const width = Math.max(...rows.map(({ name }) => displayWidth(name)))
  return [
    '',
    `  ${paint.bold(title)}`,
    ...rows.map(({ name, value, note }) => `  ${pad(name, width)}  ${paint.cyan(value)}${note ? `   ${paint.dim(note)}` : ''}`),
    `  ${words.next}  ${next.map(asTypedHere).join(' · ')}`,
    // Started without npm, so `parley` is not on the PATH.
    ...(commandName === 'parley' && import.meta.filename.endsWith('.ts') ? [`  ${paint.dim(words.inClone)}`] : []),
    '',
  ]
}
