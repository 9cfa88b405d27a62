import type { InboundMedia } from '../../ports/channel.ts'
import { toOneLine } from '../message/tap-text.ts'
import type { InboundMessage } from './binding-events.ts'
import { inboundLimits } from './inbound-limits.ts'

/**
 * A message as an agent reads it: what was written, and a line for each thing that came with it. The line ends with the
 * account and the id by which `GET /v1/channels/{account}/files/{id}` gives the bytes.
 */
export function toMessageText(channel: string, { text, media }: InboundMessage): string {
  const lines = media.map((medium) => mediaLine(channel, medium))
  const space = inboundLimits.wordsChars - lines.reduce((sum, line) => sum + line.length + 1, 0)
  const words = text.slice(0, Math.max(0, space)).toWellFormed()
  return [...(words.trim() === '' ? [] : [words]), ...lines].join('\n').slice(0, inboundLimits.wordsChars).toWellFormed()
}

function mediaLine(channel: string, { kind, name, mimeType, sizeBytes, fileId }: InboundMedia): string {
  const about = [name, mimeType].flatMap((part) => (part === undefined ? [] : [toOneLine(part)])).filter((part) => part !== '')
  const size = sizeBytes === undefined ? [] : [sizeWords(sizeBytes)]
  return `[${kind}: ${[...about, ...size, `${channel}/${encodeURIComponent(fileId)}`].join(', ')}]`
}

function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / (1024 * 1024), 'MB']
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`
}
