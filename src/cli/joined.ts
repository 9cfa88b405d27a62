import { getInConfig } from '../app/config/edit.ts'
import type { JoinedHost } from '../app/joined-host.ts'
import type { Store } from '../ports/store.ts'
import { UsageError } from './fault.ts'
import { configFile, listPlaces } from './places.ts'
import type { Terminal } from './terminal.ts'

/** The world host that parley.yaml names; null if it names none. */
export function readWorldHost(terminal: Terminal): { file: string; url: string | null } {
  const file = configFile(terminal)
  const url = getInConfig(file, 'worlds.host')
  return { file, url: typeof url === 'string' ? url : null }
}

/** Keys and records of the accounts at the host that parley.yaml names. */
export async function withWorldHost<Value>(
  terminal: Terminal,
  work: (joined: JoinedHost & { store: Store }) => Promise<Value>,
): Promise<Value> {
  const { file, url } = readWorldHost(terminal)
  if (url === null) throw new UsageError(terminal.words.wire.notJoined, 'parley worlds join ADDRESS')
  const { data } = await listPlaces(terminal, file)
  const [{ withJoined }, { findStorePlace }] = await Promise.all([import('../app/joined-host.ts'), import('./store-place.ts')])
  return withJoined({ url, dataDir: data, place: await findStorePlace(terminal, undefined) }, work)
}
