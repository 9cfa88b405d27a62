import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock, MessagePresentationTone } from '../../message/presentation.ts'
import { readHtml } from '../read-html.ts'
import { type Fields, fields, fromLetters, list, readButton, readSelect, text, toLetters } from '../read-back.ts'

const tones: Readonly<Record<string, MessagePresentationTone>> = {
  accent: 'info',
  good: 'success',
  warning: 'warning',
  attention: 'danger',
}

/** An activity as a person sees it: words, or Adaptive Cards. */
export function readTeams({ body = {} }: PlatformRequest): MessagePresentation[] {
  const words = text(body['text'])
  const spoken = words === '' ? [] : [{ type: 'text' as const, text: body['textFormat'] === 'xml' ? readHtml(words) : fromLetters(words) }]
  const elements = list(body['attachments']).flatMap(({ content }) => list(fields(content)['body']))
  const tone = tones[text(elements.find(({ type }) => type === 'Container')?.['style'])]
  return [{ ...(tone && { tone }), blocks: [...spoken, ...elements.flatMap(toBlocks)] }]
}

function toBlocks(element: Fields): MessagePresentationBlock[] {
  const line: MessagePresentationBlock[] = element['separator'] === true ? [{ type: 'divider' }] : []
  return [...line, ...toOwnBlocks(element)]
}

function toOwnBlocks(element: Fields): MessagePresentationBlock[] {
  switch (element['type']) {
    case 'Container':
      return list(element['items']).flatMap(toBlocks)
    case 'TextBlock':
      return toText(text(element['text']), element)
    case 'RichTextBlock': {
      const runs = list(element['inlines'])
      return toText(fromLetters(runs.map((run) => text(run['text'])).join('')), runs[0] ?? {})
    }
    case 'Image':
      return [{ type: 'image', url: text(element['url']), alt: text(element['altText']) }]
    case 'ActionSet':
      return [
        {
          type: 'buttons',
          buttons: list(element['actions']).map(({ title, url, isEnabled }) =>
            readButton(text(title), { url, isOff: isEnabled === false }),
          ),
        },
      ]
    case 'Input.ChoiceSet': {
      const labels = list(element['choices']).map((one) => text(one['title']))
      return [readSelect(text(element['placeholder']), labels)]
    }
    default:
      return []
  }
}

function toText(markdown: string, { isSubtle, style }: Fields): MessagePresentationBlock[] {
  if (isSubtle === true) return [{ type: 'context', text: toLetters(markdown) }]
  return [{ type: 'text', text: style === 'heading' ? `### ${markdown}` : markdown }]
}
