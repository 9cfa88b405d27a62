import { type Layout, findProtection } from './protected-paths.ts'
import type { PathName, PathSubject } from './subject.ts'
import type { Unsure } from './unsure.ts'

/**
 * Facts of the disk about a path. `real` is the real path of the deepest parent that exists, with the names that do not
 * exist yet behind it; null when it cannot be followed. `hardLinks` is 0 for a file that does not exist yet.
 */
export type DiskFacts = { real: string | null; hardLinks: number }

export type LookUp = (absolute: string) => DiskFacts

export type PathUse = { access: 'read' | 'write'; path: string; isRecursive?: boolean; isInWriteDirs?: (name: string) => boolean }

/** `real` is the path on the disk that the subject is about, as the disk spells it; null when it cannot be followed. */
export type PathReading = { subject: PathSubject; unsure: readonly Unsure[]; real: string | null }

/** The subject of a read or write: the given name and the real one, both normalised. `cwd` is relative to the project. */
export function pathSubject(use: PathUse, layout: Layout, lookUp: LookUp, cwd = ''): PathReading {
  const given = absolutePath(use.path, layout.root, cwd)
  const { real, hardLinks } = lookUp(given)
  const requestedName = pathName(given, layout)
  const actual = real === null ? requestedName : pathName(normalise(real), layout)
  const names = actual.absolute === requestedName.absolute ? [requestedName] : [requestedName, actual]
  const unsure: Unsure[] = []
  if (real === null) unsure.push({ why: 'path', detail: use.path })
  // Another name of the same file may be one that no rule would let be written.
  if (use.access === 'write' && hardLinks > 1) unsure.push({ why: 'hard-link', detail: use.path })
  const protection = findProtection(names, layout)
  const { isInWriteDirs } = use
  return {
    subject: {
      kind: use.access,
      names,
      ...(layout.foldsCase && { foldsCase: true }),
      ...(use.isRecursive && { isRecursive: true }),
      ...(protection && { protection }),
      ...(isInWriteDirs && names.every(({ inside }) => inside !== null && isInWriteDirs(inside)) && { isInWriteDirs: true }),
    },
    unsure,
    real,
  }
}

/** Absolute, with `.` and `..` taken out by name. The real path, not this one, follows links. */
export function absolutePath(path: string, root: string, cwd = ''): string {
  // Elsewhere a backslash is part of a name.
  const plain = /^[a-zA-Z]:/.test(root) ? path.replaceAll('\\', '/') : path
  return normalise(isAbsolute(plain) ? plain : `${isAbsolute(cwd) ? cwd : `${root}/${cwd}`}/${plain}`)
}

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[a-zA-Z]:\//.test(path)

function normalise(path: string): string {
  if (isNormal(path)) return path
  const names: string[] = []
  for (const name of path.normalize('NFC').split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `${path.startsWith('/') ? '/' : ''}${names.join('/')}`
}

/** Most paths are: they are absolute, and have no empty name and none that begins with a dot. */
const isNormal = (path: string): boolean => path.startsWith('/') && !/\/(?:[./]|$)|[^\x20-\x7e]/.test(path)

const tops = new WeakMap<Layout, string>()

/** The root with a slash at its end, in the form in which paths are compared. A layout is made once and asked for every path. */
function getTop(layout: Layout): string {
  let top = tops.get(layout)
  if (top === undefined) {
    top = `${normalise(layout.root)}/`
    tops.set(layout, layout.foldsCase ? (top = top.toLowerCase()) : top)
  }
  return top
}

function pathName(absolute: string, layout: Layout): PathName {
  const top = getTop(layout)
  const path = layout.foldsCase ? absolute.toLowerCase() : absolute
  if (path.startsWith(top)) return { inside: absolute.slice(top.length), absolute }
  return { inside: path.length === top.length - 1 && top.startsWith(path) ? '' : null, absolute }
}
