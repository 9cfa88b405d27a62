import type { MemberConfig } from '../../config/schema.ts'
import { type Glob, globPattern } from './glob.ts'
import { type Place, placeInside, plainPath } from './inside.ts'

export type Access = 'read' | 'write'

/** Where a member's file tools may go. */
export type DirectoryRules = {
  readonly root: string
  /** Resolves the path and checks it. Throws in words a model can act on. */
  enter(given: string, access: Access): Place
  /** The same question about a place that is known to be below the root and no link. */
  isOpen(name: string, access: Access): boolean
}

/** Never open to file tools, whatever the rules say: they have tools of their own, or hold what nobody should repeat. */
const closedFolders = new Set(['.minds', '.parley', '.git', '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker'])

const secretFile =
  /^(?:\.env(?:\..*|rc)?|.*\.env|\.netrc|\.npmrc|\.yarnrc\.yml|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|credentials(?:\.\w+)?|secrets?\.\w+)$/

/** `closed` are further names below the root, such as the data folder or the configuration itself. */
export function directoryRules(
  root: string,
  member: Pick<MemberConfig, 'readDirs' | 'writeDirs' | 'noReadDirs' | 'noWriteDirs'>,
  closed: readonly string[] = [],
): DirectoryRules {
  const open = { read: member.readDirs ?? ['**'], write: member.writeDirs ?? [] }
  const shut = { read: member.noReadDirs ?? [], write: [...(member.noWriteDirs ?? []), ...(member.noReadDirs ?? [])] }
  const compiled = {
    read: { open: open.read.map(below), shut: shut.read.map(below) },
    write: { open: open.write.map(below), shut: shut.write.map(below) },
  }
  const own = closed.map((name) => name.toLowerCase())

  const whyClosed = (name: string, access: Access): string | null => {
    const reserved = whyReserved(name, own)
    if (reserved !== null) return reserved
    const rules = compiled[access]
    if (rules.shut.some((glob) => glob.test(name))) return 'the settings of this agent close it'
    if (rules.open.some((glob) => glob.test(name))) return null
    return open[access].length === 0
      ? 'this agent may not change any file (writeDirs is not set)'
      : `this agent may only ${access === 'read' ? 'read' : 'change'} ${open[access].slice(0, 8).join(', ')}`
  }
  return {
    root,
    enter(given, access) {
      const asked = plainPath(given)
      // Both names count: a link must neither hide a closed place nor be a way around a closed name.
      const before = whyClosed(asked, access)
      if (before !== null) throw new Error(`"${asked || '.'}" is closed: ${before}.`)
      const place = placeInside(root, given)
      const why = place.name === asked ? null : whyClosed(place.name, access)
      if (why !== null) throw new Error(`"${asked || '.'}" leads to a place that is closed: ${why}.`)
      return place
    },
    isOpen: (name, access) => whyClosed(name, access) === null,
  }
}

const below = (glob: string): Glob => globPattern(glob, { andBelow: true })

function whyReserved(name: string, own: readonly string[]): string | null {
  // Lower case, because on some disks .MINDS is .minds.
  const lower = name.normalize('NFKC').toLowerCase()
  const parts = lower.split('/')
  if (parts.some((part) => part.endsWith('.tsk'))) return 'a task document is changed with change_mind and read with recall_taskdoc'
  if (parts.some((part) => closedFolders.has(part))) return 'it belongs to Parley or holds secrets'
  if (parts.some((part) => secretFile.test(part))) return 'it may hold secrets'
  if (own.some((one) => lower === one || lower.startsWith(`${one}/`))) return 'it belongs to Parley'
  return null
}
