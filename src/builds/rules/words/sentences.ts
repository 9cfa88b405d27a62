const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Sentences with the blanks that follow them, in order; together they are the text. */
export const sentencesOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** Whole sentences as far as they fit, otherwise whole words and an ellipsis. */
export function shortened(text: string, most: number): string {
  let kept = ''
  for (const sentence of sentencesOf(text)) {
    if ((kept + sentence).trimEnd().length > most) break
    kept += sentence
  }
  if (kept.trim() !== '') return kept.trim()
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  const space = cut.search(/\s\S*$/)
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
