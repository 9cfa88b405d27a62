import { rmSync } from 'node:fs'
import { setInConfig } from '../../config/edit.ts'
import { ParleyError } from '../../errors.ts'
import { installFolder } from '../find-module.ts'
import { entryOf, type Where } from './install.ts'
import { dropRecord, installRecords } from './install-records.ts'

/** `disable` leaves all and does not load it; `keep-config` takes the code; `all` takes its entry in parley.yaml as well. */
export type Removal = 'disable' | 'keep-config' | 'all'

/**
 * A plugin that lives in the owner's own folder keeps its files: they were never ours. What it wrote into the store stays
 * in the log in any case.
 */
export function removePlugin(name: string, how: Removal, { configFile, dataDir }: Where): void {
  const entry = entryOf(configFile, name)
  const isInstalled = installRecords(dataDir).some((record) => record.name === name)
  if (entry === undefined && !isInstalled) throw new ParleyError('plugin_not_found', { plugin: name })
  // First out of parley.yaml, so that nobody looks for code that is gone.
  if (entry !== undefined && how === 'all') setInConfig(configFile, ['plugins', name], undefined)
  else if (entry !== undefined) setInConfig(configFile, ['plugins', name, 'enabled'], false)
  if (how === 'disable' || !isInstalled) return
  rmSync(installFolder(dataDir, name), { recursive: true, force: true })
  dropRecord(dataDir, name)
}
