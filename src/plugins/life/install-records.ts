import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** What was installed, from where, and how it looked then. The only thing an update changes besides the code itself. */
export type InstallRecord = {
  name: string
  version: string
  /** `Parley`, a path, or a package as npm was asked for it. */
  from: string
  /** npm's own for a package, a digest of the files for a path, null for what comes with Parley. */
  integrity: string | null
  /** Of its entry in parley.yaml, to see later whether somebody has changed it since. */
  configHash: string
  at: string
}

const fileIn = (dataDir: string): string => join(dataDir, 'plugins', '.installed.json')

export function installRecords(dataDir: string): InstallRecord[] {
  if (!existsSync(fileIn(dataDir))) return []
  return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as InstallRecord[]
}

export function keepRecord(dataDir: string, record: InstallRecord): void {
  write(dataDir, [...installRecords(dataDir).filter(({ name }) => name !== record.name), record])
}

export function dropRecord(dataDir: string, name: string): void {
  const records = installRecords(dataDir)
  if (records.some((record) => record.name === name))
    write(
      dataDir,
      records.filter((record) => record.name !== name),
    )
}

function write(dataDir: string, records: readonly InstallRecord[]): void {
  const file = fileIn(dataDir)
  mkdirSync(join(dataDir, 'plugins'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(records, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.${process.pid}`, file)
}

/** The same for entries that say the same, in whatever order. */
export const hashOf = (entry: unknown): string =>
  `sha256-${createHash('sha256')
    .update(JSON.stringify(sorted(entry)) ?? '')
    .digest('base64')}`

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** Over the names and contents of all files of a plugin that lives in the owner's own folder. */
export function digestOf(target: string): string {
  const hash = createHash('sha256')
  for (const file of filesOf(target))
    hash
      .update(`${relative(target, file).split(sep).join('/')}\0`)
      .update(readFileSync(file))
      .update('\0')
  return `sha256-${hash.digest('base64')}`
}

function filesOf(target: string): string[] {
  if (statSync(target).isFile()) return [target]
  return readdirSync(target, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(join(target, entry.name)) : entry.isFile() ? [join(target, entry.name)] : []))
}
