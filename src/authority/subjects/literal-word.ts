import type { Word, WordPart } from './shell-syntax.ts'
import type { CommandWord } from './subject.ts'

/**
 * A word after unquoting. It is literal when bash can expand nothing in it: no variable, substitution, arithmetic, glob,
 * brace or tilde, and no quoting whose result depends on the locale.
 */
export function commandWord(word: Word): CommandWord {
  const isLiteral = !hasTilde(word.text) && (word.parts === undefined || word.parts.every(isLiteralPart)) && !hasUnmatchedGlob(word)
  return { value: word.value, isLiteral }
}

/** Bash expands a tilde at the start of a word, and after `=` and `:` in words that look like assignments. */
const hasTilde = (text: string): boolean => /^~|[=:]~/.test(text)

function isLiteralPart(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal')
  if (part.type === 'AnsiCQuoted') return isPlainAnsiC(part.text, part.value)
  return part.type === 'Literal' || part.type === 'SingleQuoted'
}

/** Bytes above ASCII and `\u` depend on the locale, NUL ends the word, and control characters are never meant literally. */
const isPlainAnsiC = (text: string, value: string): boolean =>
  /^\$'(?:[^\\]|\\[\\'"?abefnrtvE]|\\x[0-9a-fA-F]{2}|\\[0-7]{3})*'$/s.test(text) && /^[\n\t\x20-\x7e]*$/.test(value)

/** A bracket that the parser read as text may still be a glob to bash, so only quoted brackets are literal. */
const hasUnmatchedGlob = (word: Word): boolean =>
  word.parts === undefined && word.text === word.value && /[*?]|^[^[]*\[[^\]]*\]/.test(word.text)
