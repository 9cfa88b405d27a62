import { setInConfig } from '../../app/config/edit.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { configFile, shortPath } from '../places.ts'
import type { Terminal } from '../terminal.ts'

/** An id of a world has neither. */
const isAddress = (text: string): boolean => text.includes('://') || text.includes('.')

export async function run(terminal: Terminal, given: Given): Promise<void> {
  if (isAddress(given.arg(0))) return joinWorldHost(terminal, given.arg(0))
  const joined = await withServer(terminal, ({ client }) =>
    client.worlds.join(given.arg(0), {
      account: given.text('account'),
      text: given.text('text') ?? '',
      version: given.number('read') ?? 1,
    }),
  )
  terminal.result(joined, () => terminal.words.worlds.joined(joined.world.displayName))
  if (!terminal.json) terminal.say(`${terminal.words.next} parley worlds show ${joined.world.world}`)
}

/** Looks whether the host answers before anything is written. */
async function joinWorldHost(terminal: Terminal, address: string): Promise<void> {
  const { readHostOrigin, checkHost } = await import('../../app/joined-host.ts')
  const host = readHostOrigin(address)
  await checkHost(host)
  const file = configFile(terminal)
  setInConfig(file, 'worlds.host', host)
  terminal.result({ host, file }, () => terminal.words.wire.joined(host, shortPath(file, terminal.cwd)))
  if (!terminal.json) terminal.say(`${terminal.words.next} parley serve`)
}
