import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isScalar, parseDocument, stringify } from 'yaml'
import { ParleyError } from '../../errors.ts'
import { isRecord } from '../../shapes/record.ts'
import { readConfig } from './load.ts'
import type { Problem } from './problem.ts'
import { writeFileAtomic } from './write-file-atomic.ts'

/** `team.members.ada`, or the same as a list where a name has a dot in it. */
export type ConfigPath = string | readonly string[]

const toKeys = (path: ConfigPath): string[] => (typeof path === 'string' ? path.split('.') : [...path])

/** `undefined` takes the value out. */
export type ConfigChange = { path: ConfigPath; value: unknown }

/**
 * Changes one value and keeps everything else as its author wrote it, comments and order included. `undefined` takes the
 * value out. Refused, and nothing written, if the file would then have a problem it did not have before.
 */
export function setInConfig(file: string, path: ConfigPath, value: unknown): void {
  const { before, write } = openConfig(file)
  const after = changeConfigText(before, file, [{ path, value }])
  if (after !== before) write(after)
}

/** The text of the file, empty where there is none, and how to replace it whole. */
export function openConfig(file: string): { before: string; write(text: string): void } {
  const target = existsSync(file) ? realpathSync(file) : file
  return { before: existsSync(target) ? readFileSync(target, 'utf8') : '', write: (text) => writeConfig(target, text) }
}

/** The settings in the text, with variables unfilled; empty for a text that is no YAML. */
export function readWritten(text: string): Record<string, unknown> {
  const document = parseDocument(text)
  const raw: unknown = document.errors.length > 0 ? {} : document.toJS()
  return isRecord(raw) ? raw : {}
}

/** The text with these changes, one after the other. Throws in words where it would have a problem it did not have before. */
export function changeConfigText(before: string, file: string, changes: readonly ConfigChange[]): string {
  const after = changes.reduce((text, { path, value }) => changeText(text, file, toKeys(path), value), before)
  const knownProblems = new Set(listProblems(before, file).map(identity))
  const fresh = listProblems(after, file).find((problem) => !knownProblems.has(identity(problem)))
  if (fresh)
    throw new ParleyError('config_invalid', {
      file,
      where: fresh.path,
      why: fresh.why.replace(/\.$/, '').replace(/; "[^"]*" is skipped$/, ''),
    })
  return after
}

function changeText(before: string, file: string, keys: readonly string[], value: unknown): string {
  const document = parseDocument(before)
  if (document.errors.length > 0) readConfig(before, file, {})
  if (!isMap(document.contents)) document.contents = document.createNode({}) as unknown as typeof document.contents
  if (value === undefined) document.deleteIn(keys)
  else setIn(document, keys, value)
  return inPlace(before, keys, value, document) ?? document.toString({ lineWidth: 0 })
}

function setIn(document: Document, keys: readonly string[], value: unknown): void {
  // "team:" without anything under it is null, which takes no keys.
  for (let length = 1; length < keys.length; length += 1) {
    if (!isMap(document.getIn(keys.slice(0, length), true))) document.setIn(keys.slice(0, length), document.createNode({}))
  }
  const old: unknown = document.getIn(keys, true)
  // A scalar is changed in place, so that the comment behind it stays.
  if (isScalar(old) && (value === null || typeof value !== 'object')) old.value = value
  else document.setIn(keys, document.createNode(value))
}

/** Printing a document moves spaces about, so a plain value is exchanged in the text itself where that comes to the same. */
function inPlace(before: string, keys: readonly string[], value: unknown, wanted: Document): string | null {
  const old: unknown = parseDocument(before).getIn(keys, true)
  if (!isScalar(old) || !old.range || value === undefined || typeof value === 'object') return null
  const text = before.slice(0, old.range[0]) + stringify(value).trimEnd() + before.slice(old.range[1])
  const read = parseDocument(text)
  return read.errors.length === 0 && isDeepStrictEqual(read.toJS(), wanted.toJS()) ? text : null
}

/** The value as written, with variables unfilled; `undefined` if there is none. */
export function getInConfig(file: string, path: ConfigPath): unknown {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  readConfig(text, file, {})
  const root: unknown = parseDocument(text).toJS()
  return toKeys(path).reduce<unknown>((value, key) => {
    if (key === '') return value
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  }, root)
}

/** The password in an address, unless it is a variable. The lengths are bounded so that the search takes linear time. */
const maskUrl = (text: string): string => text.replace(/(:\/\/[^\s:@/]{0,256}:)(?!\$\{[A-Z_][A-Z0-9_]*\}@)[^\s@]{1,256}@/g, '$1••••••@')

/** For showing: secrets that were written down instead of named by a variable become dots. */
export function maskSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return /key|secret|token|password|authorization/i.test(key) && !/^\$\{[A-Z_][A-Z0-9_]*\}$/.test(value) ? '••••••' : maskUrl(value)
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, maskSecrets(item, inner)]))
}

/** A variable may have another value, or any at all, where the server runs: what it fills is not judged here. */
function listProblems(text: string, file: string): Problem[] {
  const everySet = new Proxy<Record<string, string>>({}, { get: () => 'x'.repeat(40) })
  const written = parseDocument(text)
  return readConfig(text, file, everySet).problems.filter(({ path }) => !String(written.getIn(path.split('.'))).includes('${'))
}

const identity = ({ path, why }: Problem): string => `${path}\0${why}`

/** A configuration may hold a key, so a new file is for its owner only. */
function writeConfig(file: string, text: string): void {
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600
  try {
    writeFileAtomic(file, text, mode)
  } catch (error) {
    throw new ParleyError(
      'config_unreadable',
      { file, why: `it could not be written (${(error as NodeJS.ErrnoException).code ?? 'failed'})` },
      { cause: error },
    )
  }
}
