import type { ParleyClient } from '../../client/index.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { questionLines } from '../question-words.ts'
import type { Terminal } from '../terminal.ts'

export async function tellDialogs(terminal: Terminal, client: ParleyClient): Promise<string[]> {
  const { items } = await client.dialogs.list({ limit: 10 })
  const { words, errPaint } = terminal
  if (items.length === 0) return [words.noDialogs]
  return columns(
    items.map((dialog) => [
      { text: dialog.id, paint: errPaint.bold },
      words.status[dialog.status],
      age(dialog.updatedAt, words),
      dialog.title || dialog.preview,
    ]),
    terminal.width,
  )
}

export async function tellInbox(terminal: Terminal, client: ParleyClient): Promise<string[]> {
  const { items } = await client.inbox()
  if (items.length === 0) return [terminal.words.nothingWaits]
  return items.flatMap(({ question }) => [
    ...questionLines(question, terminal.words, terminal.errPaint),
    terminal.errPaint.dim(`  /open ${question.dialog}`),
  ])
}
