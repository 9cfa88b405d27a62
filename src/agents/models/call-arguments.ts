import { jsonValues } from '../../builds/rules/json-values.ts'
import { isRecord } from '../../shapes/record.ts'

export const callArgumentLimits = { depth: 100, unreadableChars: 2_000 } as const

export type Arguments = Record<string, unknown>

export type ReadArguments = { objects: Arguments[] } | { fault: string }

/**
 * Reads the arguments of a call as the model wrote them: a JSON object; else without a markdown fence, tags after the
 * last brace or one layer of string encoding; several objects in a row are several calls. No value is guessed.
 */
export function readArguments(written: unknown): ReadArguments {
  if (typeof written !== 'string') return toObjects([written])
  const text = written.trim()
  // Providers send no text at all for a tool without parameters.
  if (text === '') return { objects: [{}] }
  const value = parse(text)
  if (typeof value === 'string') return readObjects(value.trim())
  return value === undefined ? readObjects(text) : toObjects([value])
}

/** The argument object that is replayed for a call whose arguments could not be read: strict servers accept only objects. */
export function toUnreadable(written: unknown): Arguments {
  const text = typeof written === 'string' ? written : (print(written) ?? '')
  return { unreadable: text.slice(0, callArgumentLimits.unreadableChars).toWellFormed() }
}

function print(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function readObjects(text: string): ReadArguments {
  const { values, rest } = jsonValues(stripTags(stripFence(text)))
  if (values.length === 0 || rest.trim() !== '') return { fault: 'they are not one complete JSON object' }
  return toObjects(values)
}

function toObjects(values: readonly unknown[]): ReadArguments {
  const objects = values.filter(isRecord)
  if (objects.length < values.length) return { fault: 'they are not a JSON object' }
  if (objects.some(isTooDeep)) return { fault: `they are nested more than ${callArgumentLimits.depth} levels deep` }
  return { objects }
}

/** The text inside a markdown fence that encloses all of it. */
export function stripFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 6) return text
  return text
    .slice(3, -3)
    .replace(/^[\w-]{0,20}(?=\s|[{[<])/, '')
    .trim()
}

/** Chat templates leave closing tags such as `</tool_call>` or `<|im_end|>` behind the last brace. */
function stripTags(text: string): string {
  const end = text.lastIndexOf('}') + 1
  const after = text.slice(end, end + 200)
  return end > 0 && text.length - end <= 200 && /^(?:\s*<[/\w|]{1,41}>)+$/.test(after) ? text.slice(0, end) : text
}

/** Deeper values overflow the stack of JSON.stringify, and no tool has such arguments. */
function isTooDeep(value: Arguments): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > callArgumentLimits.depth) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
