import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, posix, relative, sep } from 'node:path'

/** A place below a root, with every symbolic link on the way resolved. */
export type Place = {
  /** Absolute, and no part of it is a link. */
  path: string
  /** From the root, parted by "/"; empty for the root itself. */
  name: string
}

const longest = 1_000

/**
 * The place a relative path leads to, whether or not something is there yet. Throws in words when the path is not plain,
 * or when it leads out of the root, by dots or by a link. What does not exist yet is taken by name from the deepest
 * folder that does.
 */
export function placeInside(root: string, given: string): Place {
  const plain = plainPath(given)
  const top = realpathSync.native(root)
  return placeFrom(top, realPath(join(top, plain), given), given)
}

/** The place of a real path below a real root. */
export function placeFrom(top: string, path: string, given: string): Place {
  const name = relative(top, path)
  if (name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)) throw new Error(`"${shortened(given)}" leads out of the project.`)
  return { path, name: name.split(sep).join('/') }
}

/** The real path of the deepest folder that exists, followed by the names that do not exist yet. */
export function realPath(absolute: string, given: string = absolute): string {
  const missing: string[] = []
  let at = absolute
  for (;;) {
    const real = realOrNull(at)
    if (real !== null) return join(real, ...missing)
    // A link to nothing exists as a link: writing there would create its target, wherever that is.
    if (lstatSync(at, { throwIfNoEntry: false })) throw new Error(`"${shortened(given)}" is a link that leads nowhere.`)
    missing.unshift(posix.basename(at.split(sep).join('/')))
    at = join(at, '..')
  }
}

/** Normalised, or thrown: relative, without "..", without anything a person could not see. */
export function plainPath(given: string): string {
  if (given.trim() === '') throw new Error('The path is empty.')
  if (given.length > longest) throw new Error(`The path has more than ${longest} characters.`)
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]|\p{Cf}/u.test(given) || !given.isWellFormed())
    throw new Error('The path has characters that do not belong in one. Use letters, digits and "/".')
  if (isAbsolute(given) || /^[a-zA-Z]:/.test(given) || given.startsWith('~'))
    throw new Error(`"${shortened(given)}" is not relative. Name it from the project's folder, such as "notes/plan.md".`)
  const parts = given.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw new Error(`"${shortened(given)}" has ".." in it. Name it from the project's folder.`)
  if (parts.some((part) => /[. ]$/.test(part) || Buffer.byteLength(part) > 255))
    throw new Error(`"${shortened(given)}" is not a usable name.`)
  return parts.join('/')
}

function realOrNull(path: string): string | null {
  try {
    // The native form is one call into the system; the other one looks up each part of the path from JavaScript.
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code === 'ENOTDIR') throw new Error('A part of the path is a file, not a folder.', { cause: error })
    throw new Error(`The path cannot be followed (${code ?? 'reading failed'}).`, { cause: error })
  }
}

const shortened = (path: string): string => (path.length > 120 ? `${path.slice(0, 120)}…` : path)
