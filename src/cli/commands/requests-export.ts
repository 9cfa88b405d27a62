import type { TranscriptFormat } from '../../shapes/worlds.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { printFile } from '../print-file.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const input = {
    account: given.text('account'),
    format: (given.text('format') ?? 'markdown') as TranscriptFormat,
    ...(given.on('full') ? { full: 'true' as const } : {}),
  }
  const exported = await withServer(terminal, ({ client }) => client.conversations.export(given.arg(0), input))
  printFile(terminal, exported, { text: exported.text, out: given.text('out'), mode: 0o600, done: terminal.words.worlds.exported })
}
