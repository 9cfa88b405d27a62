/** Functions as 0.1 had them, which take quadratic time or more: what today's must give the same result as. */

import { isDeepStrictEqual } from 'node:util'
import type { JsonChange } from '../../src/plugins/host/json-change.ts'
import { isRecord } from '../../src/shapes/record.ts'

export function referenceGlob(glob: string, options: { andBelow?: boolean } = {}): RegExp {
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')
  let source = ''
  let depth = 0
  for (let at = 0; at < plain.length; at += 1) {
    const rest = plain.slice(at)
    const char = plain[at] ?? ''
    if (rest.startsWith('/**') && (rest.length === 3 || rest[3] === '/')) [source, at] = [`${source}(?:/.*)?`, at + 2]
    else if (rest.startsWith('**/')) [source, at] = [`${source}(?:.*/)?`, at + 2]
    else if (rest.startsWith('**')) [source, at] = [`${source}.*`, at + 1]
    else if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '{' && rest.includes('}')) [source, depth] = [`${source}(?:`, depth + 1]
    else if (char === '}' && depth > 0) [source, depth] = [`${source})`, depth - 1]
    else if (char === ',' && depth > 0) source += '|'
    else source += char.replace(/[.+^$()|[\]{}\\]/, '\\$&')
  }
  source += ')'.repeat(depth)
  if (plain === '' || plain === '.') source = '.*'
  return new RegExp(`^${source}${options.andBelow ? '(?:/.*)?' : ''}$`, 'su')
}

export const referencePreview = (text: string): string =>
  text
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replace(/\*\*|__|~~|`+/g, '')
    .replace(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|[.,;:!?]|$)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

export const referenceVariables = (
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): { text: string; missing: string[] } => {
  const missing: string[] = []
  const variable = /(\$?)\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}/g
  const filled = text.replace(variable, (whole: string, escape: string, name: string, otherwise: string | undefined) => {
    if (escape !== '') return whole.slice(1)
    const value = env[name]
    if (value !== undefined && value !== '') return value
    if (otherwise === undefined) missing.push(name)
    return otherwise ?? ''
  })
  return { text: filled, missing }
}

/** The blocks of an event stream, split again from their beginning with each piece. */
export function referenceBlocks(pieces: readonly string[]): string[] {
  const matches: string[] = []
  let rest = ''
  for (const piece of pieces) {
    const text = rest + piece
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const blocks = whole.split(/\r\n\r\n|\n\n|\r\r/)
    rest = (blocks.pop() ?? '') + text.slice(whole.length)
    matches.push(...blocks)
  }
  return matches
}

export function referenceChange(before: unknown, after: unknown): JsonChange | null {
  if (isDeepStrictEqual(before, after)) return null
  if (Array.isArray(before) && Array.isArray(after)) return listChange(before, after)
  if (isRecord(before) && isRecord(after)) {
    const inner = Object.entries(after).flatMap(([name, value]): [string, JsonChange][] => {
      const change = Object.hasOwn(before, name) ? referenceChange(before[name], value) : { set: value }
      return change ? [[name, change]] : []
    })
    const without = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
    return { in: Object.fromEntries(inner), ...(without.length > 0 && { without }) }
  }
  return { set: after }
}

function listChange(before: readonly unknown[], after: readonly unknown[]): JsonChange {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && isDeepStrictEqual(before[at], after[at])) at += 1
  let same = 0
  while (same < shorter - at && isDeepStrictEqual(before.at(-1 - same), after.at(-1 - same))) same += 1
  const cut = before.length - same - at
  const put = after.slice(at, after.length - same)
  const change = cut === 1 && put.length === 1 ? referenceChange(before[at], put[0]) : null
  return change && !('set' in change) ? { at, change } : { at, cut, put }
}

function fromLines(body: string, questions: readonly string[]): Map<string, string> | null {
  const found = new Map<string, string>()
  let last: string | null = null
  for (const line of body.replace(/\r\n?/g, '\n').split('\n')) {
    const id = questions.find((each) => line.startsWith(`${each}:`))
    if (id !== undefined && !found.has(id)) {
      found.set(id, line.slice(id.length + 1).trim())
      last = id
    } else if (last !== null) found.set(last, `${found.get(last)}\n${line}`.trimEnd())
    else if (line.trim() !== '') return null
  }
  return found.size === 0 ? null : found
}

export function referenceAnswers(body: string, questions: readonly string[]): Record<string, string> | null {
  const found = fromLines(body, questions)
  return found && questions.every((id) => found.has(id)) ? Object.fromEntries(found) : null
}
