import type { CommandFunction } from '../command-row.ts'
import { getInConfig, setInConfig } from '../../app/config/edit.ts'
import { UsageError } from '../fault.ts'
import { listPlaces, shortPath } from '../places.ts'
import { dropSecret } from '../../app/config/secrets-file.ts'

export const run: CommandFunction = async (terminal, given) => {
  const name = given.arg(0)
  const places = await listPlaces(terminal)
  const all = getInConfig(places.config, 'channels')
  const channels = typeof all === 'object' && all !== null ? (all as Record<string, Record<string, unknown> | null>) : {}
  if (!Object.hasOwn(channels, name)) {
    const names = Object.keys(channels)
    throw new UsageError(
      `There is no channel "${name}" in ${shortPath(places.config, terminal.cwd)}.`,
      names.length === 0 ? 'No channel is configured.' : `Configured: ${names.join(', ')}`,
    )
  }
  const variables = listVariables(channels[name])
  // Removing the last channel removes the section: an empty one would confuse readers of the file.
  setInConfig(places.config, Object.keys(channels).length === 1 ? ['channels'] : ['channels', name], undefined)
  const shared = new Set(Object.entries(channels).flatMap(([other, entry]) => (other === name ? [] : listVariables(entry))))
  const dropped = variables.filter((variable) => !shared.has(variable) && dropSecret(places.data, variable))
  const forgotten = dropped.length > 0 ? dropped.join(', ') : null
  terminal.result({ name, file: places.config, forgotten }, () =>
    terminal.words.messages.channelRemoved(name, shortPath(places.config, terminal.cwd)),
  )
}

/** Variables that an account takes its secrets from. */
const listVariables = (entry: Record<string, unknown> | null | undefined): string[] =>
  Object.values(entry ?? {}).flatMap((value) => /^\$\{([A-Z_][A-Z0-9_]*)\}$/.exec(typeof value === 'string' ? value : '')?.[1] ?? [])
