import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock } from '../../message/presentation.ts'
import { type Fields, fields, fromLetters, list, readButton, readSelect, text, toLetters } from '../read-back.ts'

/** A message in Block Kit as a person sees it. */
export const readSlack = ({ body }: PlatformRequest): MessagePresentation[] => [{ blocks: list(body?.['blocks']).flatMap(toBlock) }]

function toBlock(block: Fields): MessagePresentationBlock[] {
  switch (block['type']) {
    case 'header':
      return [{ type: 'text', text: `### ${fromLetters(text(fields(block['text'])['text']))}` }]
    case 'section':
      return [{ type: 'text', text: toMarkdown(fields(block['text'])) }]
    case 'context':
      return list(block['elements']).map((one) => ({ type: 'context', text: toLetters(toMarkdown(one)) }))
    case 'divider':
      return [{ type: 'divider' }]
    case 'image':
      return [{ type: 'image', url: text(block['image_url']), alt: text(block['alt_text']) }]
    case 'actions':
      return list(block['elements']).flatMap(toControl).reduce<MessagePresentationBlock[]>(joinButtons, [])
    default:
      return []
  }
}

function toControl(element: Fields): MessagePresentationBlock[] {
  if (element['type'] === 'static_select') {
    const labels = list(element['options']).map((one) => text(fields(one['text'])['text']))
    return [readSelect(text(fields(element['placeholder'])['text']), labels)]
  }
  const style = element['style'] === 'primary' || element['style'] === 'danger' ? element['style'] : undefined
  const confirm = fields(fields(element['confirm'])['text'])['text']
  return [{ type: 'buttons', buttons: [readButton(text(fields(element['text'])['text']), { url: element['url'], style, confirm })] }]
}

/** Buttons of one row stand side by side. */
function joinButtons(blocks: MessagePresentationBlock[], next: MessagePresentationBlock): MessagePresentationBlock[] {
  const last = blocks.at(-1)
  if (last?.type !== 'buttons' || next.type !== 'buttons') return [...blocks, next]
  return [...blocks.slice(0, -1), { type: 'buttons', buttons: [...last.buttons, ...next.buttons] }]
}

/** Slack has one asterisk for bold, and its links in angle brackets. */
function toMarkdown({ type, text: given }: Fields): string {
  if (type !== 'mrkdwn') return fromLetters(text(given))
  return text(given)
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, at) => (at % 2 === 1 ? toCharacters(piece) : toFormatted(piece)))
    .join('')
}

const toFormatted = (piece: string): string =>
  piece
    .replaceAll(/(?<![\w*])\*([^*\n]+)\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w~])~([^~\n]+)~(?![\w~])/g, '~~$1~~')
    .replaceAll(/<([^|<>\s]+)\|([^<>]*)>/g, '[$2]($1)')

const toCharacters = (piece: string): string => piece.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
