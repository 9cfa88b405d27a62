/** Reads HTML as strictly as the Bot API does: known tags, properly nested, known character references. Throws otherwise. */
export function readHtml(html: string): { text: string; entities: number } {
  const open: string[] = []
  let text = ''
  let entities = 0
  let at = 0
  while (at < html.length) {
    const rest = html.slice(at)
    const [tag, close, name = ''] = /^<(\/?)(b|i|s|u|code|pre|blockquote|a)(?: (?:href|class)="[^"<>]*")?>/.exec(rest) ?? []
    if (tag !== undefined) {
      if (close === '') {
        // Code of a named language is one thing in two tags.
        entities += name === 'code' && open.at(-1) === 'pre' ? 0 : 1
        open.push(name)
      } else if (open.pop() !== name) throw new Error(`</${name}> closes nothing at ${at}: ${html}`)
      at += tag.length
      continue
    }
    const [reference, char] = /^&(lt|gt|amp|quot);/.exec(rest) ?? []
    if (reference !== undefined) {
      text += { lt: '<', gt: '>', amp: '&', quot: '"' }[char as 'lt' | 'gt' | 'amp' | 'quot']
      at += reference.length
      continue
    }
    if (/^[<>&]/.test(rest)) throw new Error(`"${rest.slice(0, 10)}" at ${at} is no markup: ${html}`)
    text += rest.charAt(0)
    at += 1
  }
  if (open.length > 0) throw new Error(`<${open.join('><')}> is never closed: ${html}`)
  return { text, entities }
}
