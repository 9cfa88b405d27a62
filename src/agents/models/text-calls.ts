import { jsonValues } from '../../builds/rules/json-values.ts'
import { isRecord } from '../../shapes/record.ts'
import { stripFence } from './call-arguments.ts'
import { findTool } from './tool-name.ts'

const opening = /^\s*<(?:tool_calls?|function_call|function|tool)>\s*/
const closing = /^\s*<\/(?:tool_calls?|function_call|function|tool)>\s*/

/**
 * Calls that a local model wrote as text: an output that is nothing but a fenced or tagged `{"name", "arguments"}` of an
 * offered tool, or several of them. null when it is anything else.
 */
export function readTextCalls(text: string, tools: readonly string[]): { name: string; input: unknown }[] | null {
  const trimmed = text.trim()
  const unfenced = stripFence(trimmed)
  const isFenced = unfenced !== trimmed
  const values = opening.test(unfenced) ? readTagged(unfenced) : isFenced ? readAll(unfenced) : null
  if (values === null || values.length === 0) return null
  const calls: { name: string; input: unknown }[] = []
  for (const value of values) {
    const call = toCall(value, tools)
    if (call === null) return null
    calls.push(call)
  }
  return calls
}

function readAll(text: string): unknown[] | null {
  const { values, rest } = jsonValues(text.trim())
  return rest.trim() === '' ? values : null
}

/** The closing tag of the last call may be missing: servers that stop at it do not send it. */
function readTagged(text: string): unknown[] | null {
  const all: unknown[] = []
  let rest = text
  while (rest !== '') {
    const tag = opening.exec(rest)?.[0]
    if (tag === undefined) return null
    const { values, rest: after } = jsonValues(rest.slice(tag.length))
    if (values.length === 0) return null
    all.push(...values)
    rest = after.replace(closing, '')
    if (rest === after && after !== '') return null
  }
  return all
}

function toCall(value: unknown, tools: readonly string[]): { name: string; input: unknown } | null {
  if (!isRecord(value) || Object.keys(value).some((key) => key !== 'name' && key !== 'arguments')) return null
  const { name, arguments: input } = value
  if (typeof name !== 'string' || !('tool' in findTool(name, tools))) return null
  return isRecord(input) || typeof input === 'string' ? { name, input } : null
}
