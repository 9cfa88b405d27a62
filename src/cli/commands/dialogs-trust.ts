import type { CommandFunction } from '../command-row.ts'
import type { ParleyClient } from '../../client/index.ts'
import type { Participant } from '../../dialogs/rules/dialog-events.ts'
import type { EventView } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'
import { askChoiceOrNotNow } from '../ask.ts'
import { callerName, withServer } from '../connect.ts'
import { EventReader } from '../event-lines.ts'
import { exitCode } from '../exit-code.ts'
import { readAll } from '../read-all.ts'
import type { Terminal } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const id = given.arg(0)
  return withServer(terminal, async ({ client }) => {
    const upTo = given.number('up-to') ?? (await askAfterReading(terminal, client, id))
    if (upTo === null) return exitCode.interrupted
    const dialog = await client.dialogs.trust(id, { upTo })
    terminal.result(dialog, () => terminal.words.approvals.trustDone(dialog.id))
    return exitCode.ok
  })
}

/** Shows the texts of others and returns the number of the last event that was read; null when the person said no. */
async function askAfterReading(terminal: Terminal, client: ParleyClient, dialog: string): Promise<number | null> {
  const { words, errPaint } = terminal
  const reader = new EventReader(words, errPaint, terminal.width)
  reader.reader = await callerName(client)
  let upTo = 0
  let texts: string[][] = []
  await client.dialogs.get(dialog)
  for await (const event of readAll(client, dialog, 0)) {
    const lines = reader.lines(event)
    upTo = event.seq
    if (event.type === 'dialog.trusted') texts = []
    else if (isFromOthers(event)) texts.push(lines)
  }
  if (terminal.json || !terminal.interactive)
    throw new ParleyError('needs_terminal', { flag: `parley dialogs trust ${dialog} --up-to ${upTo}` })
  terminal.warn(...texts.flat(), words.approvals.trustShown(texts.length))
  const chosen = await askChoiceOrNotNow(terminal, words.approvals.trustAsk, [{ value: 'yes', label: words.approvals.trustYes }])
  return chosen === 'yes' ? upTo : null
}

const textEvents: ReadonlySet<string> = new Set(['message.said', 'question.answered', 'question.declined', 'question.cancelled'])

function isFromOthers({ type, data }: EventView): boolean {
  const { by } = data as { by?: Participant }
  return type === 'taskdoc.read' || (textEvents.has(type) && by?.kind === 'human' && by.role !== 'owner')
}
