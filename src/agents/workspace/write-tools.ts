import { constants, lstatSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Tool } from '../../ports/agent-runtime.ts'
import { defineTool } from '../tool.ts'
import type { DirectoryRules } from './directory-rules.ts'
import { inWords } from './read-tools.ts'
import { writeWhole } from './write-whole.ts'

export const writeLimits = { fileChars: 2_000_000 } as const

const path = z.string().describe("Relative to the project's folder, such as notes/plan.md.")

/** Changing files: whole, or one place in them. */
export function writeTools(rules: DirectoryRules): readonly Tool[] {
  return [
    defineTool({
      name: 'write_file',
      description: 'Write a whole text file. One that exists is only replaced when overwrite is true.',
      input: z.object({ path, content: z.string().max(writeLimits.fileChars), overwrite: z.boolean().default(false) }),
      // The same words in the same place: twice is once.
      afterCrash: 'repeat',
      run(given, { language }) {
        const place = rules.enter(given.path, 'write', language)
        const content = given.content.toWellFormed()
        const now = textNow(place.path, given.path)
        if (now === content) return 'Written.'
        if (now !== null && !given.overwrite)
          throw new Error(`"${given.path}" exists already. Set overwrite to true to replace all of it, or use edit_file.`)
        writeWhole(place.path, content)
        return 'Written.'
      },
    }),
    defineTool({
      name: 'edit_file',
      description: 'Replace one exact text in a file by another. The old text must be there exactly once; take enough around it.',
      input: z.object({ path, old_text: z.string().min(1), new_text: z.string() }),
      // A second time might find the old text inside of the new one.
      afterCrash: 'ask',
      run(given, { language }) {
        const place = rules.enter(given.path, 'write', language)
        const now = textNow(place.path, given.path)
        if (now === null) throw new Error(`"${given.path}" is not there.`)
        const count = now.split(given.old_text).length - 1
        if (count === 0) throw new Error('The old text is not in the file. It must fit exactly, also in spaces and line ends.')
        if (count > 1) throw new Error(`The old text is in the file ${count} times. Take more of what is around it.`)
        const at = now.indexOf(given.old_text)
        const next = now.slice(0, at) + given.new_text.toWellFormed() + now.slice(at + given.old_text.length)
        if (next.length > writeLimits.fileChars) throw new Error(`The file would have more than ${writeLimits.fileChars} characters.`)
        writeWhole(place.path, next)
        return `Changed at line ${now.slice(0, at).split('\n').length}.`
      },
    }),
  ]
}

/** Read and written within one moment of this process, so that no other call comes between. */
function textNow(real: string, named: string): string | null {
  const stat = lstatSync(real, { throwIfNoEntry: false })
  if (!stat) return null
  if (!stat.isFile()) throw new Error(`"${named}" is not a file.`)
  if (stat.nlink > 1) throw new Error(`"${named}" has another name (a hard link), so it cannot be changed here. Ask a person to change it.`)
  if (stat.size > writeLimits.fileChars * 4) throw new Error(`"${named}" is too large to be changed here.`)
  let bytes: Buffer
  try {
    bytes = readFileSync(real, { flag: constants.O_RDONLY | constants.O_NOFOLLOW })
  } catch (error) {
    return inWords(named)(error)
  }
  const text = bytes.toString('utf8')
  // Bytes that are no text would come back changed.
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error(`"${named}" is not a text file.`)
  return text
}
