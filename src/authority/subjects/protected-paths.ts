import { foldCase } from '../glob.ts'
import type { PathName, Protection } from './subject.ts'

/**
 * Row 2 of the gate as data, and the only list of its kind: the gate, the file tools and the sandbox use it. Hidden: never
 * read, never written. Fixed: never written by file tools and redirections. No rule and no grant lifts either. Names are
 * compared in lower case on every disk.
 */
export const hiddenNames = {
  /** Whole names of a folder or file, anywhere in a path. */
  exact: [
    'parley.yaml',
    'parley.yml',
    '.minds',
    '.parley',
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
    '.yarnrc.yml',
    'credentials',
  ],
  prefixes: ['.env', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519'],
  suffixes: ['.tsk', '.env', '.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk'],
  /** Names that begin and end like this. */
  framed: [['service-account', '.json']],
  /** These names with the ending of a format of data: secrets.ts is source code. */
  data: {
    names: ['credentials', 'secret', 'secrets'],
    endings: ['.json', '.yaml', '.yml', '.toml', '.ini', '.txt', '.properties', '.xml', '.cfg', '.conf'],
  },
  /** Several names in a row. */
  nested: [['.config', 'gcloud']],
} as const

export const fixedNames: readonly string[] = ['.git']

/** Paths of this installation, relative to the project or absolute, with `/` between names. */
export type Layout = {
  /** Real path of the project folder. */
  root: string
  foldsCase: boolean
  /** The data folder in use, the configuration file, wherever they are. */
  hidden: readonly string[]
  /** Modules and scripts of agents and plugins, and every `node_modules` the server loads from. */
  fixed: readonly string[]
}

/** The strictest protection of any of the names. */
export function findProtection(names: readonly PathName[], layout: Layout): Protection | null {
  const { inside, outside } = getTests(layout)
  let match: Protection | null = null
  for (const name of names) match = stricter(match, name.inside === null ? outside(name.absolute) : inside(name.inside))
  return match
}

/** The protection of one name below the project, which is no link and has no `..`. For walks over a whole tree. */
export const protectionInside = (name: string, layout: Layout): Protection | null => getTests(layout).inside(name)

const stricter = (one: Protection | null, two: Protection | null): Protection | null => (one === 'hidden' || two === null ? one : two)

type Test = (path: string) => Protection | null
type Tests = { inside: Test; outside: Test }

/** The named paths, one node for each name, so that the time for a path is linear in its length. */
type Node = { protection: Protection | null; readonly below: Map<string, Node> }

/** A folder on the way to a path: its last name, and its node if named paths lie at or below it. */
type Step = { node: Node | undefined; name: string; protection: Protection | null }

/** A layout is made once and asked for every path. */
const prepared = new WeakMap<Layout, Tests>()

function getTests(layout: Layout): Tests {
  const entry = prepared.get(layout)
  if (entry) return entry
  const top = namedPaths(layout)

  const enter = (above: Step, given: string): Step => {
    const name = plainName(given)
    if (name === '') return above
    const node = above.node?.below.get(name)
    const named = stricter(above.protection, node?.protection ?? null)
    const protection = isHiddenName(name, above.name) ? 'hidden' : stricter(named, fixedNames.includes(name) ? 'fixed' : null)
    return { node, name, protection }
  }
  const below = (start: Step): Test => {
    // A search asks for the entries of one folder after the other.
    let last = { folder: '', step: start }
    return (path) => {
      const end = path.lastIndexOf('/')
      const folder = path.slice(0, Math.max(0, end))
      if (folder !== last.folder) last = { folder, step: folder.split('/').reduce(enter, start) }
      return enter(last.step, path.slice(end + 1)).protection
    }
  }
  const outside: Step = { node: top, name: '', protection: null }
  // The names above the project do not count, so that a project in a folder called `.ssh` still works.
  let inside = outside
  for (const name of getNames(layout.root)) {
    const node: Node | undefined = inside.node?.below.get(name)
    inside = { node, name: '', protection: stricter(inside.protection, node?.protection ?? null) }
  }
  const tests = { inside: below(inside), outside: below(outside) }
  prepared.set(layout, tests)
  return tests
}

function namedPaths({ root, hidden, fixed }: Layout): Node {
  const top: Node = { protection: null, below: new Map() }
  const add = (path: string, protection: Protection): void => {
    const absolute = path.startsWith('/') || /^[a-zA-Z]:/.test(path) ? path : `${root}/${path}`
    let at = top
    for (const name of getNames(absolute)) {
      const next = at.below.get(name) ?? { protection: null, below: new Map<string, Node>() }
      at.below.set(name, next)
      at = next
    }
    at.protection = stricter(at.protection, protection)
  }
  for (const path of hidden) add(path, 'hidden')
  for (const path of fixed) add(path, 'fixed')
  return top
}

const getNames = (path: string): string[] => path.split('/').map(plainName).filter(Boolean)

const exactNames: ReadonlySet<string> = new Set(hiddenNames.exact)
const dataNames: ReadonlySet<string> = new Set(
  hiddenNames.data.names.flatMap((name) => hiddenNames.data.endings.map((ending) => name + ending)),
)

function isHiddenName(name: string, above: string): boolean {
  const { prefixes, suffixes, framed, nested } = hiddenNames
  return (
    exactNames.has(name) ||
    dataNames.has(name) ||
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    suffixes.some((suffix) => name.endsWith(suffix)) ||
    framed.some(([start, end]) => name.startsWith(start) && name.endsWith(end)) ||
    nested.some(([outer, inner]) => outer === above && inner === name)
  )
}

/** Windows ignores dots and spaces at the end of a name, and everything behind a colon. */
function plainName(given: string): string {
  const name = foldCase(given)
  if (!/[:. ]/.test(name)) return name
  return name === '.' ? '' : name.replace(/:.*$/s, '').replace(/(?<![. ])[. ]+$/, '')
}
