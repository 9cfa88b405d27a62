import { ParleyError } from '../../errors.ts'
import { checkPlugin } from './check-plugin.ts'
import { configDifference, type Difference } from './config-difference.ts'
import { type ProjectFiles, readEntry } from './plugin-entry.ts'
import { findRecord, writeRecord } from './plugin-records.ts'

export type UpgradeDifference = {
  name: string
  /** The version that was seen before; null when there is no record. */
  before: string | null
  after: string
  difference: Difference[]
}

/** Compares the settings in parley.yaml with the version that npm has installed by now. parley.yaml is never written. */
export async function upgradeDifference(
  name: string,
  { configFile, dataDir }: ProjectFiles,
  { isDryRun }: { isDryRun: boolean },
): Promise<UpgradeDifference> {
  const entry = readEntry(configFile, name)
  if (!entry) throw new ParleyError('plugin_not_found', { plugin: name })
  const checked = await checkPlugin({ name, ...entry, configFile, dataDir })
  const fault = checked.ok ? checked.configFault : checked.fault
  if (!checked.ok || fault !== null)
    throw new ParleyError('plugin_unusable', { plugin: name, why: (fault ?? '').replace(/(?<![.\s])[.\s]+$/, '') })
  const { version, defaults } = checked
  const before = findRecord(dataDir, name)
  if (!isDryRun) writeRecord(dataDir, { name, version, defaults })
  return {
    name,
    before: before?.version ?? null,
    after: version,
    difference: configDifference(defaults, entry.config, before?.defaults ?? null),
  }
}
