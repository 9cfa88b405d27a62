import { asText } from './request-body.ts'
import { badRequest, type TelegramFault } from './telegram-fault.ts'

export type Entity = { type: string; offset: number; length: number; url?: string; language?: string; custom_emoji_id?: string }
export type Formatted = { text: string; entities: Entity[] }

/** Text as Telegram keeps it: the marks are gone, what they meant is a list. Throws what Telegram would answer. */
export function parseText(text: string, mode: unknown, given: unknown): Formatted {
  if (mode === undefined || mode === '') return { text, entities: checkedEntities(text, given) }
  const lower = asText(mode).toLowerCase()
  if (lower === 'html') return parseHtml(text)
  if (lower === 'markdownv2') return parseMarkdown(text, markdown2)
  if (lower === 'markdown') return parseMarkdown(text, markdown1)
  throw badRequest('unsupported parse_mode')
}

function checkedEntities(text: string, given: unknown): Entity[] {
  if (!Array.isArray(given)) return []
  for (const { offset, length } of given as Entity[]) {
    if (!(offset >= 0 && length > 0 && offset + length <= text.length)) throw cannotParse('entity lies outside of the text')
  }
  return given as Entity[]
}

const cannotParse = (why: string): TelegramFault => badRequest(`can't parse entities: ${why}`)

const htmlTags: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
  'tg-emoji': 'custom_emoji',
  'tg-time': 'date_time',
}
const namedCharacters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

function parseHtml(html: string): Formatted {
  let text = ''
  const entities: Entity[] = []
  const open: { tag: string; at: number; attributes: string }[] = []
  const piece = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^<>]*)?)>|&(#x[0-9a-fA-F]+|#[0-9]+|[a-z]+);|([\s\S])/gu
  for (const match of html.matchAll(piece)) {
    const [, closing, name, attributes = '', character, plain] = match
    const at = Buffer.byteLength(html.slice(0, match.index))
    if (plain === '<') throw cannotParse(`Unsupported start tag "" at byte offset ${at}`)
    if (plain !== undefined) text += plain
    else if (character !== undefined) text += decoded(character)
    else if (closing === '') open.push({ tag: startTag(name ?? '', attributes, at), at: text.length, attributes })
    else {
      const last = open.pop()
      if (!last) throw cannotParse(`Unexpected end tag at byte offset ${at}`)
      if (last.tag !== name?.toLowerCase())
        throw cannotParse(`Unmatched end tag at byte offset ${at}, expected "</${last.tag}>", found "</${name}>"`)
      if (text.length > last.at) entities.push(getEntity(last.tag, last.at, text.length - last.at, last.attributes))
    }
  }
  const unclosed = open.at(-1)
  if (unclosed) throw cannotParse(`Can't find end tag corresponding to start tag "${unclosed.tag}"`)
  return { text, entities: merged(entities) }
}

function startTag(name: string, attributes: string, at: number): string {
  const tag = name.toLowerCase()
  if (!(tag in htmlTags)) throw cannotParse(`Unsupported start tag "${tag}" at byte offset ${at}`)
  if (tag === 'span' && !/class="tg-spoiler"/.test(attributes))
    throw cannotParse(`Tag "span" must have class "tg-spoiler" at byte offset ${at}`)
  return tag
}

function decoded(character: string): string {
  if (character.startsWith('#')) {
    const code = character[1] === 'x' ? Number.parseInt(character.slice(2), 16) : Number(character.slice(1))
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : `&${character};`
  }
  return namedCharacters[character] ?? `&${character};`
}

