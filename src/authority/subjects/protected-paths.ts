import { foldCase } from '../glob.ts'
import type { PathName, Protection } from './subject.ts'

/**
 * Row 2 of the gate as data. Hidden: never read, never written. Fixed: never written by file tools and redirections. No rule
 * and no grant lifts either. Names are compared in lower case on every disk.
 */
export const hiddenNames = {
  /** Whole names of a folder or file, anywhere in a path. */
  exact: [
    'parley.yaml',
    'parley.yml',
    '.minds',
    '.npmrc',
    '.netrc',
    '.git-credentials',
    '.ssh',
    '.aws',
    '.kube',
    // Closed to file tools since 0.1, for the same reason: they hold keys and are never source code.
    '.gnupg',
    '.azure',
    '.docker',
    '.pgpass',
    '.pypirc',
    '.htpasswd',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
  ],
  prefixes: ['.env'],
  suffixes: ['.tsk', '.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk'],
  /** Names that begin and end like this. */
  framed: [['service-account', '.json']],
  /** Several names in a row. */
  nested: [['.config', 'gcloud']],
} as const

export const fixedNames: readonly string[] = ['.git']

/** What only this installation knows. Paths are relative to the project, or absolute. */
export type Layout = {
  /** Real path of the project folder, with `/` between names. */
  root: string
  foldsCase: boolean
  /** The data folder in use, the configuration file, wherever they are. */
  hidden: readonly string[]
  /** Modules and scripts of agents and plugins, and every `node_modules` the server loads from. */
  fixed: readonly string[]
}

/** The strictest protection of any of the names. */
export function protectionOf(names: readonly PathName[], layout: Layout): Protection | null {
  const { hidden, fixed } = comparableFolders(layout)
  let isFixed = false
  for (const name of names) {
    const parts = nameParts(name.inside ?? name.absolute)
    const whole = name.inside === null ? parts.join('/') : comparable(name.absolute)
    if (isHiddenByName(parts) || isBelowAny(whole, hidden)) return 'hidden'
    isFixed ||= parts.some((part) => fixedNames.includes(part)) || isBelowAny(whole, fixed)
  }
  return isFixed ? 'fixed' : null
}

const exactNames: ReadonlySet<string> = new Set(hiddenNames.exact)

/** Names inside the project are judged from its folder on, so a project in a folder called `.ssh` still works. */
function isHiddenByName(parts: readonly string[]): boolean {
  const { prefixes, suffixes, framed, nested } = hiddenNames
  return parts.some(
    (part, at) =>
      exactNames.has(part) ||
      prefixes.some((prefix) => part.startsWith(prefix)) ||
      suffixes.some((suffix) => part.endsWith(suffix)) ||
      framed.some(([start, end]) => part.startsWith(start) && part.endsWith(end)) ||
      nested.some((row) => row.every((one, distance) => parts[at + distance] === one)),
  )
}

/** Windows ignores dots and spaces at the end of a name, and everything behind a colon. */
function nameParts(path: string): string[] {
  const parts = foldCase(path).split('/')
  return parts.flatMap((part) => {
    const plain = /[:. ]/.test(part) && part !== '.' ? part.replace(/:.*$/s, '').replace(/(?<![. ])[. ]+$/, '') : part
    return plain === '' || plain === '.' ? [] : [plain]
  })
}

const comparable = (path: string): string => nameParts(path).join('/')

const isBelowAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/'))

type Folders = { hidden: readonly string[]; fixed: readonly string[] }

/** A layout is made once and asked for every path. */
const prepared = new WeakMap<Layout, Folders>()

function comparableFolders(layout: Layout): Folders {
  const known = prepared.get(layout)
  if (known) return known
  const absolute = (path: string): string => comparable(path.startsWith('/') || /^[a-zA-Z]:/.test(path) ? path : `${layout.root}/${path}`)
  const folders = { hidden: layout.hidden.map(absolute), fixed: layout.fixed.map(absolute) }
  prepared.set(layout, folders)
  return folders
}
