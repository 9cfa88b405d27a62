import { setInConfig } from '../../app/config/edit.ts'
import { ParleyError } from '../../errors.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { readWorldHost, withWorldHost } from '../joined.ts'
import type { Terminal } from '../terminal.ts'

/** The accounts are closed before the keys are deleted: without a key they could never be closed. */
export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { wire } = terminal.words
  const { file, url } = readWorldHost(terminal)
  if (url === null) throw new UsageError(wire.notJoined, 'parley worlds join ADDRESS')
  const isRemoved = given.on('remove')
  if (isRemoved)
    await withWorldHost(terminal, async ({ host, identities }) => {
      for (const { account } of identities.list()) {
        if (!account) continue
        const closed = await host.closeAccount(account.agent)
        if (!closed.ok) throw new ParleyError(closed.refusal.code, closed.refusal.details)
      }
      identities.remove()
    })
  setInConfig(file, 'worlds.host', undefined)
  terminal.result({ host: url, isRemoved }, () => (isRemoved ? wire.removed(url) : wire.disconnected(url)))
}
