/** A parser for the syntax of JavaScript regular expressions, as far as the analysis of their run time needs it. */
export type RegexNode =
  /** One character; `source` is its expression, such as `a`, `\d`, `.` or `[^x]`. */
  | { kind: 'char'; source: string }
  | { kind: 'sequence'; parts: RegexNode[] }
  | { kind: 'either'; parts: RegexNode[] }
  | { kind: 'repeat'; body: RegexNode; least: number; most: number }
  /** `^`, `$`, `\b`, `\B`. */
  | { kind: 'assertion'; source: string }
  | { kind: 'look'; body: RegexNode }
  /** A back reference is approximated by any text. */
  | { kind: 'reference' }

export function parseRegex(source: string, flags: string): RegexNode {
  let at = 0
  const isUnicode = /[uv]/.test(flags)
  const tree = either()
  if (at < source.length) throw new Error(`unexpected ${source.slice(at, at + 10)} in /${source}/`)
  return tree

  function either(): RegexNode {
    const parts = [sequence()]
    while (source[at] === '|') {
      at += 1
      parts.push(sequence())
    }
    const [only] = parts
    return only && parts.length === 1 ? only : { kind: 'either', parts }
  }

  function sequence(): RegexNode {
    const parts: RegexNode[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom()))
    return { kind: 'sequence', parts }
  }

  function quantified(body: RegexNode): RegexNode {
    const match = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at))
    if (!match) return body
    at += match[0].length
    const [sign, from, comma, to] = [match[0].charAt(0), match[1], match[2], match[3]]
    if (sign !== '{') return { kind: 'repeat', body, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
    const least = Number(from)
    return { kind: 'repeat', body, least, most: comma === undefined ? least : to === '' ? Infinity : Number(to) }
  }

  function atom(): RegexNode {
    const rest = source.slice(at)
    const look = /^\(\?<?[=!]/.exec(rest)
    const open = look ?? /^\((?:\?:|\?<\w+>)?/.exec(rest)
    if (open) {
      at += open[0].length
      const body = either()
      if (source[at] !== ')') throw new Error(`unclosed group in /${source}/`)
      at += 1
      return look ? { kind: 'look', body } : body
    }
    const assertion = /^(?:\^|\$|\\[bB])/.exec(rest)
    if (assertion) return { kind: 'assertion', source: take(assertion[0].length) }
    const reference = /^\\(?:[1-9]\d*|k<\w+>)/.exec(rest)
    if (reference) {
      take(reference[0].length)
      return { kind: 'reference' }
    }
    if (rest.startsWith('[')) return { kind: 'char', source: take(classLength(rest)) }
    const escape = /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[^])/.exec(rest)
    if (escape) return { kind: 'char', source: take(escape[0].length) }
    return { kind: 'char', source: take(isUnicode && (rest.codePointAt(0) ?? 0) > 0xffff ? 2 : 1) }
  }

  function take(length: number): string {
    const piece = source.slice(at, at + length)
    at += length
    return piece
  }

  /** The v flag allows classes inside classes. */
  function classLength(rest: string): number {
    let depth = 0
    for (let index = 0; index < rest.length; index += 1) {
      if (rest[index] === '\\') index += 1
      else if (rest[index] === '[' && (depth === 0 || flags.includes('v'))) depth += 1
      else if (rest[index] === ']') {
        depth -= 1
        if (depth === 0) return index + 1
      }
    }
    throw new Error(`unclosed class in /${source}/`)
  }
}
