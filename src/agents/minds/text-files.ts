import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../ports/clock.ts'

export const textFileLimits = { fileBytes: 200_000, filesPerFolder: 500, folderDepth: 8, looksAgainMs: 1_000, cachedFiles: 5_000 } as const

/** Texts that people and agents edit at any time, read only when they have changed. */
export type TextFiles = {
  /** Null when there is no such file. */
  read(path: string): string | null
  /** The first of these that exists. */
  first(paths: readonly string[]): string | null
  /** Names of all files below a folder that end so, sorted; no links are followed. */
  names(folder: string, ending: string): readonly string[]
  /** Somebody here has just changed something: look again now. */
  forget(): void
}

type Kept<Value> = { lookedAt: number; stamp: string; value: Value }

export function textFiles(clock: Clock = systemClock): TextFiles {
  const texts = new Map<string, Kept<string | null>>()
  const folders = new Map<string, Kept<readonly string[]>>()

  // A look is a system call; a thousand generations a second must not make a thousand of them for each file.
  const isFresh = (kept: Kept<unknown> | undefined): boolean =>
    kept !== undefined && clock.now() - kept.lookedAt < textFileLimits.looksAgainMs

  function read(path: string): string | null {
    const kept = texts.get(path)
    if (kept && isFresh(kept)) return kept.value
    const stamp = stampOf(path)
    const value = kept?.stamp === stamp ? kept.value : textOf(path, stamp)
    if (texts.size >= textFileLimits.cachedFiles) texts.clear()
    texts.set(path, { lookedAt: clock.now(), stamp, value })
    return value
  }
  return {
    read,
    first(paths) {
      for (const path of paths) {
        const text = read(path)
        if (text !== null) return text
      }
      return null
    },
    names(folder, ending) {
      const key = `${folder}\0${ending}`
      const kept = folders.get(key)
      if (kept && isFresh(kept)) return kept.value
      const value = stampOf(folder) === '' ? [] : filesBelow(folder, ending)
      folders.set(key, { lookedAt: clock.now(), stamp: '', value })
      return value
    },
    forget() {
      for (const kept of [...texts.values(), ...folders.values()]) kept.lookedAt = -Infinity
    },
  }
}

/** Empty when there is nothing. A file that was replaced by another has another inode, even within one millisecond. */
function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat ? `${stat.ino}:${stat.mtimeMs}:${stat.size}` : ''
  } catch {
    return ''
  }
}

function textOf(path: string, stamp: string): string | null {
  if (stamp === '') return null
  try {
    const bytes = readFileSync(path)
    if (bytes.length <= textFileLimits.fileBytes) return bytes.toString('utf8').replace(/^\ufeff/, '')
    const left = bytes.length - textFileLimits.fileBytes
    return `${bytes.toString('utf8', 0, textFileLimits.fileBytes)}\n[${left} more bytes of this file were left out: it is too long.]`
  } catch {
    return null
  }
}

function filesBelow(folder: string, ending: string): string[] {
  const names: string[] = []
  const look = (inner: string, depth: number): void => {
    let entries
    try {
      entries = readdirSync(join(folder, inner), { withFileTypes: true })
    } catch {
      return
    }
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (names.length >= textFileLimits.filesPerFolder) return
      const name = inner === '' ? entry.name : `${inner}/${entry.name}`
      if (entry.isFile() && entry.name.endsWith(ending)) names.push(name)
      else if (entry.isDirectory() && depth < textFileLimits.folderDepth) look(name, depth + 1)
    }
  }
  look('', 0)
  return names
}
