import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file whole or not at all, also when the process dies in the middle. `path` is a real path. A parent that
 * became a link since it was resolved ends the call: another program may run in the same folder.
 */
export function writeWhole(path: string, text: string): void {
  const folder = dirname(path)
  makeFolders(folder)
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (realpathSync(folder) !== folder || !isSameFile(opened, folder)) throw new Error(`${folder} was replaced while a file was written.`)
    writeInside(process.platform === 'linux' ? `/proc/self/fd/${opened}` : folder, basename(path), text)
  } finally {
    closeSync(opened)
  }
}

/** On Linux `folder` is the open folder itself, so that no later change of its path leads elsewhere. */
function writeInside(folder: string, name: string, text: string): void {
  const target = join(folder, name)
  const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}.draft`)
  const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o666)
  try {
    try {
      const mode = lstatSync(target, { throwIfNoEntry: false })?.mode
      if (mode !== undefined) fchmodSync(file, mode & 0o777)
      const bytes = Buffer.from(text, 'utf8')
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** One at a time: a recursive mkdir follows a link that appears on the way. */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return
  makeFolders(dirname(folder))
  const parent = dirname(folder)
  if (realpathSync(parent) !== parent) throw new Error(`${parent} was replaced while a file was written.`)
  mkdirSync(folder, { recursive: true })
}

function isSameFile(opened: number, path: string): boolean {
  const [one, two] = [fstatSync(opened), lstatSync(path)]
  return one.ino === two.ino && one.dev === two.dev
}
