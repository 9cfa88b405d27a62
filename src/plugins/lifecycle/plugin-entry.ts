import { getInConfig } from '../../app/config/edit.ts'
import { isRecord } from '../../shapes/record.ts'

/** Files of one Parley. A typed path is relative to `cwd`. */
export type ProjectFiles = { cwd: string; configFile: string; dataDir: string }

/** A plugin in parley.yaml. */
export type PluginEntry = { module: string | undefined; config: Record<string, unknown> }

/** Null without an entry. */
export function readEntry(configFile: string, name: string): PluginEntry | null {
  const entry = getInConfig(configFile, ['plugins', name])
  if (entry === undefined) return null
  const { module, config } = isRecord(entry) ? entry : {}
  return { module: typeof module === 'string' ? module : undefined, config: isRecord(config) ? config : {} }
}
