import { isAbsolute, relative, sep } from 'node:path'

/** Both paths are absolute. A folder is inside itself. */
export function isInside(folder: string, path: string): boolean {
  const name = relative(folder, path)
  return name !== '..' && !name.startsWith(`..${sep}`) && !isAbsolute(name)
}
