import { rmSync } from 'node:fs'
import { setInConfig } from '../../app/config/edit.ts'
import { ParleyError } from '../../errors.ts'
import { installFolder } from '../host/find-module.ts'
import { type ProjectFiles, readEntry } from './plugin-entry.ts'
import { removeRecord } from './plugin-records.ts'

/**
 * Disables a plugin. `withSettings` removes its entry from parley.yaml as well, and the code that an older release had
 * fetched into the data folder. Packages of npm and folders of the owner stay.
 */
export function disablePlugin(name: string, { configFile, dataDir }: ProjectFiles, { withSettings }: { withSettings: boolean }): void {
  if (!readEntry(configFile, name)) throw new ParleyError('plugin_not_found', { plugin: name })
  if (!withSettings) return setInConfig(configFile, ['plugins', name, 'enabled'], false)
  setInConfig(configFile, ['plugins', name], undefined)
  rmSync(installFolder(dataDir, name), { recursive: true, force: true })
  removeRecord(dataDir, name)
}
