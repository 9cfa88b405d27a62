import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isRole } from '../../authority/roles.ts'
import type { SectionName, TaskdocVersion, TaskdocWriter } from '../../ports/task-documents.ts'
import { writeWhole } from '../workspace/write-whole.ts'
import { hashContent } from './section.ts'

export const versionLimits = { versions: 100, versionsChars: 2_000_000 } as const

/** Beside the sections. No section has such a name, and agents have no access to it. */
export const versionFolder = '.versions'
const indexFile = 'index.json'

/** Where a file of the versions of one document is; throws when that is a link to another place. */
type Resolve = (file: string) => string

/** Versions of the sections of one document, the oldest first. A damaged list counts as an empty one. */
export function readVersions(resolve: Resolve): TaskdocVersion[] {
  try {
    const list: unknown = JSON.parse(readFileSync(resolve(`${versionFolder}/${indexFile}`), 'utf8'))
    return Array.isArray(list) ? list.filter(isVersion).slice(-versionLimits.versions) : []
  } catch {
    return []
  }
}

export function readVersionText(resolve: Resolve, version: string): string | null {
  const known = readVersions(resolve).find((one) => one.version === version)
  if (!known) return null
  try {
    return readFileSync(resolve(`${versionFolder}/${known.version}.txt`), 'utf8')
  } catch {
    return null
  }
}

/**
 * Records a text before it becomes the section: a crash in between leaves a version that never stood there, and no text is lost.
 * `before` is the text that is replaced; it joins the versions where it was not recorded, such as after an edit by hand.
 */
export function recordVersion(
  resolve: Resolve,
  section: SectionName,
  text: string,
  { at, by, before }: { at: number; by: TaskdocWriter; before: { text: string; at: number } | null },
): void {
  const known = readVersions(resolve)
  const last = findLast(known, section)
  const isLost = before !== null && last?.hash !== hashContent(before.text)
  const older = isLost ? [...known, writeText(resolve, section, before.text, before.at, null)] : known
  const list = withinLimits([...older, writeText(resolve, section, text, at, by)])
  writeWhole(resolve(`${versionFolder}/${indexFile}`), JSON.stringify(list))
  removeUnlisted(resolve, list)
}

export const findLast = (versions: readonly TaskdocVersion[], { category, selector }: SectionName): TaskdocVersion | undefined =>
  versions.findLast((one) => one.category === category && one.selector === selector)

/** The file is named after its text, so that the same text is stored once. */
function writeText(resolve: Resolve, section: SectionName, text: string, at: number, by: TaskdocWriter | null): TaskdocVersion {
  const { category, selector } = section
  const name = createHash('sha256')
    .update(`${category ?? ''}/${selector}\n${at}\n${text}`)
    .digest('hex')
    .slice(0, 32)
  writeWhole(resolve(`${versionFolder}/${name}.txt`), text)
  return { category, selector, at, by, version: name, hash: hashContent(text), chars: text.length }
}

/** The oldest versions go first; the newest one always stays. */
function withinLimits(versions: readonly TaskdocVersion[]): TaskdocVersion[] {
  let list = versions.slice(-versionLimits.versions)
  let chars = list.reduce((sum, one) => sum + one.chars, 0)
  while (list.length > 1 && chars > versionLimits.versionsChars) {
    chars -= list[0]?.chars ?? 0
    list = list.slice(1)
  }
  return list
}

function removeUnlisted(resolve: Resolve, list: readonly TaskdocVersion[]): void {
  const names = new Set([indexFile, ...list.map(({ version }) => `${version}.txt`)])
  const folder = resolve(versionFolder)
  for (const name of readdirSync(folder)) {
    // A draft of another process is not a version.
    if (/^[0-9a-f]{32}\.txt$/.test(name) && !names.has(name)) rmSync(resolve(`${versionFolder}/${name}`), { force: true })
  }
}

function isVersion(value: unknown): value is TaskdocVersion {
  const { category, selector, version, at, hash, chars, by } = (value ?? {}) as Partial<Record<keyof TaskdocVersion, unknown>>
  const isName = typeof selector === 'string' && (category === null || typeof category === 'string')
  const isText = typeof version === 'string' && /^[0-9a-f]{32}$/.test(version) && typeof hash === 'string' && typeof chars === 'number'
  return isName && isText && typeof at === 'number' && (by === null || isWriter(by))
}

function isWriter(value: unknown): value is TaskdocWriter {
  const { kind, name, role } = (value ?? {}) as Partial<Record<keyof TaskdocWriter, unknown>>
  return (kind === 'human' || kind === 'agent') && typeof name === 'string' && isRole(role)
}
