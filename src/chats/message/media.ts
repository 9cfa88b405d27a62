import type { Drop } from './normalise-blocks.ts'
import { toLine, readChoice, own, getText, toUrl } from './untrusted.ts'
import { isRecord } from '../../shapes/record.ts'

export const mediaKinds = ['image', 'audio', 'video', 'file'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** Something to look at, to listen to or to keep that comes with a message. */
export type MessageMedia = {
  /** An http(s) address; or `file:` for a file of this machine, where its owner asked for that. */
  url: string
  /** As its ending says, unless said. */
  kind?: MediaKind
  /** File name, on channels that show one. */
  name?: string
  /** Words below it, in Markdown. */
  caption?: string
}

const endings: Readonly<Record<Exclude<MediaKind, 'file'>, readonly string[]>> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif', 'bmp', 'heic', 'svg'],
  audio: ['mp3', 'm4a', 'ogg', 'oga', 'opus', 'wav', 'flac', 'aac'],
  video: ['mp4', 'mov', 'webm', 'mkv', 'avi', 'm4v'],
}

export const isLocal = ({ url }: Pick<MessageMedia, 'url'>): boolean => url.startsWith('file:')

/** File extension in lower case, by which platforms decide; empty without one. */
export function getEnding({ url, name }: Pick<MessageMedia, 'url' | 'name'>): string {
  for (const text of [lastPart(url), name ?? '']) {
    const [, ending] = /\.([a-z0-9]{1,8})$/i.exec(text) ?? []
    if (ending !== undefined) return ending.toLowerCase()
  }
  return ''
}

export function getKind(medium: Pick<MessageMedia, 'url' | 'name' | 'kind'>): MediaKind {
  if (medium.kind) return medium.kind
  const ending = getEnding(medium)
  return (['image', 'audio', 'video'] as const).find((kind) => endings[kind].includes(ending)) ?? 'file'
}

/** Name for people; of a local file they see nothing else. */
export const getName = ({ url, name }: Pick<MessageMedia, 'url' | 'name'>): string => name ?? (lastPart(url) || new URL(url).host)

function lastPart(url: string): string {
  const part = (URL.canParse(url) ? new URL(url).pathname : '').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** One line, for channels that cannot show the medium itself. */
export function mediumReading(medium: MessageMedia): string {
  const line = isLocal(medium) ? `${getName(medium)} (${getKind(medium)})` : `${getName(medium)} (${getKind(medium)}): ${medium.url}`
  return medium.caption === undefined ? line : `${line}\n${medium.caption}`
}

/** An address, a list of them, or objects with more. Files of this machine are left out unless the caller may use them. */
export function normaliseMedia(input: unknown, drop: Drop, mayUseFiles: boolean): MessageMedia[] {
  if (input === undefined || input === null) return []
  const inputs = Array.isArray(input) ? (input as unknown[]) : [input]
  return inputs.flatMap((one, index) => normaliseMedium(one, drop, `media[${index}]`, mayUseFiles) ?? [])
}

function normaliseMedium(input: unknown, drop: Drop, at: string, mayUseFiles: boolean): MessageMedia | undefined {
  const fields = typeof input === 'string' ? { url: input } : input
  if (!isRecord(fields)) return drop(at, 'it is neither an address nor an object with one')
  const match = toUrl(own(fields, 'url'), mayUseFiles ? ['http:', 'https:', 'file:'] : ['http:', 'https:'])
  if (match === undefined)
    return drop(at, mayUseFiles ? 'its url is neither an http(s) nor a file address' : 'its url is not an http(s) address')
  const kind = readChoice(own(fields, 'kind'), mediaKinds)
  if (own(fields, 'kind') !== undefined && !kind) drop(`${at}.kind`, 'it is not a known kind')
  const name = toLine(own(fields, 'name'))
  const caption = getText(own(fields, 'caption'))
  const isFile = new URL(match).protocol === 'file:'
  return {
    // One spelling, so that FILE: is recognised as well.
    url: isFile ? new URL(match).href : match,
    ...(kind && { kind }),
    ...(name !== undefined && { name }),
    ...(caption !== undefined && { caption }),
  }
}
