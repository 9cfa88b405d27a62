import { mapSpans } from './code-spans.ts'

/** Headings of the context document. A peer's line must not read as one of them. */
export const documentHeadings = [
  'Background',
  'Conversation Facts',
  'Request Brief',
  'Announcement Semantics',
  'Additional Intent Context',
  'World Facts',
  'World Context',
  'Participant Facts',
  'You',
  'Peer',
  'Global Profile',
  'World Membership Profile',
  'Policy',
  'Handling Rules',
  'Style',
  'Ending Rules',
  'Reporting',
  'Conversation DSL',
  'Task Instruction',
  'Live Turn',
  'Earlier Queued Turns',
  'Queued Turn',
  'Current Turn',
] as const

const headingWords: ReadonlySet<string> = new Set(documentHeadings.map((heading) => heading.toLowerCase()))

/** Characters that are not seen or change the reading direction, control characters but line feed and tab, and tag characters. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{E0000}-\u{E007F}\u2800\u115F\u1160\u3164\uFFA0]/gu

/** Marks by which chat models separate speakers. */
const modelMarks = /<\|[\w-]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|developer|assistant|user|tool|instructions?|policy)>/gi

/** A line that pretends to come from the transport or from a speaker other than the peer. */
const speakerLine =
  /^[ \t>*_-]{0,10}(?:system|developer|assistant|tool|owner|host|admin|moderator|parley|claworld|系统|开发者|所有者|管理员)(?: (?:message|note|notice|prompt|instruction))?[ \t]*[:：][ \t]*/i

const transportLine =
  /^[ \t]*(?:x-[\w-]{1,40}|from|to|delivery-?id|turn-?id|session-?key|intent-?id|authorization|content-type)[ \t]*:[^\n]*$/i

/**
 * Text of a stranger as a model may read it: a message, a profile or the text of a world. Headings that look like ours lose
 * their marks, lines that pretend to be another speaker lose the claim, and what a reader cannot see is removed. What remains
 * is still information and never an instruction; that does not depend on this function.
 */
export function cleanPeerText(text: string, longest: number): string {
  const plain = text.replace(/\r\n?/g, '\n').toWellFormed().replace(unseen, '').replace(modelMarks, '')
  const joined = mapSpans(plain, ({ text: piece, isCode }) => (isCode ? piece.replace(/\[\[([a-z_0-9]{1,40})\]\]/g, '$1') : piece)).split(
    '\n',
  )
  const lines = joined.flatMap((line, index) => {
    if (transportLine.test(line)) return []
    if (isUnderline(line) && isDocumentHeading(joined[index - 1] ?? '')) return []
    return [withoutHeading(line).replace(speakerLine, '')]
  })
  const clean = lines.join('\n').trim()
  return clean.length > longest ? `${clean.slice(0, longest - 1).toWellFormed()}…` : clean
}

const isUnderline = (line: string): boolean => /^[ \t]{0,3}[=-]{2,}[ \t]*$/.test(line)

const isDocumentHeading = (text: string): boolean =>
  headingWords.has(
    text
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N} ]/gu, '')
      .replace(/\d{1,3}$/, '')
      .trim()
      .toLowerCase(),
  )

/** Any first-level heading, and one of ours at every level, keeps its words and loses its mark. */
function withoutHeading(line: string): string {
  const match = /^[ \t>]{0,8}([#＃﹟]{1,6})[ \t]*(?=\S)/.exec(line)
  if (!match) return line
  const rest = line.slice(match[0].length)
  return match[1]?.length === 1 || isDocumentHeading(rest) ? rest : line
}

/** A fence that nothing inside can close. */
export function fenced(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/**
 * The text of the peer as data of one delivery. The boundary is random and new for each delivery, so no text can contain it;
 * one that does was written by a reader of the document, and is refused.
 */
export function asPeerData(text: string, boundary: string): string | null {
  return text.includes(boundary) ? null : `<peer-text ${boundary}>\n${text}\n</peer-text ${boundary}>`
}
