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
  return (path) => {
    const plain = composed(path)
    const names = plain.startsWith(top) ? plain.slice(top.length).split(sep).map(folded) : []
    const isSecret = names.some((name, at) => hiddenName.test(name) || (name === 'gcloud' && names[at - 1] === '.config'))
    if (isSecret || isHidden(same(path))) return 'hidden'
    return isFixed(same(path)) || names.includes('.git') ? 'fixed' : null
  }
}

export function isInside(folder: string, path: string): boolean {
  const name = relative(folder, path)
  return name !== '..' && !name.startsWith(`..${sep}`) && !isAbsolute(name)
}

const composed = (text: string): string => text.normalize('NFC')

/** Upper case first: disks that ignore case also take `ſ` for `s`. */
const folded = (text: string): string => composed(composed(text).toUpperCase().toLowerCase())
