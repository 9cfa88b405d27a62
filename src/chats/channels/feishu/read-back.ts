import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock, MessagePresentationTone } from '../../message/presentation.ts'
import { type Fields, fields, fromLetters, list, readButton, readSelect, text, toLetters } from '../read-back.ts'

const tones: Readonly<Record<string, MessagePresentationTone>> = { blue: 'info', green: 'success', orange: 'warning', red: 'danger' }
const styles: Readonly<Record<string, 'primary' | 'danger'>> = { primary: 'primary', danger: 'danger' }

/** A card (JSON 2.0) or a medium as a person sees it. */
export function readFeishu({ body = {} }: PlatformRequest): MessagePresentation[] {
  const content = parse(text(body['content']))
  if (body['msg_type'] !== 'interactive' && !('schema' in content)) {
    const url = text(content['image_key'] ?? content['file_key'])
    return [{ blocks: [{ type: 'image', url, alt: '' }] }]
  }
  const header = fields(content['header'])
  const title = text(fields(header['title'])['content'])
  const tone = tones[text(header['template'])]
  const blocks = list(fields(content['body'])['elements']).flatMap(toBlocks)
  return [{ ...(tone && { tone }), ...(title !== '' && { title }), blocks }]
}

function toBlocks(element: Fields): MessagePresentationBlock[] {
  switch (element['tag']) {
    case 'markdown':
      return toText(text(element['content']), element)
    case 'div': {
      const inner = fields(element['text'])
      return toText(fromLetters(text(inner['content'])), inner)
    }
    case 'hr':
      return [{ type: 'divider' }]
    case 'column_set': {
      const inner = list(element['columns']).flatMap((column) => list(column['elements']))
      return [{ type: 'buttons', buttons: inner.map(toButton) }]
    }
    case 'button':
      return [{ type: 'buttons', buttons: [toButton(element)] }]
    case 'select_static': {
      const labels = list(element['options']).map((one) => text(fields(one['text'])['content']))
      return [readSelect(text(fields(element['placeholder'])['content']), labels)]
    }
    case 'table': {
      const columns = list(element['columns'])
      const headers = columns.map((column) => text(column['display_name']))
      const rows = list(element['rows']).map((row) => columns.map(({ name }) => text(row[text(name)])))
      return [{ type: 'table', headers, rows }]
    }
    default:
      return []
  }
}

function toText(markdown: string, { text_size: size }: Fields): MessagePresentationBlock[] {
  if (size === 'notation') return [{ type: 'context', text: toLetters(markdown) }]
  return [{ type: 'text', text: markdown }]
}

function toButton(element: Fields) {
  const url = list(element['behaviors']).find(({ type }) => type === 'open_url')?.['default_url']
  const confirm = fields(fields(element['confirm'])['text'])['content']
  const style = styles[text(element['type'])]
  return readButton(text(fields(element['text'])['content']), { url, isOff: element['disabled'] === true, style, confirm })
}

function parse(json: string): Fields {
  try {
    return fields(JSON.parse(json) as unknown)
  } catch {
    return {}
  }
}
