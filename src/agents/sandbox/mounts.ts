import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { ParleyError } from '../../errors.ts'
import type { Protection } from '../../authority/subjects/subject.ts'
import { isInside } from '../workspace/is-inside.ts'
import type { VisibleFolder } from './launcher.ts'

export const mountLimits = { scannedEntries: 100_000, mounts: 2_000, openMounts: 200 } as const

/** `read`, `write`: the path as it is on the disk. `empty…`: nothing of it can be read, and nothing can be written there. */
export type Mount = { readonly path: string; readonly as: 'read' | 'write' | 'empty-file' | 'empty-folder' }

/**
 * The mounts of a folder in a sandbox: its writable and its hidden parts. Parents come before what they hold.
 *
 * The tree is searched for hidden names each time, because such a file may appear at any moment. `.git` and
 * `node_modules` are not searched: their contents are commits and published packages.
 */
export async function listMounts({ path: root, rules }: VisibleFolder): Promise<Mount[]> {
  if (!(await lstat(root)).isDirectory()) return [{ path: root, as: 'read' }]
  const mounts = new Map<string, Mount>()
  const named = rules.protectedPaths.filter((path) => isInside(root, path))
  const locked = await foldersToLock(named)
  const hasWritable = rules.hasWritable
  let scanned = 0

  const add = (path: string, as: Mount['as']): void => {
    if (mounts.get(path)?.as.startsWith('empty') === true) return
    mounts.set(path, { path, as })
    if (mounts.size > mountLimits.mounts)
      throw unavailable(`more than ${mountLimits.mounts} files and folders in ${root} need a rule of their own`)
  }
  const isWritable = (path: string, name: string, protection: Protection | null): boolean =>
    protection === null && rules.allows(name, 'write') && !locked.has(path)
  const cover = (path: string, entry: Pick<Dirent, 'isDirectory'>): void => add(path, entry.isDirectory() ? 'empty-folder' : 'empty-file')

  const coverTarget = async (link: string): Promise<void> => {
    const target = await realpath(link).catch(() => null)
    if (target === null || !isInside(root, target) || target === root) return
    cover(target, await lstat(target))
  }

  const visit = async (folder: string, folderIsWritable: boolean): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
    // A folder that the server cannot read is not shown either.
    if (entries === null) {
      add(folder, 'empty-folder')
      return []
    }
    scanned += entries.length
    if (scanned > mountLimits.scannedEntries)
      throw unavailable(`${root} has more than ${mountLimits.scannedEntries} files outside of node_modules and .git`)
    const inner: string[] = []
    const above = relative(root, folder)
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`
      const name = above === '' ? entry.name : `${above}/${entry.name}`
      const protection = rules.protection(name)
      const isHidden = protection === 'hidden' || rules.isShut(name)
      if (entry.isSymbolicLink()) {
        if (isHidden) await coverTarget(path)
      } else if (isHidden || entry.isSocket()) cover(path, entry)
      else if (entry.name === '.git') await addGit(path, entry)
      else {
        const writable = isWritable(path, name, protection)
        if (writable !== folderIsWritable) add(path, writable ? 'write' : 'read')
        if (entry.isDirectory() && entry.name !== 'node_modules') inner.push(path)
      }
    }
    return inner
  }

  /** A commit writes most of a git folder; its settings and hooks name programs that a person's git would run. */
  const addGit = async (path: string, entry: Dirent): Promise<void> => {
    if (!hasWritable || !entry.isDirectory()) return add(path, 'read')
    add(path, 'write')
    for (const name of ['config', 'config.worktree', 'modules', 'worktrees'])
      if (await exists(join(path, name))) add(join(path, name), 'read')
    add(join(path, 'hooks'), (await exists(join(path, 'hooks'))) ? 'read' : 'empty-folder')
  }

  add(root, isWritable(root, '', rules.protection('')) ? 'write' : 'read')
  let open = [root]
  while (open.length > 0) {
    const next: string[] = []
    for (let at = 0; at < open.length; at += scansAtOnce) {
      const visited = await Promise.all(open.slice(at, at + scansAtOnce).map((folder) => visit(folder, isWritableAt(mounts, root, folder))))
      next.push(...visited.flat())
    }
    open = next
  }
  for (const path of named) {
    // Neither exists yet in many projects, and an empty folder of that name changes nothing.
    if (isEmptyable(path) && !(await exists(path)) && isWritableAt(mounts, root, dirname(path))) add(path, 'empty-folder')
    // A folder on the way to a protected path could be moved away and replaced; a mount point cannot.
    for (let above = dirname(path); above !== root && isInside(root, above); above = dirname(above))
      if (!mounts.has(above) && isWritableAt(mounts, root, above) && (await exists(above))) add(above, 'write')
  }
  return [...mounts.values()].toSorted((one, two) => one.path.length - two.path.length)
}

const scansAtOnce = 16

const unavailable = (why: string): ParleyError => new ParleyError('sandbox_unavailable', { why })

const exists = async (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const isEmptyable = (path: string): boolean => ['.minds', 'node_modules'].includes(basename(path))

/** True when the nearest mount at or above the path is writable. */
function isWritableAt(mounts: ReadonlyMap<string, Mount>, root: string, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    const mount = mounts.get(at)
    if (mount) return mount.as === 'write'
    if (at === root || dirname(at) === at) return false
  }
}

/**
 * A protected name that is a link, or that does not exist, cannot be covered: the folder that holds it is not writable
 * itself, so that no program can put something else under that name. Folders in it stay as the rules say.
 */
async function foldersToLock(named: readonly string[]): Promise<ReadonlySet<string>> {
  const locked = new Set<string>()
  for (const path of named) {
    const entry = await lstat(path).catch(() => null)
    if (entry && !entry.isSymbolicLink()) continue
    if (!entry && isEmptyable(path)) continue
    let above = dirname(path)
    while (!(await exists(above)) && dirname(above) !== above) above = dirname(above)
    locked.add(above)
  }
  return locked
}
