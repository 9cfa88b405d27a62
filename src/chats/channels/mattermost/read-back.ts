import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock, MessagePresentationTone } from '../../message/presentation.ts'
import { type Fields, fields, list, readButton, readSelect, text, toLetters } from '../read-back.ts'

const tones: Readonly<Record<string, MessagePresentationTone>> = { primary: 'info', good: 'success', warning: 'warning', danger: 'danger' }
const styles = { primary: 'primary', default: 'secondary', success: 'success', danger: 'danger' } as const

/** A post as a person sees it: its words, then its blocks, then its files. */
export function readMattermost({ body = {} }: PlatformRequest): MessagePresentation[] {
  const props = fields(body['props'])
  const actions = fields(props['mm_blocks_actions'])
  const blocks = list(props['mm_blocks'])
  const tone = tones[text(blocks.find(({ type }) => type === 'container')?.['accent_color'])]
  const files = Array.isArray(body['file_ids']) ? (body['file_ids'] as unknown[]).map(text) : []
  const words = text(body['message'])
  return [
    {
      ...(tone && { tone }),
      blocks: [
        ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
        ...blocks.flatMap((block) => toBlocks(block, actions)),
        ...files.map((url) => ({ type: 'image' as const, url, alt: '' })),
      ],
    },
  ]
}

function toBlocks(block: Fields, actions: Fields): MessagePresentationBlock[] {
  const content = list(block['content'])
  switch (block['type']) {
    case 'container': {
      if (!content.some(({ type }) => type === 'button')) return content.flatMap((one) => toBlocks(one, actions))
      const buttons = content.map((one) => {
        const { type, url } = fields(actions[text(one['action_id'])])
        const style = styles[text(one['style']) as keyof typeof styles]
        return readButton(toLetters(text(one['text'])), { ...(type === 'openURL' && { url }), isOff: one['disabled'] === true, style })
      })
      return [{ type: 'buttons', buttons }]
    }
    case 'text':
      return [
        block['is_subtle'] === true
          ? { type: 'context', text: toLetters(text(block['text'])) }
          : { type: 'text', text: text(block['text']) },
      ]
    case 'divider':
      return [{ type: 'divider' }]
    case 'image':
      return [{ type: 'image', url: text(block['url']), alt: text(block['alt_text']) }]
    case 'static_select': {
      const labels = list(block['options']).map((one) => text(one['text']))
      return [readSelect(text(block['placeholder']), labels)]
    }
    default:
      return []
  }
}
