import { existsSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { setInConfig } from '../../app/config/edit.ts'
import { ParleyError } from '../../errors.ts'
import { builtIn, findModule, isPath } from '../host/find-module.ts'
import { type Checked, checkPlugin } from './check-plugin.ts'
import { type ProjectFiles, readEntry } from './plugin-entry.ts'
import { writeRecord } from './plugin-records.ts'

type UsablePlugin = Extract<Checked, { ok: true }>

/**
 * Enables a plugin in parley.yaml, where comments and order stay. `from` is a name in parley.yaml, the name of a plugin that
 * comes with Parley, a path, or a package that npm has installed beside parley.yaml.
 */
export async function enablePlugin(from: string, files: ProjectFiles): Promise<UsablePlugin & { module: string | undefined }> {
  const { configFile, dataDir } = files
  const { name: nameBefore, module, config } = findPlugin(from, files)
  const checked = await checkPlugin({ name: nameBefore, module, config, configFile, dataDir })
  if (!checked.ok) throw new ParleyError('plugin_unusable', { plugin: from, why: checked.fault.replace(/(?<![.\s])[.\s]+$/, '') })
  const { name, version, defaults } = checked
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
    throw new ParleyError('plugin_unusable', { plugin: from, why: `its name "${name}" cannot be a name in parley.yaml` })
  const entry = readEntry(configFile, name)
  if (entry && entry.module !== module) throw new ParleyError('plugin_there', { plugin: name, file: configFile })
  if (entry) setInConfig(configFile, ['plugins', name, 'enabled'], true)
  else setInConfig(configFile, ['plugins', name], module === undefined ? {} : { module })
  writeRecord(dataDir, { name, version, defaults })
  return { ...checked, module }
}

function findPlugin(
  from: string,
  { cwd, configFile, dataDir }: ProjectFiles,
): { name: string; module: string | undefined; config: Record<string, unknown> } {
  const entry = readEntry(configFile, from)
  if (entry) return { name: from, ...entry }
  if (Object.hasOwn(builtIn, from)) return { name: from, module: undefined, config: {} }
  if (isPath(from) && !/\.(tgz|tar\.gz)$/.test(from)) {
    const target = resolve(cwd, from)
    if (!existsSync(target)) throw new ParleyError('plugin_unusable', { plugin: from, why: 'there is no such file or folder' })
    return { name: 'plugin', module: toConfigPath(configFile, target), config: {} }
  }
  const module = withoutVersion(from)
  if (isPath(from) || 'fault' in findModule(module, module, { configFile, dataDir }))
    throw new ParleyError('plugin_not_fetched', { plugin: from, why: 'npm has not installed it beside parley.yaml' })
  return { name: module, module, config: {} }
}

/** `@scope/name@1.2.3` without the version. */
function withoutVersion(name: string): string {
  const at = name.lastIndexOf('@')
  return at > 0 && !name.includes('/', at) ? name.slice(0, at) : name
}

/** A path as parley.yaml has it: relative to its folder. */
function toConfigPath(configFile: string, target: string): string {
  const path = relative(dirname(resolve(configFile)), target).split(sep)
  return path[0] === '..' ? path.join('/') : ['.', ...path].join('/')
}
