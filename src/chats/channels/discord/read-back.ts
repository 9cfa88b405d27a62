import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock, MessagePresentationTone } from '../../message/presentation.ts'
import { type Fields, fields, list, readButton, readSelect, text, toLetters } from '../read-back.ts'

const tones: Readonly<Record<number, MessagePresentationTone>> = {
  0x34_98_db: 'info',
  0x2e_cc_71: 'success',
  0xf1_c4_0f: 'warning',
  0xe7_4c_3c: 'danger',
}

const styles = [undefined, 'primary', 'secondary', 'success', 'danger'] as const

/** A message in Components V2 as a person sees it. A container with a colour is the whole message. */
export function readDiscord({ body }: PlatformRequest): MessagePresentation[] {
  const components = list(body?.['components'])
  const color = components.find(({ type }) => type === 17)?.['accent_color']
  const tone = typeof color === 'number' ? tones[color] : undefined
  return [{ ...(tone && { tone }), blocks: components.flatMap(toBlocks) }]
}

function toBlocks(component: Fields): MessagePresentationBlock[] {
  const children = list(component['components'])
  switch (component['type']) {
    case 1: {
      const buttons = children.filter(({ type }) => type === 2).map(toButton)
      const selects = children.filter(({ type }) => type === 3)
      return [
        ...(buttons.length > 0 ? [{ type: 'buttons' as const, buttons }] : []),
        ...selects.map((one) =>
          readSelect(
            text(one['placeholder']),
            list(one['options']).map(({ label }) => text(label)),
          ),
        ),
      ]
    }
    case 10:
      return toText(text(component['content']))
    case 12:
      return list(component['items']).map((one) => ({
        type: 'image',
        url: text(fields(one['media'])['url']),
        alt: text(one['description']),
      }))
    case 13:
      return [{ type: 'image', url: text(fields(component['file'])['url']), alt: '' }]
    case 14:
      return [{ type: 'divider' }]
    case 17:
      return children.flatMap(toBlocks)
    default:
      return []
  }
}

const toButton = ({ label, url, style, disabled }: Fields) =>
  readButton(text(label), { url, isOff: disabled === true, style: typeof style === 'number' ? styles[style] : undefined })

/** Small print begins each of its lines with a sign. */
function toText(content: string): MessagePresentationBlock[] {
  const lines = content.split('\n')
  if (!lines.every((line) => line.startsWith('-# ') || line.trim() === ''))
    return [{ type: 'text', text: content.replaceAll(/^## /gm, '### ') }]
  return [{ type: 'context', text: toLetters(lines.map((line) => line.replace(/^-# /, '')).join('\n')) }]
}
