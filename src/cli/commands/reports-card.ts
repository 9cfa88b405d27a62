import { resolve } from 'node:path'
import { writeFileAtomic } from '../../app/config/write-file-atomic.ts'
import type { Language } from '../../shapes/language.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const input = { account: given.text('account'), language: given.text('in') as Language | undefined, line: given.text('line') }
  const card = await withServer(terminal, ({ client }) => client.reports.card(given.arg(0), input))
  const out = given.text('out')
  if (out === undefined) return terminal.json ? terminal.result(card, () => '') : void terminal.stdout.write(card.svg)
  const file = resolve(terminal.cwd, out)
  writeFileAtomic(file, card.svg, 0o644)
  terminal.result({ ...card, file }, () => terminal.words.worlds.card(file))
}
