import { lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Why a file of a parent folder is not used: another account owns it or its folder, or other accounts may write there. */
export type Distrust = 'owner' | 'writable'

type Owned = { uid: number; gid: number; mode: number }

/** Pure, so that every owner and mode can be tested without being root. */
export function findDistrust({ uid, gid, mode }: Owned, me: number): Distrust | null {
  if (uid !== me) return 'owner'
  // A group that bears the id of its only account is private to it, the default of most Linux distributions.
  const isSharedGroup = gid !== me
  return (mode & 0o002) !== 0 || (isSharedGroup && (mode & 0o020) !== 0) ? 'writable' : null
}

/** A link counts as itself and as the file it leads to. Null where accounts do not exist (Windows), and for a trusted file. */
export function distrustOfFile(file: string): Distrust | null {
  const me = process.getuid?.()
  if (me === undefined) return null
  const link = lstatSync(file)
  if (link.uid !== me) return 'owner'
  return findDistrust(statSync(file), me) ?? findDistrust(statSync(dirname(file)), me)
}
