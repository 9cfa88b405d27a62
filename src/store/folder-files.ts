import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Files } from '../ports/files.ts'

/** Ids are made here; anything else must not become a path. */
const isId = (file: string): boolean => /^[a-z]+_[\w-]{1,100}$/i.test(file)

/** One file each in a folder. A file appears under its name only when it is whole and on disk. */
export function folderFiles(folder: string): Files {
  const pathFor = (file: string): string => {
    if (!isId(file)) throw new Error(`${file.slice(0, 50)} is no id of a file`)
    return join(folder, file)
  }
  return {
    async write(file, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathFor(file)
      // Two processes may write the same file.
      const draft = `${path}.${randomBytes(4).toString('hex')}.new`
      const handle = await open(draft, 'w', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } catch (error) {
        // On a full disk half of a file would take what space is left.
        await rm(draft, { force: true })
        throw error
      } finally {
        await handle.close()
      }
      await rename(draft, path)
      await syncFolder(folder)
    },
    async read(file) {
      if (!isId(file)) return null
      return readFile(pathFor(file)).catch(ifMissing(null))
    },
    remove: (file) => rm(join(folder, basename(file)), { force: true }),
    async list(after, limit) {
      const names = await readdir(folder).catch(ifMissing([] as string[]))
      // Files that a crash left half written are removed by the same rule.
      const next = names
        .filter((name) => name > after)
        .toSorted()
        .slice(0, limit)
      const entries = await Promise.all(
        next.map(async (file) => {
          const about = await stat(join(folder, file)).catch(ifMissing(null))
          return about ? [{ file, at: about.mtimeMs }] : []
        }),
      )
      return entries.flat()
    },
  }
}

/** The new name itself has to survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
  }
