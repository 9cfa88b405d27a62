import type { AdaptedBlock, AdaptedButton } from '../../../ports/channel.ts'
import { lineLimits as limits } from './limits.ts'
import { toShown } from './plain-text.ts'

type Component = Record<string, unknown>

/** One block as components of a Flex bubble, one below the other. */
export function toComponents(block: AdaptedBlock): Component[] {
  switch (block.type) {
    case 'title':
      return toTexts(block.text, { weight: 'bold', size: 'lg' })
    case 'text':
      return toTexts(toShown(block), {})
    case 'context':
      return toTexts(toShown(block), { size: 'sm', color: '#777777' })
    case 'divider':
      return [{ type: 'separator', margin: 'md' }]
    case 'image':
      return [toImage(block.url), ...toTexts(block.alt, { size: 'sm', color: '#777777' })]
    case 'media':
      return [toImage(block.url)]
    case 'buttons':
      return block.rows.flat().map(toButton)
    case 'select':
      return [
        ...toTexts(block.placeholder, { size: 'sm', color: '#777777' }),
        ...block.options.map(({ label, value }) => toButton({ label, press: { type: 'value', value }, style: 'secondary' })),
      ]
    case 'table':
    case 'chart':
      return []
  }
}

/** A tap on it reports `value`. */
export const toPostback = (label: string, value: string): Component => ({ type: 'postback', label, data: value })

/** LINE refuses a text without any visible character. */
function toTexts(text: string, look: Component): Component[] {
  const pieces: string[] = []
  for (let rest = text; rest.trim() !== '';) {
    let end = Math.min(rest.length, limits.flexTextChars)
    // A pair of surrogates stays together.
    if (end < rest.length && /[\uD800-\uDBFF]/.test(rest[end - 1] ?? '')) end -= 1
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return pieces.filter((piece) => piece.trim() !== '').map((piece) => ({ type: 'text', text: piece, wrap: true, ...look }))
}

const toImage = (url: string): Component => ({ type: 'image', url, size: 'full', aspectMode: 'fit' })

function toButton({ label, press, style }: AdaptedButton): Component {
  return { type: 'button', height: 'sm', margin: 'sm', ...looks[style ?? 'none'], action: toAction(label, press) }
}

const looks: Readonly<Record<NonNullable<AdaptedButton['style']> | 'none', Component>> = {
  none: { style: 'secondary' },
  secondary: { style: 'secondary' },
  primary: { style: 'primary' },
  success: { style: 'primary', color: '#1E8E3E' },
  danger: { style: 'primary', color: '#D93025' },
}

function toAction(label: string, press: AdaptedButton['press']): Component {
  switch (press.type) {
    case 'url':
      return { type: 'uri', label, uri: press.url }
    case 'copy-text':
      return { type: 'clipboard', label, clipboardText: press.text }
    case 'value':
      return toPostback(label, press.value)
    case 'none':
      return toPostback(label, '')
  }
}
