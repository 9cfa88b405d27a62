import stringWidth from 'string-width'
import { pad } from './columns.ts'
import type { Terminal } from './terminal.ts'

export type BannerRow = { name: string; value: string; note?: string }

/** What is printed when a server has started: where it is, where its data is, what to do next. */
export function banner(terminal: Terminal, title: string, rows: readonly BannerRow[], next: readonly string[]): string[] {
  const { paint, words } = terminal
  const width = Math.max(...rows.map(({ name }) => stringWidth(name)))
  return [
    '',
    `  ${paint.bold(title)}`,
    ...rows.map(({ name, value, note }) => `  ${pad(name, width)}  ${paint.cyan(value)}${note ? `   ${paint.dim(note)}` : ''}`),
    `  ${words.next}  ${next.join(' · ')}`,
    // Nobody has put it on the path there.
    ...(import.meta.filename.endsWith('.ts') ? [`  ${paint.dim(words.inClone)}`] : []),
    '',
  ]
}
