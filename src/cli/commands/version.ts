import { connect } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

/** The server's version is a courtesy: without one, this still answers. */
async function serverVersion(terminal: Terminal): Promise<string | null> {
  try {
    const connection = connect(terminal)
    return (await connection.client.info({ signal: AbortSignal.timeout(2_000) })).version
  } catch {
    return null
  }
}

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const server = await serverVersion(terminal)
  terminal.result({ parley: version, node: process.versions.node, server }, () => version)
  if (!terminal.json)
    terminal.say(terminal.errPaint.dim(`Node ${process.versions.node}${server === null ? '' : ` · ${terminal.words.server} ${server}`}`))
}
