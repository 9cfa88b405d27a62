export type RegexLiteral = { line: number; source: string; flags: string }

/** The regular expressions written in TypeScript or TSX, and the lines that make one at run time. */
export function regexLiterals(code: string): { literals: RegexLiteral[]; madeOnLines: number[] } {
  const literals: RegexLiteral[] = []
  const madeOnLines: number[] = []
  let line = 1
  let before = ''
  /** Open braces inside each unfinished template literal. */
  const templates: number[] = []
  for (let at = 0; at < code.length;) {
    // Longer than any comment or text of the tree.
    const rest = code.slice(at, at + 8_000)
    const token =
      /^(?:\/\/|#!)[^\n]*|^\/\*[^]*?\*\/|^'(?:\\[^]|[^'\\\n])*'|^"(?:\\[^]|[^"\\\n])*"|^[\w$]+|^\s+/.exec(rest)?.[0] ?? readSign(rest)
    if (/^(?:\/\/|#!|\/\*|\s)/.test(token)) {
      // Neither says what a slash after it means.
    } else {
      if (token === 'RegExp' && /^\s*\(/.test(code.slice(at + token.length))) madeOnLines.push(line)
      before = token
    }
    line += token.split('\n').length - 1
    at += token.length
  }
  return { literals, madeOnLines }

  function readSign(rest: string): string {
    const sign = rest.charAt(0)
    if (sign === '`' || (sign === '}' && templates.at(-1) === 0)) return readTemplate(rest)
    if (templates.length > 0 && sign === '{') templates.push((templates.pop() ?? 0) + 1)
    if (templates.length > 0 && sign === '}') templates.push((templates.pop() ?? 0) - 1)
    if (sign !== '/' || !startsExpression(before)) return sign
    const [whole = sign, source = '', flags = ''] = /^\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([a-z]*)/.exec(rest) ?? []
    if (whole === sign) throw new Error(`line ${line}: a slash that is neither a division nor an expression: ${rest.slice(0, 40)}`)
    literals.push({ line, source, flags })
    return whole
  }

  /** Up to the next `${`, or to the end. */
  function readTemplate(rest: string): string {
    if (rest.startsWith('}')) templates.pop()
    const part = /^[`}](?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/.exec(rest)?.[0] ?? rest.charAt(0)
    if (part.endsWith('${')) templates.push(0)
    return part
  }
}

const words = new Set(['return', 'typeof', 'case', 'of', 'in', 'yield', 'await', 'else', 'void'])

/** After a value a slash divides; after `<` it ends a tag, and after `}` or `>` a tag of JSX ends with it. */
const startsExpression = (before: string): boolean =>
  before === '' || before.endsWith('${') || words.has(before) || /^[(,=:[!&|?{;+*%~^>-]$/.test(before)
