import { isAbsolute, relative, sep } from 'node:path'

/**
 * `hidden`: not read, written, listed or searched. `fixed`: read, but not written. No rule of an agent lifts either.
 */
export type Protection = 'hidden' | 'fixed'

/** All paths are absolute. A path that is reached by a link appears under its own name and under its real name. */
export type ProtectedPaths = {
  /** Real path of the project. The name patterns below apply to what lies inside it. */
  readonly root: string
  readonly hidden: readonly string[]
  readonly fixed: readonly string[]
  /** True when the disk finds `Data` under the name `data`. */
  readonly foldsCase: boolean
}

/** Folders and files that hold secrets or belong to Parley, by the name of any part of a path. */
const hiddenName = new RegExp(
  `^(?:${[
    '\\.minds',
    '\\.parley',
    '.*\\.tsk',
    '\\.env.*',
    '.*\\.env',
    '.*\\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)',
    'service-account.*\\.json',
    '\\.(?:npmrc|netrc|git-credentials|yarnrc\\.yml|pypirc|pgpass|htpasswd)',
    '\\.(?:ssh|aws|azure|kube|gnupg|docker)',
    'id_(?:rsa|dsa|ecdsa|ed25519).*',
    // Only formats of data: secrets.ts is source code.
    '(?:credentials|secrets?)\\.(?:json|ya?ml|toml|ini|env|txt|properties|xml|cfg|conf)',
    'credentials',
  ].join('|')})$`,
  's',
)

/**
 * The protection of an absolute path whose parents were resolved. A caller that knows two names of a file asks for both.
 * Name patterns ignore case on every disk; the named paths ignore it where the disk does.
 */
export function protectionTest({ root, hidden, fixed, foldsCase }: ProtectedPaths): (path: string) => Protection | null {
  const same = foldsCase ? folded : composed
  const covers = (protectedPaths: readonly string[]): ((path: string) => boolean) => {
    const all = protectedPaths.map((path) => [same(path), `${same(path)}${sep}`] as const)
    return (path) => all.some(([whole, start]) => path === whole || path.startsWith(start))
  }
  const [isHidden, isFixed] = [covers(hidden), covers(fixed)]
  const top = `${composed(root)}${sep}`
  const byName = (folder: string): Protection | null => {
    if (!folder.startsWith(top)) return null
    const names = folder.slice(top.length).split(sep).map(folded)
    const isSecret = names.some((name, at) => hiddenName.test(name) || (name === 'gcloud' && names[at - 1] === '.config'))
    return isSecret ? 'hidden' : names.includes('.git') ? 'fixed' : null
  }
  // A search asks for the entries of one folder after the other.
  let last: { folder: string; protection: Protection | null } = { folder: '', protection: null }
  const byNames = (path: string): Protection | null => {
    const end = path.lastIndexOf(sep)
    const folder = path.slice(0, end)
    if (folder !== last.folder) last = { folder, protection: byName(folder) }
    if (last.protection === 'hidden' || !path.startsWith(top)) return last.protection
    const name = folded(path.slice(end + 1))
    if (hiddenName.test(name) || (name === 'gcloud' && folded(folder).endsWith(`${sep}.config`))) return 'hidden'
    return name === '.git' ? 'fixed' : last.protection
  }
  return (path) => {
    const named = byNames(composed(path))
    const compared = same(path)
    if (named === 'hidden' || isHidden(compared)) return 'hidden'
    return named === 'fixed' || isFixed(compared) ? 'fixed' : null
  }
}

export function isInside(folder: string, path: string): boolean {
  const name = relative(folder, path)
  return name !== '..' && !name.startsWith(`..${sep}`) && !isAbsolute(name)
}

const composed = (text: string): string => text.normalize('NFC')

/** Upper case first: disks that ignore case also take `ſ` for `s`. */
const folded = (text: string): string => composed(composed(text).toUpperCase().toLowerCase())
