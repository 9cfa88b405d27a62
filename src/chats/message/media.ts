import type { Drop } from './normalise-blocks.ts'
import { isFields, lineOf, oneOf, own, textOf, urlOf } from './untrusted.ts'

export const mediaKinds = ['image', 'audio', 'video', 'file'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** Something to look at, to listen to or to keep that comes with a message. */
export type MessageMedia = {
  /** An http(s) address; or `file:` for a file of this machine, where its owner asked for that. */
  url: string
  /** As its ending says, unless said. */
  kind?: MediaKind
  /** What the file is called, where the channel names files. */
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

/** How its name ends, in small letters: what platforms go by. Empty where it has no ending. */
export function endingOf({ url, name }: Pick<MessageMedia, 'url' | 'name'>): string {
  for (const text of [lastPart(url), name ?? '']) {
    const [, ending] = /\.([a-z0-9]{1,8})$/i.exec(text) ?? []
    if (ending !== undefined) return ending.toLowerCase()
  }
  return ''
}

export function kindOf(medium: Pick<MessageMedia, 'url' | 'name' | 'kind'>): MediaKind {
  if (medium.kind) return medium.kind
  const ending = endingOf(medium)
  return (['image', 'audio', 'video'] as const).find((kind) => endings[kind].includes(ending)) ?? 'file'
}

/** What people may call it; of a file of this machine they are told no more than this. */
export const nameOf = ({ url, name }: Pick<MessageMedia, 'url' | 'name'>): string => name ?? (lastPart(url) || new URL(url).host)

function lastPart(url: string): string {
  const part = (URL.canParse(url) ? new URL(url).pathname : '').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** One line, for whoever cannot be shown the thing itself. */
export function mediumReading(medium: MessageMedia): string {
  const line = isLocal(medium) ? `${nameOf(medium)} (${kindOf(medium)})` : `${nameOf(medium)} (${kindOf(medium)}): ${medium.url}`
  return medium.caption === undefined ? line : `${line}\n${medium.caption}`
}

/** An address, a list of them, or objects with more. Files of this machine are left out unless the caller may use them. */
export function normaliseMedia(input: unknown, drop: Drop, mayUseFiles: boolean): MessageMedia[] {
  if (input === undefined || input === null) return []
  const given = Array.isArray(input) ? (input as unknown[]) : [input]
  return given.flatMap((one, index) => normaliseMedium(one, drop, `media[${index}]`, mayUseFiles) ?? [])
}

function normaliseMedium(input: unknown, drop: Drop, at: string, mayUseFiles: boolean): MessageMedia | undefined {
  const fields = typeof input === 'string' ? { url: input } : input
  if (!isFields(fields)) return drop(at, 'it is neither an address nor an object with one')
  const found = urlOf(own(fields, 'url'), mayUseFiles ? ['http:', 'https:', 'file:'] : ['http:', 'https:'])
  if (found === undefined)
    return drop(at, mayUseFiles ? 'its url is neither an http(s) nor a file address' : 'its url is not an http(s) address')
  const kind = oneOf(own(fields, 'kind'), mediaKinds)
  if (own(fields, 'kind') !== undefined && !kind) drop(`${at}.kind`, 'it is not a known kind')
  const name = lineOf(own(fields, 'name'))
  const caption = textOf(own(fields, 'caption'))
  const isFile = new URL(found).protocol === 'file:'
  return {
    // In one spelling, so that nobody mistakes FILE: for something else.
    url: isFile ? new URL(found).href : found,
    ...(kind && { kind }),
    ...(name !== undefined && { name }),
    ...(caption !== undefined && { caption }),
  }
}
