/**
 * Patterns for paths: `*` is anything within one name, `**` any number of names, `?` one character, `\` takes the next
 * character literally. Unlike in a shell, names that begin with a dot match too. Matching takes time proportional to
 * pattern × path: no backtracking and no regular expression built from a pattern.
 */
export type Glob = { isAbsolute: boolean; parts: readonly GlobPart[]; first: FirstName | null }

/** The first name when it is literal: most globs are ruled out by it without reading further. */
type FirstName = { exact: string; folded: string }

type GlobPart = { isDeep: true } | { isDeep: false; chars: readonly GlobChar[] }

/** A literal character, or one of the wildcards. */
type GlobChar = { char: string } | 'one' | 'many'

export const globLimits = { patternChars: 500, pathChars: 4_000 } as const

/** The parsed pattern, or the reason it cannot be one. */
export function parseGlob(pattern: string): Glob | { fault: string } {
  if (pattern.length > globLimits.patternChars) return { fault: `the pattern has more than ${globLimits.patternChars} characters` }
  if (pattern === '') return { fault: 'the pattern is empty; write ** for everything in the project' }
  if (pattern.startsWith('~')) return { fault: '~ is not expanded here; write the full path' }
  const isAbsolute = pattern.startsWith('/')
  const parts: GlobPart[] = []
  for (const name of pattern.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') return { fault: '".." is not possible in a pattern; write the path from the project folder' }
    if (name === '**') {
      parts.push({ isDeep: true })
      continue
    }
    const chars = parseName(name)
    if ('fault' in chars) return chars
    parts.push({ isDeep: false, chars: chars.chars })
  }
  return { isAbsolute, parts, first: firstName(parts) }
}

function firstName([part]: readonly GlobPart[]): FirstName | null {
  if (!part || part.isDeep) return null
  const literal = part.chars.map((char) => (typeof char === 'string' ? null : char.char))
  if (literal.includes(null)) return null
  const exact = literal.join('')
  return { exact, folded: foldCase(exact) }
}

function parseName(name: string): { chars: GlobChar[] } | { fault: string } {
  const chars: GlobChar[] = []
  const characters = Array.from(name.normalize('NFC'))
  for (let at = 0; at < characters.length; at += 1) {
    const char = characters[at] ?? ''
    if (char === '\\') {
      at += 1
      const next = characters[at]
      if (next === undefined) return { fault: 'a backslash must be followed by a character' }
      chars.push({ char: next })
    } else if (char === '*') {
      if (chars.at(-1) === 'many') return { fault: '** must be a whole name between slashes' }
      chars.push('many')
    } else if (char === '?') chars.push('one')
    else if ('{}[]'.includes(char))
      return { fault: `"${char}" has no meaning here; write one rule for each path, or \\${char} for the character` }
    else chars.push({ char })
  }
  return { chars }
}

/** True if the first name of the glob has no literal character, so that it matches in every folder. */
export const startsAnywhere = ({ parts: [first] }: Glob): boolean =>
  first === undefined || first.isDeep || first.chars.every((char) => typeof char === 'string')

/**
 * `yes`: the path matches. `below`: it does not, but something below it could. `fold` compares without case, as a deny rule
 * does everywhere.
 */
export function matchGlob(glob: Glob, path: string, fold: boolean): 'yes' | 'below' | 'no' {
  if (path.length > globLimits.pathChars) return 'no'
  if (glob.first && isOtherName(glob.first, getFirstName(path), fold)) return 'no'
  const names = path.split('/').filter((name) => name !== '')
  // The positions in `parts` that the names read so far can have led to.
  let states = closure(glob.parts, new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const state of states) {
      const part = glob.parts[state]
      if (!part) continue
      if (part.isDeep) next.add(state)
      else if (matchesName(part.chars, name, fold)) next.add(state + 1)
    }
    states = closure(glob.parts, next)
    if (states.size === 0) return 'no'
  }
  if (states.has(glob.parts.length)) return 'yes'
  return 'below'
}

function getFirstName(path: string): string {
  let start = 0
  while (path[start] === '/') start += 1
  const end = path.indexOf('/', start)
  return path.slice(start, end === -1 ? undefined : end)
}

const isOtherName = ({ exact, folded }: FirstName, name: string, fold: boolean): boolean =>
  name !== '' && (fold ? foldCase(name) !== folded : name.normalize('NFC') !== exact)

/** `**` may stand for no name at all. */
function closure(parts: readonly GlobPart[], states: Set<number>): Set<number> {
  for (const state of states) if (parts[state]?.isDeep) states.add(state + 1)
  return states
}

/** The classic two-pointer match: on a mismatch only the last `*` is tried again, one character further. */
function matchesName(pattern: readonly GlobChar[], name: string, fold: boolean): boolean {
  const chars = Array.from(fold ? foldCase(name) : name.normalize('NFC'))
  let at = 0
  let from = 0
  let star = -1
  let starAt = 0
  while (at < chars.length) {
    const symbol = pattern[from]
    if (symbol === 'many') {
      star = from
      starAt = at
      from += 1
    } else if (symbol !== undefined && (symbol === 'one' || (fold ? foldCase(symbol.char) : symbol.char) === chars[at])) {
      at += 1
      from += 1
    } else if (star === -1) return false
    else {
      from = star + 1
      starAt += 1
      at = starAt
    }
  }
  while (pattern[from] === 'many') from += 1
  return from === pattern.length
}

// eslint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** Compatibility forms are folded as well: some disks take a full-width dot for a dot. */
export const foldCase = (text: string): string => (ascii.test(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase())

/** Wildcards of a glob written as literal characters. */
export const escapeGlob = (path: string): string => path.replace(/[\\*?{}[\]]/g, '\\$&')
