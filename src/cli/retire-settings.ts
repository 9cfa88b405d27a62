import { dirname, join, resolve } from 'node:path'
import { listPlaces } from './places.ts'
import { withSecrets } from '../app/config/secrets-file.ts'
import type { Terminal } from './terminal.ts'

/** `store.retire` of parley.yaml. Files are in the folder that is given, else that of parley.yaml, else in the data folder. */
export async function findRetireSettings(
  terminal: Terminal,
  folder: string | undefined,
): Promise<{ folder: string; afterDays: number | undefined }> {
  const places = await listPlaces(terminal)
  const { loadConfig } = await import('../app/config/load.ts')
  const { config } = loadConfig(places.config, { optional: true, env: withSecrets(terminal.env, places.data) })
  const { retire } = config.store
  if (folder !== undefined) return { folder: resolve(terminal.cwd, folder), afterDays: retire?.afterDays }
  return { folder: resolve(dirname(places.config), retire?.folder ?? join(places.data, 'retired')), afterDays: retire?.afterDays }
}
