import { createHash } from 'node:crypto'
import { constants, readdirSync, type Stats, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { matchGlob, parseGlob } from '../../authority/glob.ts'
import { printers, readCode } from '../../authority/subjects/command-code.ts'
import type { CommandReading } from '../../authority/subjects/read-command.ts'
import { baseName } from '../../authority/subjects/shell-programs.ts'
import type { CommandWord, RunSubject } from '../../authority/subjects/subject.ts'

/** `bytes` of one file and `totalBytes` of all are hashed. `names` are looked up, in `folders` each. */
export const scriptLimits = { bytes: 20_000_000, totalBytes: 60_000_000, files: 100, names: 1_000, folders: 8, nameChars: 1_000 } as const

type NamedFile = { path: string; isLarge: boolean }

/**
 * Files that the words of a command name, by the name the command has for them. `isCertain`: all code that it runs is in
 * these files or in its own words, and every one of them can be hashed.
 */
export type CommandFiles = { files: ReadonlyMap<string, NamedFile>; isCertain: boolean }

/**
 * Any of the words may be a script, a module or data that a script reads, and only the program knows which. So all of them are
 * looked up, together with the files of `<`, in the folder of the call and in those that the command changes to.
 */
export function findCommandFiles({ runs, files: redirected, changesFolder }: CommandReading, folder: string): CommandFiles {
  const { folders, areKnown } = findFolders(runs, folder)
  const code = runs.map(({ words }) => readCode(words))
  const names = new Set<string>()
  if (!runs.every(isPrinter))
    for (const { words } of runs) for (const word of words) for (const name of listNames(word, folder)) names.add(name)
  const inputs = redirected.filter(({ access }) => access === 'read')
  for (const { path } of inputs) names.add(path)
  const scripts = code.flatMap(({ files }) => files.map(({ path }) => path))
  for (const path of [...scripts, ...runs.flatMap(findPythonModules)]) for (const ending of moduleEndings) names.add(`${path}${ending}`)

  const files = new Map<string, NamedFile>()
  let totalBytes = 0
  // The input of a program is not in its words, so that a scope made of them would allow any other input.
  let isCertain = areKnown && inputs.length === 0 && code.every(({ isKnown }) => isKnown) && names.size <= scriptLimits.names
  for (const name of [...names].slice(0, scriptLimits.names))
    for (const from of isAbsolute(name) ? [folder] : folders) {
      const path = resolve(from, name)
      const stat = isOfSystem(path) ? null : statFile(path)
      if (!stat) continue
      if (files.size >= scriptLimits.files) return { files: files, isCertain: false }
      totalBytes += stat.size
      const isLarge = stat.size > scriptLimits.bytes || totalBytes > scriptLimits.totalBytes
      if (isLarge) isCertain = false
      files.set(from === folder ? name : relative(folder, path), { path, isLarge })
    }
  isCertain &&= scripts.every((name) => files.has(name) && !(changesFolder && !isAbsolute(name)))
  return { files: files, isCertain }
}

/** A command of printers alone is bound to no file: an approval to look at a log that grows would never hold. */
const isPrinter = ({ words: [program] }: RunSubject): boolean => program?.isLiteral === true && printers.has(program.value)

/** Their content changes all the time. */
const isOfSystem = (path: string): boolean => /^\/(?:proc|sys|dev)\//.test(path)

/** A large file is compared by its size and time only. */
export async function hashFiles(files: CommandFiles['files']): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const [name, { path, isLarge }] of files) {
    const hash = isLarge ? sizeAndTime(path) : await fileHash(path)
    if (hash !== null) hashes[name] = hash
  }
  return hashes
}

