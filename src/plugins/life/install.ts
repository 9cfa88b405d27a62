import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { getInConfig, setInConfig } from '../../config/edit.ts'
import { ParleyError } from '../../errors.ts'
import { builtIn, installFolder, isPath } from '../find-module.ts'
import { type Checked, checkPlugin } from './check-plugin.ts'
import { fetchPackage } from './fetch-package.ts'
import { digestOf, hashOf, type InstallRecord, keepRecord } from './install-records.ts'

/** Which Parley this is about. `cwd`: what a typed path is relative to. */
export type Where = { cwd: string; configFile: string; dataDir: string }

export type Usable = Extract<Checked, { ok: true }>

/** A plugin that was looked at, with where its code is and where it is to be. `settle` puts it there; `discard` takes it away. */
export type Candidate = {
  checked: Usable
  module: string | undefined
  integrity: string | null
  settle(name: string): void
  discard(): void
}

export type Installed = { record: InstallRecord; entry: Record<string, unknown>; checked: Usable }

/** Brings a plugin here and writes its entry into parley.yaml, where comments and order stay. */
export async function installPlugin(from: string, where: Where, at: string): Promise<Installed> {
  const { configFile, dataDir } = where
  const candidate = await candidateFrom(from, where, {})
  const { checked, module, integrity } = candidate
  const { name, version } = checked
  try {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      throw new ParleyError('plugin_unusable', { plugin: from, why: `its name "${name}" cannot be a name in parley.yaml` })
    if (entryOf(configFile, name) !== undefined) throw new ParleyError('plugin_there', { plugin: name, file: configFile })
    candidate.settle(name)
    const entry = module === undefined ? {} : { module }
    setInConfig(configFile, ['plugins', name], entry)
    const record = { name, version, from: originOf(from, where), integrity, configHash: hashOf(entry), at }
    keepRecord(dataDir, record)
    return { record, entry, checked }
  } catch (error) {
    candidate.discard()
    throw error
  }
}

/** Its entry in parley.yaml as it is written; undefined without one. */
export function entryOf(configFile: string, name: string): Record<string, unknown> | undefined {
  const entry = getInConfig(configFile, ['plugins', name])
  return entry === undefined ? undefined : typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {}
}

export const configIn = (entry: Record<string, unknown> | undefined): Record<string, unknown> => {
  const config = entry?.['config']
  return typeof config === 'object' && config !== null ? (config as Record<string, unknown>) : {}
}

/** Fetches what has to be fetched, and lets it show itself in a process of its own. */
export async function candidateFrom(from: string, where: Where, config: Record<string, unknown>): Promise<Candidate> {
  const { configFile, dataDir, cwd } = where
  const look = async (name: string, module: string | undefined): Promise<Usable> => {
    const checked = await checkPlugin({ name, module, config, configFile, dataDir })
    if (!checked.ok) throw new ParleyError('plugin_unusable', { plugin: from, why: checked.fault.replace(/(?<![.\s])[.\s]+$/, '') })
    return checked
  }
  const nothing = { settle: () => {}, discard: () => {} }
  if (Object.hasOwn(builtIn, from)) return { checked: await look(from, undefined), module: undefined, integrity: null, ...nothing }
  if (isLocal(from)) {
    const target = resolve(cwd, from)
    if (!existsSync(target)) throw new ParleyError('plugin_unusable', { plugin: from, why: 'there is no such file or folder' })
    return { checked: await look('plugin', target), module: beside(configFile, target), integrity: digestOf(target), ...nothing }
  }
  const incoming = join(dataDir, 'plugins', `.incoming-${process.pid}`)
  const discard = (): void => rmSync(incoming, { recursive: true, force: true })
  try {
    const { package: module, integrity } = await fetchPackage(from, incoming, cwd)
    const checked = await look('plugin', join(resolve(incoming), 'node_modules', module))
    return { checked, module, integrity, discard, settle: (name) => moveIn(incoming, installFolder(dataDir, name)) }
  } catch (error) {
    discard()
    throw error
  }
}

/** A tarball is a package on the disk; anything else that looks like a path is used where it is. */
const isLocal = (from: string): boolean => isPath(from) && !/\.(tgz|tar\.gz)$/.test(from)

export const originOf = (from: string, { configFile, cwd }: Where): string =>
  Object.hasOwn(builtIn, from) ? 'Parley' : isPath(from) ? beside(configFile, resolve(cwd, from)) : from

/** As it is written in parley.yaml. */
function beside(configFile: string, target: string): string {
  const path = relative(dirname(resolve(configFile)), target)
    .split(sep)
    .join('/')
  return path.startsWith('../') ? path : `./${path}`
}

/** Whole or not at all: whoever loads it meanwhile finds the old one or the new one. */
function moveIn(incoming: string, target: string): void {
  const old = `${target}.old-${process.pid}`
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  if (existsSync(target)) renameSync(target, old)
  renameSync(incoming, target)
  rmSync(old, { recursive: true, force: true })
}
