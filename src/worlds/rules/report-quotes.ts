/** Words in quotation marks, and the turn that has them; null when no turn does. */
export type ReportQuote = { text: string; turn: number | null }

export const quoteLimits = { quotes: 20, chars: 160, shortestChars: 4, unmatchedChars: 20 } as const

const marks = /"([^"\n]{1,400})"|“([^”\n]{1,400})”|「([^」\n]{1,400})」|『([^』\n]{1,400})』|«([^»\n]{1,400})»|《([^》\n]{1,400})》/g

/** Chinese and Japanese say in half the characters what takes a whole line elsewhere. */
const hasWide = (text: string): boolean => /[\u2e80-\u9fff]/.test(text)

/** Letters and digits alone: an agent that quotes may change marks, spaces and case. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * The quotations of a report, compared with the turns. No model can write the number of a turn, and invented words are noticed.
 * Short words in quotation marks, such as a title or a name, are no claim about a turn, so they are listed only when found.
 */
export function findQuotes(report: string, turns: readonly { turn: number; text: string }[]): ReportQuote[] {
  const folded = turns.map(({ turn, text }) => ({ turn, text: ` ${fold(text)} ` }))
  const quotes = new Map<string, ReportQuote>()
  for (const match of report.matchAll(marks)) {
    const text = match.slice(1).find((group) => group !== undefined) ?? ''
    const words = fold(text)
    if (words.length < quoteLimits.shortestChars || quotes.has(words)) continue
    const turn = folded.find((each) => each.text.includes(words))?.turn ?? null
    if (turn === null && words.length < quoteLimits.unmatchedChars / (hasWide(words) ? 2 : 1)) continue
    quotes.set(words, { text: text.slice(0, quoteLimits.chars).toWellFormed(), turn })
    if (quotes.size === quoteLimits.quotes) break
  }
  return [...quotes.values()]
}

export const headlineLimits = { shortestChars: 12, longestChars: 140 } as const

/** The first sentence of a report, if it can stand above the rest; null if not. */
export function findHeadline(report: string): string | null {
  const text = report.trim()
  for (const { index, 0: end } of text.matchAll(/[.!?](?=\s|$)|[。！？]|\n|$/g)) {
    const sentence = text.slice(0, index + end.trim().length).trim()
    if (sentence.length > headlineLimits.longestChars) return null
    if (sentence.length >= (hasWide(sentence) ? headlineLimits.shortestChars / 2 : headlineLimits.shortestChars)) return sentence
  }
  return null
}
