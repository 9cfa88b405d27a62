import { oneOrAll } from '../all-dialogs.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export const run = (terminal: Terminal, given: Given): Promise<void> =>
  oneOrAll(terminal, given, {
    command: 'dialogs continue',
    one: (client, dialog) => client.dialogs.continue(dialog),
    all: (client, root) => client.dialogs.resumeAll(root),
    words: terminal.words.continuedAll,
  })
