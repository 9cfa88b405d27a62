import type { Language } from '../../shapes/language.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { printFile } from '../print-file.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const input = { account: given.text('account'), language: given.text('in') as Language | undefined, line: given.text('line') }
  const card = await withServer(terminal, ({ client }) => client.reports.card(given.arg(0), input))
  printFile(terminal, card, { text: card.svg, out: given.text('out'), mode: 0o644, done: terminal.words.worlds.card })
}
