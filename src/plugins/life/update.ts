import { dirname, resolve } from 'node:path'
import { ParleyError } from '../../errors.ts'
import { isPath } from '../find-module.ts'
import { checkPlugin } from './check-plugin.ts'
import { configDifference, type Difference } from './config-difference.ts'
import { type Candidate, candidateFrom, configIn, entryOf, originOf, type Where } from './install.ts'
import { hashOf, installRecords, type InstallRecord, keepRecord } from './install-records.ts'

export type Updated = {
  before: InstallRecord
  after: InstallRecord
  difference: Difference[]
  /** Somebody has changed its entry since it was installed or last updated. */
  isConfigChanged: boolean
  isSame: boolean
  isDone: boolean
}

/**
 * Exchanges the code of one plugin and its install record. parley.yaml is read and never written: what the new version
 * would like to have there is the answer, and the owner's decision.
 */
export async function updatePlugin(
  name: string,
  where: Where,
  { from, dryRun, at }: { from?: string | undefined; dryRun: boolean; at: string },
): Promise<Updated> {
  const { configFile, dataDir, cwd } = where
  const before = installRecords(dataDir).find((record) => record.name === name)
  const entry = entryOf(configFile, name)
  if (!before || !entry) throw new ParleyError('plugin_not_found', { plugin: name })
  const config = configIn(entry)
  const module = typeof entry['module'] === 'string' ? entry['module'] : undefined
  const current = await checkPlugin({ name, module, config, configFile, dataDir })
  const source = from ?? sourceOf(before, module)
  // A path in the record is relative to parley.yaml, a typed one to where it was typed.
  const base = from === undefined ? { ...where, cwd: folderOf(configFile) } : { ...where, cwd }
  const candidate = await candidateFrom(source, base, config)
  const { checked } = candidate
  const after: InstallRecord = {
    ...before,
    version: checked.version,
    ...(from !== undefined && { from: originOf(from, where) }),
    integrity: candidate.integrity,
    configHash: hashOf(entry),
    at,
  }
  const fault = whyNot(candidate, name)
  const isDone = !dryRun && fault === null
  if (isDone) {
    candidate.settle(name)
    keepRecord(dataDir, after)
  } else candidate.discard()
  if (fault !== null) throw new ParleyError('plugin_unusable', { plugin: `${name} ${checked.version}`, why: fault })
  return {
    before,
    after,
    difference: configDifference(checked.defaults, config, current.ok ? current.defaults : null),
    isConfigChanged: before.configHash !== after.configHash,
    isSame: before.version === after.version && before.integrity === after.integrity,
    isDone,
  }
}

const folderOf = (file: string): string => dirname(resolve(file))

/** The newest of a package, whatever version was asked for then; the same place for a path. */
const sourceOf = ({ name, from }: InstallRecord, module: string | undefined): string =>
  from === 'Parley' ? name : isPath(from) ? from : `${module ?? from}@latest`

const whyNot = ({ checked }: Candidate, name: string): string | null => {
  if (checked.name !== name) return `it calls itself "${checked.name}"`
  return checked.configFault === null ? null : `${checked.configFault.replace(/(?<![.\s])[.\s]+$/, '')}. Change it in parley.yaml first`
}
