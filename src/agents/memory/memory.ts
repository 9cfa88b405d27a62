import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TextFiles } from '../minds/text-files.ts'
import { placeInside, plainPath } from '../workspace/inside.ts'
import { writeWhole } from '../workspace/write-whole.ts'

export const memoryLimits = { memoryChars: 20_000, memories: 200, inContextChars: 100_000, pathDepth: 5 } as const

/** The memories of one member, or those of the whole team. */
export type Shelf = { member: string } | 'team'

/** Notes that outlive dialogs: files `*.md` below `.minds/memory`. */
export type Memories = {
  add(shelf: Shelf, path: string, content: string): void
  replace(shelf: Shelf, path: string, content: string): void
  drop(shelf: Shelf, path: string): void
  /** Says how many there were. */
  clear(shelf: Shelf): number
  /** Everything a member remembers, the team's first; null when that is nothing. */
  inContext(member: string, words: MemoryWords): string | null
}

export type MemoryWords = { team: string; own: string; leftOut(count: number): string }

export function memories(root: string, files: TextFiles): Memories {
  const resolveFile = (shelf: Shelf, given: string): string => {
    const plain = plainPath(given)
    const name = plain.endsWith('.md') ? plain : `${plain}.md`
    if (plain === '' || name.split('/').length > memoryLimits.pathDepth)
      throw new Error(`"${given.slice(0, 120)}" is not a usable name. Use one such as "customers/acme.md".`)
    const folder = toFolder(shelf)
    const place = placeInside(root, `${folder}/${name}`)
    // A link inside the memory could lead to another part of the project.
    if (!place.name.startsWith(`${folder}/`)) throw new Error(`"${given.slice(0, 120)}" leads out of the memory.`)
    return place.path
  }
  const listNames = (shelf: Shelf): readonly string[] => files.names(join(root, toFolder(shelf)), '.md')
  const write = (path: string, content: string): void => {
    writeWhole(path, content)
    files.forget()
  }
  return {
    add(shelf, path, content) {
      const text = checkContent(content)
      const file = resolveFile(shelf, path)
      if (existsSync(file)) {
        // The same again, as after a crash, is done already.
        if (readFileSync(file, 'utf8') === text) return
        throw new Error(`There is already a memory "${path}". Replace it, or use another name.`)
      }
      if (listNames(shelf).length >= memoryLimits.memories)
        throw new Error(`There are already ${memoryLimits.memories} memories. Drop or join some first.`)
      write(file, text)
    },
    replace(shelf, path, content) {
      const text = checkContent(content)
      const file = resolveFile(shelf, path)
      if (!existsSync(file)) throw new Error(missing(path, listNames(shelf)))
      write(file, text)
    },
    drop(shelf, path) {
      const file = resolveFile(shelf, path)
      if (!existsSync(file)) throw new Error(missing(path, listNames(shelf)))
      rmSync(file)
      files.forget()
    },
    clear(shelf) {
      files.forget()
      const names = listNames(shelf)
      for (const name of names) rmSync(resolveFile(shelf, name), { force: true })
      files.forget()
      return names.length
    },
    inContext(member, words) {
      let room = memoryLimits.inContextChars
      let leftOut = 0
      const parts: string[] = []
      for (const [shelf, title] of [
        ['team', words.team],
        [{ member }, words.own],
      ] as const) {
        const texts = listNames(shelf).flatMap((name) => {
          const text = files.read(join(root, toFolder(shelf), name))?.trim() ?? ''
          if (text === '') return []
          if (text.length > room) {
            leftOut += 1
            return []
          }
          room -= text.length
          return [`## ${name}\n\n${text}`]
        })
        if (texts.length > 0) parts.push(`# ${title}`, ...texts)
      }
      if (leftOut > 0) parts.push(`[${words.leftOut(leftOut)}]`)
      return parts.length === 0 ? null : parts.join('\n\n')
    },
  }
}

const toFolder = (shelf: Shelf): string => (shelf === 'team' ? '.minds/memory/team_shared' : `.minds/memory/individual/${shelf.member}`)

function checkContent(content: string): string {
  if (content.trim() === '') throw new Error('The content is empty.')
  if (content.length > memoryLimits.memoryChars)
    throw new Error(`The content has more than ${memoryLimits.memoryChars} characters. Keep what matters.`)
  return content.toWellFormed()
}

const missing = (path: string, names: readonly string[]): string =>
  `There is no memory "${path.slice(0, 120)}". ${names.length === 0 ? 'There is none at all.' : `There is: ${names.slice(0, 30).join(', ')}.`}`
