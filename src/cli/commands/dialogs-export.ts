import { exportDialog } from '../../client/export-dialog.ts'
import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'

const eventsPage = 500

export const run: CommandFunction = (terminal, given) =>
  withServer(terminal, async ({ client }) => {
    const dialog = await client.dialogs.get(await dialogId(client, given.arg(0)))
    const reader = {
      tree: (id: string) => client.dialogs.tree(id),
      events: async (stream: string, after: number) => (await client.events.read({ stream, after, limit: eventsPage })).items,
    }
    const format = given.text('format') === 'markdown' ? 'markdown' : 'jsonl'
    for await (const part of exportDialog(reader, dialog, format))
      terminal.stdout.write(format === 'markdown' && terminal.json ? `${JSON.stringify({ markdown: part })}\n` : part)
  })
