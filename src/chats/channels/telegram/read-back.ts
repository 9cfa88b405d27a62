import type { PlatformRequest } from '../../../ports/channel.ts'
import type { MessagePresentation, MessagePresentationBlock, MessagePresentationButton } from '../../message/presentation.ts'
import { type Fields, fields, fromLetters, list, readButton, text } from '../read-back.ts'
import { readHtml } from '../read-html.ts'

const media = ['photo', 'animation', 'audio', 'video', 'document'] as const
const styles: Readonly<Record<string, 'primary' | 'success' | 'danger'>> = { primary: 'primary', success: 'success', danger: 'danger' }

/** One message as a person sees it: its medium, its words, its keyboard. */
export function readTelegram({ body = {} }: PlatformRequest): MessagePresentation[] {
  const url = media.map((field) => text(body[field])).find((one) => one !== '')
  const words = text(body['text'] ?? body['caption'])
  const markdown = body['parse_mode'] === 'HTML' ? readHtml(words) : fromLetters(words)
  const keyboard = fields(body['reply_markup'])['inline_keyboard']
  const rows = (Array.isArray(keyboard) ? (keyboard as unknown[]) : []).map((row) => list(row))
  return [
    {
      blocks: [
        ...(url === undefined ? [] : [{ type: 'image' as const, url, alt: '' }]),
        ...(words === '' ? [] : [{ type: 'text' as const, text: markdown }]),
        ...rows.map((row): MessagePresentationBlock => ({ type: 'buttons', buttons: row.map(toButton) })),
      ],
    },
  ]
}

const toButton = ({ text: label, url, copy_text: copy, disabled, style }: Fields): MessagePresentationButton =>
  readButton(text(label), { url, copy: fields(copy)['text'], isOff: disabled !== undefined, style: styles[text(style)] })
