import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Layout } from '../../authority/subjects/protected-paths.ts'
import type { Config } from '../../app/config/schema.ts'
import { realPath } from './inside.ts'
import { isInside } from './is-inside.ts'

export const protectionLimits = { moduleFiles: 500, moduleBytes: 1_000_000 } as const

type InUse = {
  /** The configuration file; its folder is the project. */
  file: string
  /** The data folder in use, wherever `--data` or PARLEY_DATA put it. */
  dataDir: string
  config: Pick<Config, 'team' | 'plugins'>
}

/** Protected paths of a project: data and configuration in use, and all code that the server or an agent runs. */
export function projectProtection({ file, dataDir, config }: InUse): Layout {
  const folder = dirname(resolve(file))
  const root = realPathOrSame(folder)
  const members = Object.values(config.team.members)
  const plugins = Object.values(config.plugins).flatMap(({ module }) => (module !== undefined && isPath(module) ? [module] : []))
  const scripted = members.flatMap((member) => (member.runtime === 'scripted' && member.module !== undefined ? [member.module] : []))
  const modules = [...scripted, ...plugins].flatMap((module) => moduleFiles(resolve(folder, module)))
  const scripts = members.flatMap((member) =>
    member.runtime === 'command' ? findScripts(member.command ?? [], resolve(folder, member.cwd ?? '.')) : [],
  )
  const loads = [fileURLToPath(new URL('.', import.meta.url)), root, ...modules.map((module) => dirname(module))].flatMap(foldersAbove)
  // One that does not exist yet would be loaded from as well, before those in folders above.
  const libraries = loads
    .map((above) => join(above, 'node_modules'))
    .filter(
      (path) =>
        existsSync(path) || modules.some((module) => isInside(dirname(path), module) && isInside(root, module) && isInside(root, path)),
    )
  return {
    root: withSlashes(root),
    hidden: bothNames([resolve(dataDir), join(root, basename(file)), resolve(file), join(root, '.minds')]),
    fixed: bothNames([...modules, ...scripts, ...libraries]),
    foldsCase: foldsCase(root),
  }
}

const isPath = (module: string): boolean => /^\.{0,2}[\\/]|^\.{1,2}$/.test(module) || isAbsolute(module)

const bothNames = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, realPathOrSame(path)]).map(withSlashes)),
]

const withSlashes = (path: string): string => path.split(sep).join('/')

function realPathOrSame(path: string): string {
  try {
    return realPath(path)
  } catch {
    return path
  }
}

/** The files of a command that an interpreter or the system runs: arguments that name a file, also as `--option=file`. */
export function findScripts(command: readonly string[], cwd: string): string[] {
  return command
    .flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
    .filter((word) => word !== '' && !word.startsWith('-') && word.length <= 1_000 && !word.includes('\0'))
    .map((word) => resolve(cwd, word))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}

/**
 * A module with the source files it names by a relative path, and theirs. Any quoted relative path counts, imported or
 * not: a file too many is only one that agents cannot change. A folder counts as a whole.
 */
function moduleFiles(entry: string): string[] {
  const files = new Set<string>()
  const open = [entry]
  for (let path = open.pop(); path !== undefined && files.size < protectionLimits.moduleFiles; path = open.pop()) {
    if (files.has(path)) continue
    const stat = statSync(path, { throwIfNoEntry: false })
    if (path !== entry && !stat?.isFile()) continue
    files.add(path)
    if (!stat?.isFile() || stat.size > protectionLimits.moduleBytes) continue
    for (const [, name = ''] of readText(path).matchAll(/["'`](\.{1,2}\/[^"'`\n]{1,500})["'`]/g)) {
      const target = resolve(dirname(path), name)
      open.push(...endings.map((ending) => target + ending).filter((file) => sourceFile.test(file)))
    }
  }
  return [...files]
}

const endings = ['', '.js', '.ts', '.mjs', '.cjs', '/index.js', '/index.ts']
const sourceFile = /\.[cm]?[jt]sx?$/

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function foldersAbove(folder: string): string[] {
  const all = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) all.push(dirname(at))
  return all
}

/** Looks for the folder under its name in the other case; the same folder means that case does not count. */
function foldsCase(folder: string): boolean {
  const other = folder === folder.toUpperCase() ? folder.toLowerCase() : folder.toUpperCase()
  const [here, there] = [folder, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return other !== folder && here !== undefined && here.ino === there?.ino && here.dev === there.dev
}
