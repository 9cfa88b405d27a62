const tag = /\[\s*(?:FROM|BUILD_ID|SESSION_ID|MESSAGE_TYPE|QUESTION_IDS?)\s*:[^\]\n]*\]?/gi
const note = /System note:\s*headers above are transport metadata[^\n]*?(?:replies\.|(?=\n)|$)/gi

/** The text without what was copied from the transport header; null when nothing was. */
export function withoutHeaderEcho(text: string): string | null {
  if (text.search(tag) === -1 && text.search(note) === -1) return null
  return text
    .replace(tag, '')
    .replace(note, '')
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}
