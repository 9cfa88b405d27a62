/** A run of code of one kind; text without a kind has none. */
export type CodePart = { kind: 'comment' | 'text' | 'number' | 'word' | 'added' | 'removed' | null; text: string }

/** Longer code stays plain, so that a stream of pieces never costs a frame. */
const maxChars = 20_000

const strings = String.raw`"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?`
const numbers = String.raw`\b\d[\w.]*`
const names = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`
const slashes = String.raw`\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?`

const asWords = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const cLike =
  'abstract as async await bool boolean break case catch char class const continue default defer delete do double else enum export extends extern false final finally float fn for from func function go goto if impl implements import in instanceof int interface is let long loop map match mod module mut namespace new nil null of operator override package private protected pub public range readonly return self short static string struct super switch this throw throws trait true try type typeof undefined union unsafe use using var virtual void when where while with yield'

type Grammar = { readonly pattern: RegExp; readonly words: ReadonlySet<string>; readonly hasCase: boolean }

function grammar(comments: string, words: string, { text = strings, hasCase = true } = {}): Grammar {
  return { pattern: new RegExp(`(${comments})|(${text})|(${numbers})|(${names})`, 'gu'), words: asWords(words), hasCase }
}

const quasi = '`(?:\\\\[^]|[^`\\\\])*`?'
const script = grammar(slashes, cLike, { text: `${strings}|${quasi}` })
const python = grammar(
  '#[^\\n]*',
  'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield',
  { text: `"""(?:[^"]|"(?!""))*(?:""")?|${strings}` },
)
const shell = grammar(
  '(?<![^\\s;])#[^\\n]*',
  'if then elif else fi for in do done while until case esac function return exit export local set unset source sudo echo cd npm npx git docker',
)
const data = grammar('#[^\\n]*', 'true false null yes no on off')
const sql = grammar(
  '--[^\\n]*|\\/\\*(?:[^*]|\\*(?!\\/))*(?:\\*\\/)?',
  'add all alter and as asc begin between by case commit constraint create default delete desc distinct drop else end exists foreign from full group having in index inner insert into is join key left like limit not null on or order outer primary references returning right rollback select set table then union unique update values view when where with',
  { hasCase: false },
)
const markup = grammar('<!--(?:[^-]|-(?!->))*(?:-->)?', '')

const grammars: Readonly<Record<string, Grammar>> = {
  ...sameFor(
    script,
    'ts typescript js javascript mjs jsx tsx java kotlin kt go rust rs c cpp cc h cs csharp swift php scala dart json json5 jsonc css scss',
  ),
  ...sameFor(python, 'py python python3'),
  ...sameFor(shell, 'sh bash zsh shell console'),
  ...sameFor(data, 'yaml yml toml ini dockerfile makefile ruby rb env conf nginx'),
  ...sameFor(sql, 'sql sqlite postgresql mysql'),
  ...sameFor(markup, 'html xml svg vue'),
}

function sameFor(one: Grammar, languages: string): Record<string, Grammar> {
  return Object.fromEntries(languages.split(' ').map((language) => [language, one]))
}

/** Comments, texts, numbers and key words of common languages. One look at each character; the parts are the text. */
export function highlight(text: string, language: string): CodePart[] {
  const name = language.toLowerCase()
  if (name === 'diff' || name === 'patch') return differences(text)
  const found = Object.hasOwn(grammars, name) ? grammars[name] : undefined
  if (!found || text.length > maxChars) return [{ kind: null, text }]
  const parts: CodePart[] = []
  let plainFrom = 0
  for (const match of text.matchAll(found.pattern)) {
    const [whole, comment, words, number] = match
    const isWord = found.words.has(found.hasCase ? whole : whole.toLowerCase())
    const kind = comment !== undefined ? 'comment' : words !== undefined ? 'text' : number !== undefined ? 'number' : isWord ? 'word' : null
    if (kind === null) continue
    if (match.index > plainFrom) parts.push({ kind: null, text: text.slice(plainFrom, match.index) })
    parts.push({ kind, text: whole })
    plainFrom = match.index + whole.length
  }
  if (plainFrom < text.length) parts.push({ kind: null, text: text.slice(plainFrom) })
  return parts
}

function differences(text: string): CodePart[] {
  return text.split(/(?<=\n)/).map((line) => ({
    kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'comment' : null,
    text: line,
  }))
}
