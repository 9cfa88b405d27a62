import { hash } from 'node:crypto'
import { constants, lstatSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { plainFact } from '../../authority/shown-fact.ts'
import { authorityWords } from '../../words/index.ts'
import type { Role } from '../../authority/roles.ts'
import type { ShownCall } from '../../dialogs/rules/approval.ts'
import type { Language } from '../../shapes/language.ts'
import type { Tool, ToolContext } from '../../ports/agent-runtime.ts'
import type { CallScene, ToolGate } from '../../ports/tool-gate.ts'
import { defineTool } from '../tool.ts'
import type { DirectoryRules } from './directory-rules.ts'
import type { Place } from './inside.ts'
import { pathGate } from './path-gate.ts'
import { inWords } from './read-tools.ts'
import { unifiedDiff } from './unified-diff.ts'
import { writeWhole } from './write-whole.ts'
import { errorMessage } from '../../errors.ts'

export const writeLimits = { fileChars: 2_000_000 } as const

const path = z.string().describe("Relative to the project's folder, such as notes/plan.md.")

/** A change that a call would make to a file as it is now. */
type Change = { place: Place; now: string | null; next: string }

/** The policy lets this agent read the path in a turn of this role without asking. */
export type MayRead = (path: string, at: { dialog: string; agent: string; role: Role }) => boolean

/** Changing files: whole, or one place in them. */
export function writeTools(rules: DirectoryRules, mayRead: MayRead): readonly Tool[] {
  const wholeFile = z.object({ path, content: z.string().max(writeLimits.fileChars), overwrite: z.boolean().default(false) })
  const oneText = z.object({ path, old_text: z.string().min(1), new_text: z.string() })

  const planFile = (given: z.output<typeof wholeFile>, language?: Language, judged?: string): Change => {
    const place = rules.enter(given.path, 'write', language, judged)
    const next = given.content.toWellFormed()
    const now = textNow(place.path, given.path)
    if (now !== null && now !== next && !given.overwrite)
      throw new Error(`"${given.path}" exists already. Set overwrite to true to replace all of it, or use edit_file.`)
    return { place, now, next }
  }
  const planEdit = (given: z.output<typeof oneText>, language?: Language, judged?: string): Change & { at: number; now: string } => {
    const place = rules.enter(given.path, 'write', language, judged)
    const now = textNow(place.path, given.path)
    if (now === null) throw new Error(`"${given.path}" is not there.`)
    const count = now.split(given.old_text).length - 1
    if (count === 0) throw new Error('The old text is not in the file. It must fit exactly, also in spaces and line ends.')
    if (count > 1) throw new Error(`The old text is in the file ${count} times. Take more of what is around it.`)
    const at = now.indexOf(given.old_text)
    const next = now.slice(0, at) + given.new_text.toWellFormed() + now.slice(at + given.old_text.length)
    if (next.length > writeLimits.fileChars) throw new Error(`The file would have more than ${writeLimits.fileChars} characters.`)
    return { place, now, next, at }
  }
  return [
    defineTool({
      name: 'write_file',
      description: 'Write a whole text file. One that exists is only replaced when overwrite is true.',
      input: wholeFile,
      // The same words in the same place: twice is once.
      afterCrash: 'repeat',
      gate: changeGate(rules, mayRead, (input, language) => planFile(input as z.output<typeof wholeFile>, language)),
      run(given, context) {
        const { language, approvedFiles, judgedPath } = context
        const { place, now, next } = hideContent(() => planFile(given, language, judgedPath), given.path, context, mayRead)
        checkBase(given.path, now, approvedFiles)
        if (now !== next) writeWhole(place.path, next)
        return 'Written.'
      },
    }),
    defineTool({
      name: 'edit_file',
      description: 'Replace one exact text in a file by another. The old text must be there exactly once; take enough around it.',
      input: oneText,
      // A second time might find the old text inside of the new one.
      afterCrash: 'ask',
      gate: changeGate(rules, mayRead, (input, language) => planEdit(input as z.output<typeof oneText>, language)),
      run(given, context) {
        const { language, approvedFiles, judgedPath } = context
        const { place, now, next, at } = hideContent(() => planEdit(given, language, judgedPath), given.path, context, mayRead)
        checkBase(given.path, now, approvedFiles)
        writeWhole(place.path, next)
        return `Changed at line ${now.slice(0, at).split('\n').length}.`
      },
    }),
  ]
}

/** Approvers see the change as a diff, and it holds only for the file that the diff was made from. */
function changeGate(rules: DirectoryRules, mayRead: MayRead, plan: (input: unknown, language?: Language) => Change): ToolGate {
  return pathGate(rules, 'write', {
    bound: (input) => baseHash(rules, (input as { path: string }).path),
    show: (input, scene) => shownChange(input as { path: string }, scene, { plan, mayRead }),
  })
}

function baseHash(rules: DirectoryRules, given: string): Record<string, string> {
  try {
    return { [given]: hashOfText(textNow(rules.enter(given, 'write').path, given)) }
  } catch {
    return { [given]: 'unreadable' }
  }
}

const hashOfText = (text: string | null): string => (text === null ? 'missing' : hash('sha256', text, 'base64url'))

/** In the same moment as the change itself: another program may write to the project at any time. */
function checkBase(named: string, now: string | null, approved: Readonly<Record<string, string>> | undefined): void {
  const base = approved?.[named]
  if (base !== undefined && base !== hashOfText(now))
    throw new Error(`"${named}" has changed since the change was approved, so nothing was written. Read it and try again.`)
}

type ChangeParts = { plan: (input: unknown, language?: Language) => Change; mayRead: MayRead }

function shownChange(input: { path: string }, scene: CallScene, { plan, mayRead }: ChangeParts): ShownCall {
  const preview = { kind: 'write', target: input.path, server: '' } as const
  const words = authorityWords[scene.language].shown
  try {
    const { place, now, next } = plan(input, scene.language)
    const facts = place.name === input.path ? [] : [plainFact(words, 'realPath', place.name)]
    return { ...preview, text: unifiedDiff(input.path, now, next), facts }
  } catch (error) {
    // A change that cannot be made is no question for a person, unless the requester may not read the file: whether the change
    // can be made says something about its content.
    if (mayRead(input.path, scene)) throw error
    const why = errorMessage(error)
    return { ...preview, text: JSON.stringify(input, null, 2), facts: [plainFact(words, 'fails', why)] }
  }
}

/** The reason why a change fails is not for an agent that may not read the file, unless a person approved the call. */
function hideContent<T>(plan: () => T, named: string, context: ToolContext, mayRead: MayRead): T {
  try {
    return plan()
  } catch (error) {
    if (context.approvedFiles || mayRead(named, { ...context, role: context.cause.role })) throw error
  }
  throw new Error(`"${named}" was not changed. The reason is not shown because reading it is not allowed here.`)
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