function getEntity(tag: string, offset: number, length: number, attributes: string): Entity {
  const attribute = (name: string): string | undefined => {
    const match = new RegExp(`${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes)
    return match === null
      ? undefined
      : (match[1] ?? match[2] ?? '').replaceAll(/&(#x?[0-9a-fA-F]+|[a-z]+);/g, (_, code: string) => decoded(code))
  }
  const type = tag === 'blockquote' && /\bexpandable\b/.test(attributes) ? 'expandable_blockquote' : (htmlTags[tag] ?? tag)
  const language = /^language-(.*)$/.exec(attribute('class') ?? '')?.[1]
  const url = attribute('href')
  const emoji = attribute('emoji-id')
  return {
    type,
    offset,
    length,
    ...(url !== undefined && { url }),
    ...(language && { language }),
    ...(emoji && { custom_emoji_id: emoji }),
  }
}

/** `<pre><code class="language-x">` is one entity with a language. */
function merged(entities: Entity[]): Entity[] {
  const keptEntities: Entity[] = []
  for (const entity of entities) {
    const inner = keptEntities.at(-1)
    if (entity.type === 'pre' && inner?.type === 'code' && inner.offset === entity.offset && inner.length === entity.length)
      keptEntities.pop()
    keptEntities.push(entity.type === 'pre' && inner?.language ? { ...entity, language: inner.language } : entity)
  }
  return keptEntities.toSorted((one, other) => one.offset - other.offset || other.length - one.length)
}

type Dialect = { marks: [mark: string, type: string][]; reserved: string }
const markdown2: Dialect = {
  marks: [
    ['||', 'spoiler'],
    ['__', 'underline'],
    ['*', 'bold'],
    ['_', 'italic'],
    ['~', 'strikethrough'],
  ],
  reserved: '_*[]()~`>#+-=|{}.!',
}
const markdown1: Dialect = {
  marks: [
    ['*', 'bold'],
    ['_', 'italic'],
  ],
  reserved: '',
}

function parseMarkdown(source: string, { marks, reserved }: Dialect): Formatted {
  let text = ''
  const entities: Entity[] = []
  const open: { mark: string; at: number }[] = []
  for (let index = 0; index < source.length;) {
    const rest = source.slice(index)
    const bytes = Buffer.byteLength(source.slice(0, index))
    const fence = /^```(?:([^\n`]*)\n)?([\s\S]*?)```/.exec(rest) ?? /^`()([^`]+)`/.exec(rest)
    const link = /^\[((?:\\.|[^\]\\])*)\]\(((?:\\.|[^)\\])*)\)/.exec(rest)
    if (fence) {
      const body = (fence[2] ?? '').replaceAll(/\\([`\\])/g, '$1')
      entities.push({
        type: fence[0].startsWith('```') ? 'pre' : 'code',
        offset: text.length,
        length: body.length,
        ...(fence[1] && { language: fence[1] }),
      })
      text += body
      index += fence[0].length
    } else if (link) {
      const inner = parseMarkdown(link[1] ?? '', { marks, reserved })
      entities.push({ type: 'text_link', offset: text.length, length: inner.text.length, url: (link[2] ?? '').replaceAll(/\\(.)/g, '$1') })
      text += inner.text
      index += link[0].length
    } else if (rest[0] === '\\' && rest.length > 1) {
      text += rest[1]
      index += 2
    } else if (rest[0] === '>' && reserved !== '' && (index === 0 || source[index - 1] === '\n')) index += 1
    else {
      const entry = marks.find(([mark]) => rest.startsWith(mark))
      if (entry) {
        const [mark, type] = entry
        const last = open.at(-1)
        if (last?.mark === mark) {
          open.pop()
          if (text.length > last.at) entities.push({ type, offset: last.at, length: text.length - last.at })
        } else open.push({ mark, at: text.length })
        index += mark.length
      } else if (reserved.includes(rest[0] ?? '')) {
        throw cannotParse(`Character '${rest[0]}' is reserved and must be escaped with the preceding '\\'`)
      } else {
        text += rest[0]
        index += 1
      }
    }
    if (index > source.length) throw cannotParse(`Can't find end of the entity starting at byte offset ${bytes}`)
  }
  if (open.length > 0) throw cannotParse(`Can't find end of the entity starting at byte offset ${open.at(-1)?.at}`)
  return { text, entities: entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length) }
}
