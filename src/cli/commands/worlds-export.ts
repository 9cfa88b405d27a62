import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { withWorldHost } from '../joined.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const request = given.arg(0)
  const { exportSigned } = await import('../../app/joined-host.ts')
  const signedExport = await withWorldHost(terminal, (joined) => exportSigned(joined, request))
  const text = given.on('head') ? signedExport?.peerHead : signedExport?.transcript
  if (text === undefined || text === null) throw new UsageError(terminal.words.wire.noTranscript(request), 'parley requests list')
  terminal.stdout.write(text)
}
