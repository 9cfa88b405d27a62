import { getInConfig, setInConfig } from '../../app/config/edit.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { listPlaces, shortPath } from '../places.ts'
import { dropSecret } from '../secrets-file.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const name = given.arg(0)
  const places = await listPlaces(terminal)
  const all = getInConfig(places.config, 'channels')
  const channels = typeof all === 'object' && all !== null ? (all as Record<string, { token?: unknown } | null>) : {}
  if (!Object.hasOwn(channels, name)) {
    const names = Object.keys(channels)
    throw new UsageError(
      `There is no channel "${name}" in ${shortPath(places.config, terminal.cwd)}.`,
      names.length === 0 ? 'No channel is configured.' : `Configured: ${names.join(', ')}`,
    )
  }
  const token = channels[name]?.token
  // Removing the last channel removes the section: an empty one would confuse readers of the file.
  setInConfig(places.config, Object.keys(channels).length === 1 ? ['channels'] : ['channels', name], undefined)
  const variable = typeof token === 'string' ? /^\$\{([A-Z_][A-Z0-9_]*)\}$/.exec(token)?.[1] : undefined
  const isShared = Object.entries(channels).some(([other, entry]) => other !== name && entry?.token === token)
  const forgotten = variable !== undefined && !isShared && dropSecret(places.data, variable) ? variable : null
  terminal.result({ name, file: places.config, forgotten }, () =>
    terminal.words.messages.channelRemoved(name, shortPath(places.config, terminal.cwd)),
  )
}
