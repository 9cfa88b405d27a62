const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Sentences with the blanks that follow them, in order; together they are the text. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1)
    // A mark inside a word ends no sentence: a password may have one.
    if (last !== undefined && /[.!?]$/.test(last) && /^\w/.test(segment)) sentences[sentences.length - 1] = last + segment
    else sentences.push(segment)
  }
  return sentences
}

/** Whole sentences as far as they fit, otherwise whole words and an ellipsis. */
export function shortened(text: string, most: number): string {
  let buffer = ''
  for (const sentence of splitSentences(text)) {
    if ((buffer + sentence).trimEnd().length > most) break
    buffer += sentence
  }
  if (buffer.trim() !== '') return buffer.trim()
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  const space = cut.search(/\s\S*$/)
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
