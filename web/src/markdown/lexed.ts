import { Lexer, type Token, type Tokens } from 'marked'

/** Where lexing would take longer than a person waits, the text is shown as it was written. */
const longestLine = 20_000

/** In a paragraph the lexer looks for the partner of each mark through all of the rest, which takes quadratic time. */
const mostMarks = 1_000
const mostBlanks = 1_000

const isSlowParagraph = (text: string): boolean =>
  text.split(/[_*~<]/, mostMarks + 1).length > mostMarks || text.includes(' '.repeat(mostBlanks))

/**
 * The tokens of a Markdown text, or null when it is to be shown as it was written. Does what `lexer()` does, but for
 * paragraphs that are slow to lex: they become plain text.
 */
export function lexed(text: string): Token[] | null {
  if (text.split('\n').some((line) => line.length > longestLine)) return null
  const lexer = new Lexer({ gfm: true, breaks: true })
  try {
    lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), lexer.tokens)
    // The queue grows while it is walked.
    for (const { src, tokens } of lexer.inlineQueue) {
      if (isSlowParagraph(src)) tokens.push({ type: 'text', raw: src, text: src, escaped: false } satisfies Tokens.Text)
      else lexer.inlineTokens(src, tokens)
    }
  } catch {
    // The lexer recurses for each level of nesting; thousands of levels end in a RangeError.
    return null
  }
  return lexer.tokens
}
