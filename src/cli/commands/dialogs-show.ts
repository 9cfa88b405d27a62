import type { CommandFunction } from '../command-row.ts'
import type { EventView } from '../../shapes/wire.ts'
import { callerName, dialogId, withServer } from '../connect.ts'
import { EventReader } from '../event-lines.ts'
import { oneLine } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import { answerLines } from '../question-words.ts'
import { readAll } from '../read-all.ts'
import { spentWords } from '../spent-words.ts'
import { statusPaint } from '../status-paint.ts'
import { statusWords } from '../tree-lines.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint } = terminal
  const { dialog, events, caller } = await withServer(terminal, ({ client }) =>
    withProgress(terminal, words.checking, async () => {
      const detail = await client.dialogs.get(await dialogId(client, given.arg(0)))
      const read: EventView[] = []
      for await (const event of readAll(client, detail.id, 0)) read.push(event)
      return { dialog: detail, events: read, caller: await callerName(client) }
    }),
  )
  const limit = given.number('limit') ?? events.length
  terminal.result({ ...dialog, events: events.slice(Math.max(0, events.length - limit)) }, () => {
    const reader = new EventReader(words, paint, terminal.width)
    reader.reader = caller
    const entries = events.map((event) => reader.lines(event)).filter((lines) => lines.length > 0)
    return [
      `${paint.bold(oneLine(dialog.title || dialog.id))}  ${statusPaint(dialog.status, paint)(statusWords(dialog, words))}`,
      paint.dim(
        [dialog.id, dialog.agent, new Date(dialog.openedAt).toLocaleString(terminal.language), spentWords([dialog], terminal)]
          .filter((part) => part !== '')
          .join(' · '),
      ),
      ...(dialog.health === 'caution' || dialog.health === 'critical' ? [paint.yellow(words.health[dialog.health])] : []),
      ...(dialog.reminders.length === 0
        ? []
        : [paint.dim(words.notes), ...dialog.reminders.map(({ text }, index) => `  ${index + 1}. ${oneLine(text)}`)]),
      '',
      ...entries.slice(Math.max(0, entries.length - limit)).flat(),
      ...dialog.questions.filter(({ state }) => state === 'open').flatMap((question) => ['', ...answerLines(question, words, paint)]),
    ]
  })
}
