/** The first words of a message without the marks of Markdown: a line in a list has no room for headings and tables. */
export const plainPreview = (text: string): string => withoutAddresses(withoutMarks(text)).replace(/\s+/g, ' ').trim()

const withoutMarks = (text: string): string =>
  text
    .replace(/^[^\S\n\r\u2028\u2029]*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replace(/\*\*|__|~~|`+/g, '')
    .replace(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|[.,;:!?]|$)/g, '$1')

/** `[words](address)` becomes its words. One pass: an expression would look for a missing bracket from each `[` again. */
function withoutAddresses(text: string): string {
  const out: string[] = []
  let from = 0
  for (let open = text.indexOf('['); open !== -1; open = text.indexOf('[', from)) {
    const close = text.indexOf(']', open + 1)
    if (close === -1) break
    const end = text[close + 1] === '(' ? text.indexOf(')', close + 2) : close
    if (end === -1) break
    out.push(text.slice(from, open), text.slice(end === close ? open : open + 1, end === close ? close + 1 : close))
    from = end + 1
  }
  return out.join('') + text.slice(from)
}
