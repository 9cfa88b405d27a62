/** A file that a person or a tool gave. Its bytes are stored outside the log, under `file`; the event has their hash. */
export type MessageFile = {
  file: string
  name: string
  /** Found by looking at the bytes; `application/octet-stream` where they say nothing. */
  mediaType: string
  bytes: number
  sha256: string
  /** Of an image. */
  width?: number
  height?: number
  /** The text in it, as agents read it: of text files, HTML, PDF and DOCX. */
  text?: string
}

export const fileLimits = {
  bytes: 10_000_000,
  /** Models refuse larger ones. */
  imageBytes: 5_000_000,
  /** Of the text of one file; the rest is cut, visibly. */
  textChars: 40_000,
  nameChars: 200,
  filesPerMessage: 8,
  filesPerResult: 8,
  /** Files of one person that no message has used yet, and how long they are kept. */
  unusedPerPerson: 50,
  unusedHours: 24,
} as const

/** Image types that models and browsers show. */
const shownImages: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export const isImageType = (mediaType: string): boolean => shownImages.has(mediaType)

/**
 * The name of a file that a person, a platform or a tool chose: one line without marks that turn the direction of text, so that
 * it neither looks like the line of another person nor hides its ending.
 */
export const toFileName = (name: string): string =>
  name
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, fileLimits.nameChars)
    .toWellFormed()

/** For a line in brackets, which the name must not end. */
export const withoutBrackets = (name: string): string => name.replaceAll(/[\s[\]]+/g, ' ').trim()

/** A file in words, for agents that get text alone: name, type and size. */
export function describeFile({ name, mediaType, bytes, width, height }: Omit<MessageFile, 'file' | 'sha256' | 'text'>): string {
  const size = width === undefined || height === undefined ? '' : `, ${width}×${height}`
  return `[${isImageType(mediaType) ? 'image' : 'file'} ${withoutBrackets(name)}${size}, ${mediaType}, ${describeBytes(bytes)}]`
}

export function describeBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The same with the text in it, for agents that get text alone. */
export const readFileWords = ({ text, ...file }: MessageFile): string =>
  text === undefined ? describeFile(file) : `${describeFile(file)}\n${text}`
