import type { ProjectFiles } from '../plugins/lifecycle/plugin-entry.ts'
import { listPlaces } from './places.ts'
import type { Terminal } from './terminal.ts'

/** The files of this folder's Parley that plugin commands read and write. */
export async function pluginPlaces(terminal: Terminal): Promise<ProjectFiles> {
  const { config, data } = await listPlaces(terminal)
  return { cwd: terminal.cwd, configFile: config, dataDir: data }
}
