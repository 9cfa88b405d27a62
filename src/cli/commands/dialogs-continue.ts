import type { CommandFunction } from '../command-row.ts'
import { oneOrAll } from '../all-dialogs.ts'

export const run: CommandFunction = (terminal, given) =>
  oneOrAll(terminal, given, {
    command: 'dialogs continue',
    one: (client, dialog) => client.dialogs.continue(dialog),
    all: (client, root) => client.dialogs.resumeAll(root),
    words: terminal.words.continuedAll,
  })