/** The folder of the call, and those that the command changes to. Not known: a folder that a variable names. */
function findFolders(runs: readonly RunSubject[], folder: string): { folders: string[]; areKnown: boolean } {
  const folders = new Set([folder])
  let last = folder
  let areKnown = true
  for (const { words } of runs) {
    const program = baseName(words[0]?.value ?? '')
    if (program === 'cd' || program === 'pushd' || program === 'popd') {
      const target = words.slice(1).find(({ value }) => !/^-./.test(value))
      const name = target && target.value !== '-' ? literalValue(target, last) : null
      if (program === 'popd' || name === null) areKnown = false
      else folders.add((last = resolve(last, name)))
    }
    for (const [at, { value }] of words.entries()) {
      const [, attached] = /^(?:-C|--chdir|--directory|--prefix|--cwd)(?:=(.*))?$/s.exec(value) ?? [null, null]
      if (attached === null) continue
      const next = words[at + 1]
      const name = attached ?? (next ? literalValue(next, last) : null)
      if (name === null) areKnown = false
      else folders.add(resolve(last, name))
    }
  }
  return { folders: [...folders].slice(0, scriptLimits.folders), areKnown: areKnown && folders.size <= scriptLimits.folders }
}

/** The word with `$PWD` filled in; null when bash would expand something else in it. */
function literalValue({ value, isLiteral }: CommandWord, folder: string): string | null {
  if (isLiteral) return value
  const filled = value.replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, folder)
  return filled === value || /[$`*?[\]{}~<>()\\]/.test(filled.slice(folder.length)) ? null : filled
}

/** The names of files that a word may hold: itself, the value of an option, and for a glob what it matches by now. */
function listNames(word: CommandWord, folder: string): string[] {
  const literal = literalValue(word, folder)
  if (literal === null) return expandGlob(word.value.replace(/^\$(?:PWD|\{PWD\})(?=\/)/, folder), folder)
  const parts = [
    literal,
    literal.slice(literal.indexOf('=') + 1),
    ...(/^(?:-[^-]|@)./s.test(literal) ? [literal.replace(/^(?:-.|@)/s, '')] : []),
  ]
  return parts.filter((name) => name !== '' && name.length <= scriptLimits.nameChars && !name.includes('\0'))
}

/** Files that match a glob in the last name of a path. */
function expandGlob(pattern: string, folder: string): string[] {
  const [parent, last] = [dirname(pattern), basename(pattern)]
  if (!/[*?]/.test(last) || /[$`*?[\]{}~<>()\\]/.test(`${parent}${last.replace(/[*?]/g, '')}`)) return []
  const glob = parseGlob(last.replace(/\*+/g, '*'))
  if ('fault' in glob) return []
  const prefix = pattern.slice(0, pattern.length - last.length)
  return listFolder(resolve(folder, parent))
    .filter((name) => matchGlob(glob, name, false) === 'yes')
    .map((name) => `${prefix}${name}`)
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Where an interpreter looks for `python3 -m x`, `python3 folder` and `node x`. */
const moduleEndings = ['', '.js', '.cjs', '.mjs', '.json', '.py', '/__main__.py', '/__init__.py', '/index.js', '/package.json'] as const

function findPythonModules({ words }: RunSubject): string[] {
  return words.flatMap(({ value }, at) => {
    const [, attached] = /^-[a-zA-Z]*m(.*)$/s.exec(value) ?? []
    const name = attached === '' ? words[at + 1]?.value : attached
    return name !== undefined && /^\w+(?:\.\w+)*$/.test(name) ? [name.replaceAll('.', '/')] : []
  })
}

function statFile(path: string): Stats | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? stat : null
  } catch {
    return null
  }
}

function sizeAndTime(path: string): string | null {
  const stat = statFile(path)
  return stat ? `${stat.size} ${stat.mtimeMs} ${stat.ino}` : null
}

/** Null when there is no such file. */
async function fileHash(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
  if (!file) return null
  try {
    if (!(await file.stat()).isFile()) return null
    const hash = createHash('sha256')
    // Bounded, because the file may grow meanwhile.
    for await (const part of file.createReadStream({ end: scriptLimits.bytes, autoClose: false })) hash.update(part as Buffer)
    return hash.digest('base64url')
  } catch {
    return null
  } finally {
    await file.close()
  }
}
