import { oneOrAll } from '../all-dialogs.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export const run = (terminal: Terminal, given: Given): Promise<void> =>
  oneOrAll(terminal, given, {
    command: 'dialogs stop',
    one: (client, dialog) => client.dialogs.stop(dialog),
    all: (client, root) => client.dialogs.stopAll(root),
    words: (count, isTree) => (isTree ? terminal.words.stoppedTree(count) : terminal.words.stoppedEverything(count)),
  })
