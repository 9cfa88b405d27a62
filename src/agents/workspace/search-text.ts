import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '../../shapes/language.ts'
import type { DirectoryRules } from './directory-rules.ts'
import { readTextAt } from './read-tools.ts'

export const searchLimits = { files: 5_000, bytes: 50_000_000, hits: 200, lineChars: 300, depth: 40 } as const

type Wanted = { text: string; path: string; ignoreCase: boolean; language?: Language | undefined; judgedPath?: string | undefined }

/** Folders that hold what others have made; searching them buries what was looked for. */
const skipped = new Set(['node_modules', '.git'])

/** Lines with the text, as `name:line: text`. Links are not followed. What was not looked at is said. */
export async function searchText(rules: DirectoryRules, wanted: Wanted, signal: AbortSignal): Promise<string> {
  const top = rules.enter(wanted.path, 'read', wanted.language, wanted.judgedPath)
  const fold = (text: string): string => (wanted.ignoreCase ? text.toLowerCase() : text)
  const needle = fold(wanted.text)
  const hits: string[] = []
  let files = 0
  let bytes = 0
  /** Why the search ended early. */
  const full: string[] = []

  const searchFile = async (path: string, name: string): Promise<void> => {
    if (files >= searchLimits.files) full.push(`only the first ${searchLimits.files} files were searched`)
    else if (bytes >= searchLimits.bytes) full.push(`only the first ${searchLimits.bytes} bytes were searched`)
    if (full.length > 0) return
    files += 1
    const text = await readTextAt(path, name).catch(() => null)
    if (text === null) return
    bytes += text.length
    if (!fold(text).includes(needle)) return
    for (const [index, line] of text.split('\n').entries()) {
      if (!fold(line).includes(needle)) continue
      if (hits.length >= searchLimits.hits) {
        full.push(`only the first ${searchLimits.hits} lines are shown`)
        return
      }
      hits.push(`${name}:${index + 1}: ${line.trim().slice(0, searchLimits.lineChars).toWellFormed()}`)
    }
  }
  const searchFolder = async (path: string, name: string, depth: number): Promise<void> => {
    signal.throwIfAborted()
    const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (full.length > 0) return
      const inner = name === '' ? entry.name : `${name}/${entry.name}`
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && rules.protection(inner) !== 'hidden' && depth < searchLimits.depth)
          await searchFolder(join(path, entry.name), inner, depth + 1)
      } else if (entry.isFile() && rules.isOpen(inner, 'read')) await searchFile(join(path, entry.name), inner)
    }
  }
  // A file may be named as well as a folder; reading a file as a folder finds nothing.
  await searchFolder(top.path, top.name, 0)
  if (files === 0 && top.name !== '') await searchFile(top.path, top.name)
  const result = hits.length === 0 ? `Nothing found in ${files} files.` : hits.join('\n')
  return full.length === 0 ? result : `${result}\n[${full.join('; ')}]`
}
