import { foldCase } from '../glob.ts'
import type { PathName, Protection } from './subject.ts'

/**
 * Row 2 of the gate as data. Hidden: never read, never written. Fixed: never written by file tools and redirections. No rule
 * and no grant lifts either. Names are compared in lower case on every disk.
 */
export const hiddenNames = {
  /** Whole names of a folder or file, anywhere in a path. */
  exact: [
    ...['parley.yaml', 'parley.yml', '.minds', '.npmrc', '.netrc', '.git-credentials', '.ssh', '.aws', '.kube'],
    // Closed to file tools since 0.1, for the same reason: they hold keys and are never source code.
    ...['.gnupg', '.azure', '.docker', '.pgpass', '.pypirc', '.htpasswd', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519'],
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
  const all = names.flatMap(({ inside, absolute }) => (inside === null ? [absolute] : [inside, absolute]))
  if (names.some(isHiddenByName) || all.some((name) => isBelowAny(name, layout.hidden, layout.root))) return 'hidden'
  const isFixed = names.some((name) => nameParts(name).some((part) => fixedNames.includes(part)))
  return isFixed || all.some((name) => isBelowAny(name, layout.fixed, layout.root)) ? 'fixed' : null
}

function isHiddenByName(name: PathName): boolean {
  const parts = nameParts(name)
  const { exact, prefixes, suffixes, framed, nested } = hiddenNames
  return parts.some(
    (part, at) =>
      (exact as readonly string[]).includes(part) ||
      prefixes.some((prefix) => part.startsWith(prefix)) ||
      suffixes.some((suffix) => part.endsWith(suffix)) ||
      framed.some(([start, end]) => part.startsWith(start) && part.endsWith(end)) ||
      nested.some((row) => row.every((one, distance) => parts[at + distance] === one)),
  )
}

/** Names inside the project are judged from its folder on, so a project in a folder called `.ssh` still works. */
const nameParts = ({ inside, absolute }: PathName): string[] => (inside ?? absolute).split('/').filter(Boolean).map(plainName)

/** Windows ignores dots and spaces at the end of a name, and everything behind a colon. */
const plainName = (name: string): string =>
  foldCase(name)
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')

function isBelowAny(path: string, folders: readonly string[], root: string): boolean {
  const given = comparable(path, root)
  return folders.some((folder) => {
    const top = comparable(folder, root)
    return given === top || given.startsWith(`${top}/`)
  })
}

const comparable = (path: string, root: string): string =>
  (path.startsWith('/') || /^[a-zA-Z]:/.test(path) ? path : `${root}/${path}`)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map(plainName)
    .join('/')
