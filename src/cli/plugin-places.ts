import type { Where } from '../plugins/life/install.ts'
import { placesOf } from './places.ts'
import type { Terminal } from './terminal.ts'

/** Where the plugins of this folder's Parley are written down, and where their code is kept. */
export async function pluginPlaces(terminal: Terminal): Promise<Where> {
  const { config, data } = await placesOf(terminal)
  return { cwd: terminal.cwd, configFile: config, dataDir: data }
}
