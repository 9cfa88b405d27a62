import { age } from '../age.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { oneLine } from '../plain-text.ts'
import { questionWithCommands } from '../question-words.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const inbox = await withServer(terminal, ({ client }) => client.inbox())
  const { words, paint } = terminal
  terminal.result(inbox, () =>
    inbox.items.flatMap(({ question }, at) => [
      ...(at > 0 ? [''] : []),
      `${paint.bold(question.id)}  ${paint.dim(`${oneLine(question.dialogTitle)} · ${question.dialog} · ${age(question.askedAt, words)}`)}`,
      ...questionWithCommands(question, words, paint),
    ]),
  )
  if (inbox.items.length === 0 && !terminal.json) terminal.say(words.nothingWaits)
}
