import { constants, type Dirent } from 'node:fs'
import { open, readdir, realpath, stat as statOf } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../../ports/agent-runtime.ts'
import { OutputWithFiles } from '../../ports/tool-output.ts'
import { defineTool } from '../tool.ts'
import type { DirectoryRules } from './directory-rules.ts'
import { pathGate } from './path-gate.ts'
import { searchText } from './search-text.ts'

export const readLimits = { fileBytes: 10_000_000, shownChars: 50_000, listedEntries: 1_000 } as const

const path = z.string().describe("Relative to the project's folder, such as notes/plan.md.")

/** Looking at files. Nothing is changed, so all may be repeated. */
export function readTools(rules: DirectoryRules): readonly Tool[] {
  return [
    defineTool({
      name: 'list_dir',
      description: 'List a folder of the project. Names of folders end with "/".',
      input: z.object({ path: path.default('.') }),
      afterCrash: 'repeat',
      gate: pathGate(rules, 'read'),
      async run(given, { language, judgedPath }) {
        const place = rules.enter(given.path, 'read', language, judgedPath)
        const entries = await readdir(place.path, { withFileTypes: true }).catch(inWords(given.path))
        const inside = (entry: Dirent): string => (place.name === '' ? entry.name : `${place.name}/${entry.name}`)
        const visible = entries.filter((entry) => rules.protection(inside(entry)) !== 'hidden')
        const names = visible.map((entry) => {
          const mark = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''
          return `${entry.name}${mark}${rules.isOpen(inside(entry), 'read') ? '' : ' (closed)'}`
        })
        const listed = names.toSorted().slice(0, readLimits.listedEntries)
        if (names.length > listed.length) listed.push(`[${names.length - listed.length} more were omitted]`)
        return listed.length === 0 ? '(empty)' : listed.join('\n')
      },
    }),
    defineTool({
      name: 'read_file',
      description: 'Read a text file of the project, or some of its lines, or look at an image.',
      input: z.object({ path, from_line: z.int().min(1).default(1), lines: z.int().min(1).max(10_000).default(2_000) }),
      afterCrash: 'repeat',
      gate: pathGate(rules, 'read'),
      async run(given, { language, judgedPath }) {
        const bytes = await readAt(rules.judgedPlace(given.path, judgedPath, language).path, given.path)
        if (looksLikeImage(bytes)) return new OutputWithFiles('', [{ name: basename(given.path), bytes }])
        const text = toText(bytes, given.path)
        const all = text.split('\n')
        const visible = all.slice(given.from_line - 1, given.from_line - 1 + given.lines)
        let out = visible.join('\n')
        const notes: string[] = []
        if (out.length > readLimits.shownChars) {
          notes.push(`${out.length - readLimits.shownChars} characters of these lines were omitted`)
          out = out.slice(0, readLimits.shownChars).toWellFormed()
        }
        const rest = all.length - (given.from_line - 1) - visible.length
        if (rest > 0) notes.push(`${rest} more lines follow line ${given.from_line - 1 + visible.length}`)
        if (visible.length === 0) return `[The file has only ${all.length} lines.]`
        return notes.length === 0 ? out : `${out}\n[${notes.join('; ')}]`
      },
    }),
    defineTool({
      name: 'search_text',
      description: 'Find lines that contain a text, in all readable files below a folder. The text is taken as it is, not as a pattern.',
      input: z.object({ text: z.string().min(1).max(1_000), path: path.default('.'), ignore_case: z.boolean().default(false) }),
      afterCrash: 'repeat',
      gate: pathGate(rules, 'read', { isRecursive: true }),
      run: (given, { signal, language, judgedPath }) =>
        searchText(rules, { text: given.text, path: given.path, ignoreCase: given.ignore_case, language, judgedPath }, signal),
    }),
  ]
}

/** The text of a place that was entered. */
export const readTextAt = async (real: string, named: string): Promise<string> => toText(await readAt(real, named), named)

function toText(bytes: Buffer, named: string): string {
  if (bytes.subarray(0, 8_000).includes(0)) throw new Error(`"${named}" is not a text file.`)
  return bytes.toString('utf8')
}

/** PNG, JPEG, GIF and WebP. */
const looksLikeImage = (bytes: Buffer): boolean =>
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}WEBP)/.test(bytes.toString('latin1', 0, 12))

/** The bytes of a place that was entered. A link that took its name since then is not followed. */
async function readAt(real: string, named: string): Promise<Buffer> {
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(inWords(named))
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error(`"${named}" is not a file.`)
    // A parent may have become a link since the path was checked; then the open file is another one.
    const now = await statOf(real).catch(inWords(named))
    if ((await realpath(real).catch(inWords(named))) !== real || now.ino !== stat.ino || now.dev !== stat.dev)
      throw new Error(`"${named}" was replaced while it was being read. Try again.`)
    if (stat.size > readLimits.fileBytes) throw new Error(`"${named}" is larger than ${readLimits.fileBytes} bytes.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

export function inWords(named: string): (error: unknown) => never {
  return (error) => {
    const { code } = error as NodeJS.ErrnoException
    const why =
      {
        ENOENT: 'is not there',
        ENOTDIR: 'is not a folder',
        EISDIR: 'is a folder',
        ELOOP: 'is a link',
        EACCES: 'may not be read by the server',
      }[code ?? ''] ?? `cannot be read (${code ?? 'it failed'})`
    throw new Error(`"${named}" ${why}.`, { cause: error })
  }
}
