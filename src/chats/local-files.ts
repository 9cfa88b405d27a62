import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const localFileLimits = { bytes: 50 * 1024 * 1024 } as const

/** Files of this machine that its owner may send. What is wrong with one is said in words. */
export type LocalFiles = {
  check(url: string): Promise<{ problem: string } | null>
  read(url: string): Promise<{ bytes: Uint8Array; name: string } | { problem: string }>
}

type Found = { path: string; name: string }

/**
 * Only what lies inside the project, with every link on the way followed, and nothing hidden: names with a dot in front
 * and the folder of our own data are where keys are kept. Looked at when a message is taken in and again when the file is
 * read, because hours may lie between.
 */
export function localFiles({ projectDir, dataDir }: { projectDir: string; dataDir: string }): LocalFiles {
  async function find(url: string): Promise<Found | { problem: string }> {
    let path: string
    try {
      path = fileURLToPath(new URL(url))
    } catch {
      return { problem: 'the address of the file cannot be read; write it as file:///folder/name' }
    }
    const name = basename(path)
    const [root, hidden] = await Promise.all([realpath(projectDir), realpath(dataDir).catch(() => dataDir)])
    let real: string
    try {
      real = await realpath(path)
    } catch {
      return { problem: `the file ${name} is not there` }
    }
    const inside = pathBelow(root, real)
    if (inside === null || pathBelow(hidden, real) !== null || inside.split(sep).some((part) => part.startsWith('.')))
      return { problem: `the file ${name} is not one of the project’s own: only what lies in its folder and is not hidden can be sent` }
    const about = await stat(real)
    if (!about.isFile()) return { problem: `${name} is not a file` }
    if (about.size === 0) return { problem: `the file ${name} is empty` }
    if (about.size > localFileLimits.bytes)
      return { problem: `the file ${name} has ${about.size} bytes; at most ${localFileLimits.bytes} can be sent` }
    return { path: real, name }
  }
  return {
    async check(url) {
      const match = await find(url)
      return 'problem' in match ? match : null
    },
    async read(url) {
      const entry = await find(url)
      if ('problem' in entry) return entry
      try {
        return { bytes: await readFile(entry.path), name: givenName(url) ?? entry.name }
      } catch {
        return { problem: `the file ${entry.name} could not be read` }
      }
    },
  }
}

/** Where it is from the root, or null outside of it. */
function pathBelow(root: string, path: string): string | null {
  const name = relative(root, path)
  return name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name) ? null : name
}

/** The name its author gave it, which travels as the fragment of its address. */
function givenName(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).hash.slice(1)) || undefined
  } catch {
    return undefined
  }
}

const none = { problem: 'files of this machine are not sent from here' }

export const noLocalFiles: LocalFiles = { check: async () => none, read: async () => none }
