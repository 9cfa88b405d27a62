import { type Glob, parseGlob, startsAnywhere } from './glob.ts'
import { parseNetHost } from './subjects/net.ts'

/**
 * The subject of a rule or a grant, as `kind(pattern)`:
 *
 * | scope | pattern |
 * |---|---|
 * | `run(git log *)` | program and words; a final `*` leaves further words free; quotes as in a shell |
 * | `read(docs/**)`, `write(src/a.ts)` | a path from the project folder, or an absolute one |
 * | `net(example.org)`, `net(*.example.org:8443)` | host, with a port other than 80 and 443 named |
 * | `message(telegram:-500)` | channel and address; a final `*` is anything |
 * | `mcp(github/create_issue)`, `mcp(github/*)` | server and original tool name |
 * | `tool(deploy)` | any other tool, by name |
 */
export type Scope = RunScope | PathScope | NetScope | NameScope

export type RunScope = { kind: 'run'; words: readonly string[]; isOpen: boolean }
export type PathScope = { kind: 'read' | 'write'; glob: Glob }
/** `host` without its `*.`; an empty host is every host. */
export type NetScope = { kind: 'net'; host: string; hasSubdomains: boolean; port: number | null }
/** `isOpen`: the name only has to begin with this. */
export type NameScope = { kind: 'message' | 'mcp' | 'tool'; name: string; isOpen: boolean; where: Where }

/** Top-level scalars of the input that must match; a `*` at the end of a value is anything. */
export type Where = Readonly<Record<string, string>>

export const scopeKinds = ['run', 'read', 'write', 'net', 'message', 'mcp', 'tool'] as const

export const scopeLimits = { chars: 4_000, words: 200, whereFields: 20, whereChars: 200 } as const

/** Reads `kind(pattern)`; a fault is one clause for a person. */
export function parseScope(text: string, where: Where = {}): { scope: Scope } | { fault: string } {
  if (text.length > scopeLimits.chars) return { fault: `it has more than ${scopeLimits.chars} characters` }
  const [, kind = '', pattern = ''] = /^([a-z]+)\(([\s\S]*)\)$/.exec(text.trim()) ?? []
  if (kind === '') return { fault: 'it must be written as kind(pattern), such as run(git status *)' }
  const fault = faultOfWhere(kind, where)
  if (fault !== null) return { fault }
  switch (kind) {
    case 'run':
      return parseRun(pattern)
    case 'read':
    case 'write': {
      const glob = parseGlob(pattern.trim())
      return 'fault' in glob ? glob : { scope: { kind, glob } }
    }
    case 'net':
      return parseNet(pattern.trim().toLowerCase())
    case 'message':
    case 'mcp':
    case 'tool':
      return parseName(kind, pattern.trim(), where)
    default:
      return { fault: `"${kind}" is not known. Known: ${scopeKinds.join(', ')}` }
  }
}

function faultOfWhere(kind: string, where: Where): string | null {
  const fields = Object.entries(where)
  if (fields.length === 0) return null
  if (kind !== 'mcp' && kind !== 'tool') return '"where" is only possible with mcp(…) and tool(…)'
  if (fields.length > scopeLimits.whereFields) return `"where" has more than ${scopeLimits.whereFields} fields`
  for (const [field, value] of fields) {
    if (value.length > scopeLimits.whereChars) return `where.${field} has more than ${scopeLimits.whereChars} characters`
    if (value.slice(0, -1).includes('*')) return `where.${field}: "*" is only possible at the end`
  }
  return null
}

function parseRun(pattern: string): { scope: RunScope } | { fault: string } {
  const words: string[] = []
  let isOpen = false
  for (const [, word = ''] of splitWords(pattern)) {
    if (isOpen) return { fault: '"*" is only possible as the last word; put it in quotes to mean the character' }
    if (word === '*') isOpen = true
    else {
      const value = unquote(word)
      if (value === null) return { fault: `"${word}" is not a literal word; only a final * stands for other words` }
      words.push(value)
    }
  }
  if (words.length === 0 && !isOpen) return { fault: 'it names no command' }
  if (words.length > scopeLimits.words) return { fault: `it has more than ${scopeLimits.words} words` }
  return { scope: { kind: 'run', words, isOpen } }
}

const splitWords = (text: string): RegExpStringIterator<RegExpExecArray> =>
  text.matchAll(/((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]|['"\\])+)/gs)

/** The literal value of a word of a pattern, or null when it holds something a shell would expand. */
function unquote(word: string): string | null {
  let value = ''
  for (const [piece, single, double, escaped] of word.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|./gs)) {
    if (single !== undefined) value += single
    else if (double !== undefined) value += double.replaceAll(/\\(["\\$`])/g, '$1')
    else if (escaped !== undefined) value += escaped
    else if (/['"\\*?$`;|&<>()]/.test(piece)) return null
    else value += piece
  }
  return value
}

function parseNet(pattern: string): { scope: NetScope } | { fault: string } {
  if (pattern === '*') return { scope: { kind: 'net', host: '', hasSubdomains: true, port: null } }
  const [, wild = '', name = '', port] = /^(\*\.)?(\[[0-9a-f:.]+\]|[\p{L}\p{M}\p{N}._-]+)(?::(\d{1,5}))?$/u.exec(pattern) ?? []
  if (name === '') return { fault: 'it must be host or host:port, such as api.example.org or *.example.org:8443' }
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return { fault: `${port} is not a port` }
  // In the spelling that the hosts of calls have.
  const read = parseNetHost(name)
  if (!read) return { fault: `"${name}" is not the name or address of a host` }
  return { scope: { kind: 'net', host: read.host, hasSubdomains: wild !== '', port: port === undefined ? null : Number(port) } }
}

function parseName(kind: NameScope['kind'], pattern: string, where: Where): { scope: NameScope } | { fault: string } {
  if (pattern === '') return { fault: 'it names nothing; write * for everything' }
  const isOpen = pattern.endsWith('*')
  const name = isOpen ? pattern.slice(0, -1) : pattern
  if (name.includes('*')) return { fault: '"*" is only possible at the end' }
  if (/[\s()]/.test(name)) return { fault: `"${name}" has characters that no name has` }
  if (kind === 'mcp' && name !== '' && !/^[^/]+\/.*$/.test(name)) return { fault: 'it must be server/tool, server/* or *' }
  if (kind === 'message' && name !== '' && !name.includes(':')) return { fault: 'it must be channel:address, such as telegram:-500' }
  return { scope: { kind, name, isOpen, where } }
}

/** Scopes that cover nearly everything. They can only be granted on the page, confirmed twice, and are never proposed. */
export function isWide(scope: Scope): boolean {
  switch (scope.kind) {
    case 'run':
      return scope.isOpen && scope.words.length <= 1
    case 'read':
    case 'write':
      return startsAnywhere(scope.glob)
    case 'net':
      return scope.host === ''
    case 'message':
    case 'mcp':
    case 'tool':
      return scope.isOpen && scope.name === ''
  }
}
