import type { CommandFunction } from '../command-row.ts'
import type { DialogStatus } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import { warnIfAllStopped } from '../all-stopped.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { statusPaint } from '../status-paint.ts'
import { statusWords } from '../tree-lines.ts'

export const run: CommandFunction = async (terminal, given) => {
  const search = given.text('search')
  const status = given.text('status')
  const page = await withServer(terminal, async ({ client }) => {
    await warnIfAllStopped(terminal, client)
    return client.dialogs.list({
      limit: given.number('limit') ?? 20,
      search,
      // The server refuses other words, with those it knows.
      status: status as DialogStatus | undefined,
      after: given.text('after'),
      ...(given.on('archived') && { archived: true }),
      ...(given.on('pinned') && { pinned: true }),
    })
  })
  const { words, paint } = terminal
  terminal.result(page, () =>
    page.items.length === 0
      ? []
      : columns(
          [
            [words.columns.id, words.columns.status, words.columns.agent, words.columns.age, words.columns.title].map((text) => ({
              text,
              paint: paint.dim,
            })),
            ...page.items.map((dialog) => [
              { text: dialog.id, paint: paint.bold },
              {
                text: statusWords(dialog, words) + (dialog.openQuestions > 1 ? ` (${dialog.openQuestions})` : ''),
                paint: statusPaint(dialog.status, paint),
              },
              dialog.agent,
              age(dialog.updatedAt, words),
              dialog.title || dialog.preview,
            ]),
          ],
          terminal.width,
        ),
  )
  if (terminal.json) return
  if (page.items.length === 0) terminal.say(search || status ? words.noDialogsFit : words.noDialogs)
  else if (page.next !== null) terminal.say(words.morePages(page.next))
}
