import type { ReturnedFile } from '../../ports/tool-output.ts'
import { mcpLimits } from './offered-tool.ts'
import { isRecord } from '../../shapes/record.ts'

/** The result of a server as text for an agent, with its images. Audio is mentioned, not included. */
export function resultInWords(result: Record<string, unknown>): { ok: boolean; text: string; files: ReturnedFile[] } {
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const parts = content.slice(0, 200).map(partInWords)
  if (content.length > 200) parts.push(`[${content.length - 200} more parts were omitted]`)
  if (parts.length === 0 && isRecord(result['structuredContent'])) parts.push(JSON.stringify(result['structuredContent']))
  const text = parts.join('\n').toWellFormed()
  const excess = text.length - mcpLimits.resultChars
  const files = content.slice(0, 200).flatMap(toImage)
  return {
    files,
    ok: result['isError'] !== true,
    text:
      excess > 0
        ? `${text.slice(0, mcpLimits.resultChars).toWellFormed()}\n[${excess} more characters were omitted]`
        : text || '(no output)',
  }
}

function partInWords(part: unknown): string {
  if (!isRecord(part)) return '[a part that cannot be read]'
  const { type, text, mimeType, data, uri, name, resource } = part
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'image' && typeof data === 'string') return `[an image, ${word(mimeType)}]`
  if (type === 'audio' && typeof data === 'string')
    return `[a sound, ${word(mimeType)}, about ${Math.floor((data.length * 3) / 4)} bytes: not shown]`
  if (type === 'resource_link') return `[a link: ${word(name)} ${word(uri)}]`
  if (type === 'resource' && isRecord(resource))
    return typeof resource['text'] === 'string'
      ? resource['text']
      : `[a file, ${word(resource['mimeType'])}, ${word(resource['uri'])}: not shown]`
  return `[a part of the kind ${word(type)}: not shown]`
}

/** Named by its number: servers give none. */
function toImage(part: unknown, at: number): ReturnedFile[] {
  if (!isRecord(part) || part['type'] !== 'image' || typeof part['data'] !== 'string') return []
  return [{ name: `image-${at + 1}`, bytes: Buffer.from(part['data'], 'base64') }]
}

const word = (value: unknown): string => (typeof value === 'string' && value !== '' ? value.slice(0, 300) : 'unknown')
