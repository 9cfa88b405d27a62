import type { CommandFunction } from '../command-row.ts'
import { oneOrAll } from '../all-dialogs.ts'

export const run: CommandFunction = (terminal, given) =>
  oneOrAll(terminal, given, {
    command: 'dialogs stop',
    one: (client, dialog) => client.dialogs.stop(dialog),
    all: (client, root) => client.dialogs.stopAll(root),
    words: (count, isTree) => (isTree ? terminal.words.stoppedTree(count) : terminal.words.stoppedEverything(count)),
  })
