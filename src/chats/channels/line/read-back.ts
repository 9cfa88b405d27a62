import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock } from '../../message/presentation.ts'
import { type Fields, fields, fromLetters, list, readButton, text } from '../read-back.ts'

const colors: Readonly<Record<string, 'success' | 'danger'>> = { '#1E8E3E': 'success', '#D93025': 'danger' }

/** The messages of one call as a person sees them. Quick replies stand below the last one. */
export const readLine = ({ body }: PlatformRequest): MessagePresentation[] => list(body?.['messages']).map(toMessage)

function toMessage(message: Fields): MessagePresentation {
  const components = list(fields(fields(message['contents'])['body'])['contents'])
  const words = text(message['text'])
  const quick = list(fields(message['quickReply'])['items']).map((one) => toButton(fields(one['action'])))
  return {
    blocks: [
      ...(words === '' ? [] : [{ type: 'text' as const, text: fromLetters(words) }]),
      ...components.flatMap(toBlock),
      ...(quick.length > 0 ? [{ type: 'divider' as const }, { type: 'buttons' as const, buttons: quick }] : []),
    ],
  }
}

function toBlock(component: Fields): MessagePresentationBlock[] {
  const words = text(component['text'])
  switch (component['type']) {
    case 'text':
      if (component['size'] === 'sm') return [{ type: 'context', text: words }]
      return [{ type: 'text', text: component['weight'] === 'bold' ? `### ${fromLetters(words)}` : fromLetters(words) }]
    case 'separator':
      return [{ type: 'divider' }]
    case 'image':
      return [{ type: 'image', url: text(component['url']), alt: '' }]
    case 'button': {
      const { style, color } = component
      const shown = style === 'primary' ? (colors[text(color)] ?? ('primary' as const)) : undefined
      return [{ type: 'buttons', buttons: [{ ...toButton(fields(component['action'])), ...(shown && { style: shown }) }] }]
    }
    default:
      return []
  }
}

const toButton = ({ label, uri, clipboardText, type, data }: Fields) =>
  readButton(text(label), { url: uri, copy: clipboardText, isOff: type === 'postback' && data === '' })
