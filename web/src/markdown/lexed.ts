import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked'

/** Where lexing would take longer than a person waits, the text is shown as it was written. */
const longestLine = 20_000

/** In a paragraph the lexer looks for the partner of each mark through all of the rest, which takes quadratic time. */
const mostMarks = 1_000
const mostBlanks = 1_000

const isSlowParagraph = (text: string): boolean =>
  text.split(/[_*~<]/, mostMarks + 1).length > mostMarks || text.includes(' '.repeat(mostBlanks))

/** Deeper than any person nests quotes or lists; beyond it the source is shown. */
export const deepest = 24

/**
 * Characters that blocks are lexed from, over all levels of nesting. A quote whose lines lose one level after the other is
 * lexed twice on each level, which takes exponential time: 18 such lines would take seconds.
 */
const mostRead = (text: string): number => 150_000 + (deepest + 6) * text.length

/** The lexer looks for the line under a heading through all lines of a paragraph, in a list from each of its lines. */
const longestHeading = 500

class BoundedTokenizer extends Tokenizer {
  override lheading(src: string): Tokens.Heading | undefined {
    return super.lheading(src.length > longestHeading ? src.slice(0, src.lastIndexOf('\n', longestHeading) + 1) : src)
  }
}

/** Bounds the lexer, which lexes the text of each quote and each list item again. */
class BoundedLexer extends Lexer {
  #level = 0
  #readable: number

  constructor(text: string) {
    super({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() })
    this.#readable = mostRead(text)
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    this.#readable -= src.length
    if (this.#readable < 0) throw new RangeError('the text is nested in a way that takes too long to lex')
    if (this.#level > deepest) {
      tokens.push({ type: 'text', raw: src, text: src } satisfies Tokens.Text)
      return tokens
    }
    this.#level += 1
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped)
    } finally {
      this.#level -= 1
    }
  }
}

/**
 * The tokens of a Markdown text, or null when it is to be shown as it was written. Does what `lexer()` does, but for
 * paragraphs that are slow to lex: they become plain text.
 */
export function lexed(text: string): Token[] | null {
  if (text.split('\n').some((line) => line.length > longestLine)) return null
  const lexer = new BoundedLexer(text)
  try {
    lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), lexer.tokens)
    // The queue grows while it is walked.
    for (const { src, tokens } of lexer.inlineQueue) {
      if (isSlowParagraph(src)) tokens.push({ type: 'text', raw: src, text: src, escaped: false } satisfies Tokens.Text)
      else lexer.inlineTokens(src, tokens)
    }
  } catch {
    // Nested marks in a paragraph recurse as well; thousands of levels end in a RangeError too.
    return null
  }
  return lexer.tokens
}
