import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export const findTaskdocLimits = { listed: 200, depth: 6, foldersRead: 2_000 } as const

/** Task documents below a project, sorted. Links and hidden folders are skipped, and those of packages. */
export function findTaskdocs(root: string): string[] {
  const found: string[] = []
  let waiting = ['']
  let read = 0
  for (let depth = 0; depth <= findTaskdocLimits.depth && waiting.length > 0; depth += 1) {
    const next: string[] = []
    for (const folder of waiting) {
      if ((read += 1) > findTaskdocLimits.foldersRead || found.length >= findTaskdocLimits.listed) break
      for (const name of folderNames(join(root, folder))) {
        const path = folder === '' ? name : `${folder}/${name}`
        if (!isNewPath(name)) continue
        if (name.endsWith('.tsk')) found.push(path)
        else next.push(path)
      }
    }
    waiting = next
  }
  return found.toSorted().slice(0, findTaskdocLimits.listed)
}

function folderNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}

/** Hidden folders belong to programs, those of packages are replaced by the next installation, and documents have sections only. */
export function isNewPath(path: string): boolean {
  const names = path.split('/')
  return names.every(
    (name, at) => /^[\p{L}\p{N}]/u.test(name) && name !== 'node_modules' && (at === names.length - 1 || !name.endsWith('.tsk')),
  )
}
