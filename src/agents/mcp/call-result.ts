import { mcpLimits } from './offered-tool.ts'
import { isRecord } from '../../shapes/record.ts'

/** The result of a server as text for an agent. Images and audio are mentioned, not included. */
export function resultInWords(result: Record<string, unknown>): { ok: boolean; text: string } {
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const parts = content.slice(0, 200).map(partInWords)
  if (content.length > 200) parts.push(`[${content.length - 200} more parts were omitted]`)
  if (parts.length === 0 && isRecord(result['structuredContent'])) parts.push(JSON.stringify(result['structuredContent']))
  const text = parts.join('\n').toWellFormed()
  const excess = text.length - mcpLimits.resultChars
  return {
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
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return `[${type === 'image' ? 'an image' : 'a sound'}, ${word(mimeType)}, about ${Math.floor((data.length * 3) / 4)} bytes: not shown]`
  if (type === 'resource_link') return `[a link: ${word(name)} ${word(uri)}]`
  if (type === 'resource' && isRecord(resource))
    return typeof resource['text'] === 'string'
      ? resource['text']
      : `[a file, ${word(resource['mimeType'])}, ${word(resource['uri'])}: not shown]`
  return `[a part of the kind ${word(type)}: not shown]`
}

const word = (value: unknown): string => (typeof value === 'string' && value !== '' ? value.slice(0, 300) : 'unknown')
