import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildProgram } from './program.ts'

/** Help texts as golden files: `node --test --test-update-snapshots src/cli/help.test.ts` rewrites them. */
const pages: Record<string, readonly string[]> = {
  parley: [],
  dialogs: ['dialogs'],
  'dialogs-list': ['dialogs', 'list'],
  answer: ['answer'],
  'model-set': ['model', 'set'],
  'message-send': ['message', 'send'],
  'channels-add': ['channels', 'add'],
  plugins: ['plugins'],
  'builds-check': ['builds', 'check'],
}

for (const [name, path] of Object.entries(pages)) {
  test(`help of ${['parley', ...path].join(' ')}`, (t: TestContext) => {
    let command = buildProgram('0.0.0', () => {})
    for (const word of path) command = command.commands.find((sub) => sub.name() === word) ?? command
    t.assert.equal(command.name(), path.at(-1) ?? 'parley')
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 }).outputHelp()
    t.assert.fileSnapshot(help, fileURLToPath(new URL(`./golden/${name}.txt`, import.meta.url)), { serializers: [String] })
  })
}
