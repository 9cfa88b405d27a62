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
  /** A file was just changed by this process: read it again. */
  forget(): void
}

type Cached<Value> = { lookedAt: number; stamp: string; value: Value }

export function textFiles(clock: Clock = systemClock): TextFiles {
  const texts = new Map<string, Cached<string | null>>()
  const folders = new Map<string, Cached<readonly string[]>>()

  // A look is a system call; a thousand generations a second must not make a thousand of them for each file.
  const isFresh = (cached: Cached<unknown> | undefined): boolean =>
    cached !== undefined && clock.now() - cached.lookedAt < textFileLimits.looksAgainMs

  function read(path: string): string | null {
    const cached = texts.get(path)
    if (cached && isFresh(cached)) return cached.value
    const stamp = readStamp(path)
    const value = cached?.stamp === stamp ? cached.value : readText(path, stamp)
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
      const cached = folders.get(key)
      if (cached && isFresh(cached)) return cached.value
      const value = readStamp(folder) === '' ? [] : filesBelow(folder, ending)
      folders.set(key, { lookedAt: clock.now(), stamp: '', value })
      return value
    },
    forget() {
      for (const cached of [...texts.values(), ...folders.values()]) cached.lookedAt = -Infinity
    },
  }
}

/** Empty when there is nothing. A file that was replaced by another has another inode, even within one millisecond. */
function readStamp(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat ? `${stat.ino}:${stat.mtimeMs}:${stat.size}` : ''
  } catch {
    return ''
  }
}

function readText(path: string, stamp: string): string | null {
  if (stamp === '') return null
  try {
    const bytes = readFileSync(path)
    if (bytes.length <= textFileLimits.fileBytes) return bytes.toString('utf8').replace(/^\ufeff/, '')
    const excess = bytes.length - textFileLimits.fileBytes
    return `${bytes.toString('utf8', 0, textFileLimits.fileBytes)}\n[${excess} more bytes of this file were omitted: it is too long.]`
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
