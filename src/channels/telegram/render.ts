import type {
  AdaptedBlock,
  AdaptedButton,
  AdaptedMessage,
  AdaptedPart,
  ChannelRenderer,
  PlatformRequest,
  RenderTarget,
} from '../../ports/channel.ts'
import { telegramCapabilities } from './capabilities.ts'
import { type Entities, escapeHtml, markdownToHtml } from './html.ts'
import { telegramLimits } from './limits.ts'
import { placeOf } from './parse.ts'

export const telegramRenderer: ChannelRenderer = { name: 'telegram', capabilities: telegramCapabilities, render: renderTelegram }

/** Spells an adapted message out in the words of the Bot API. Everything fits already; nothing is decided here. */
export function renderTelegram({ parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  return {
    requests: parts.map((part, index) => (to.edit?.[index] === undefined ? sending(part, to, index) : editing(part, to, to.edit[index]))),
  }
}

function sending(part: AdaptedPart, to: RenderTarget, index: number): PlatformRequest {
  const keyboard = keyboardOf(part)
  const common = {
    ...placeOf(to.address),
    ...(keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }),
    ...(to.silent && { disable_notification: true }),
    ...(index === 0 &&
      to.replyTo !== undefined && { reply_parameters: { message_id: Number(to.replyTo), allow_sending_without_reply: true } }),
  }
  const image = imageOf(part)
  return image
    ? { operation: 'sendPhoto', body: { ...common, photo: image.url, ...captionOf(image.alt) } }
    : { operation: 'sendMessage', body: { ...common, text: htmlOf(part), parse_mode: 'HTML' } }
}

function editing(part: AdaptedPart, to: RenderTarget, messageId: string): PlatformRequest {
  const { chat_id } = placeOf(to.address)
  // An omitted keyboard would stay; an empty one is taken away.
  const common = { chat_id, message_id: Number(messageId), reply_markup: { inline_keyboard: keyboardOf(part) } }
  const image = imageOf(part)
  return image
    ? { operation: 'editMessageMedia', body: { ...common, media: { type: 'photo', media: image.url, ...captionOf(image.alt) } } }
    : { operation: 'editMessageText', body: { ...common, text: htmlOf(part), parse_mode: 'HTML' } }
}

const imageOf = ({ blocks }: AdaptedPart): Extract<AdaptedBlock, { type: 'image' }> | undefined =>
  blocks.find((block) => block.type === 'image')

const captionOf = (alt: string): object => (alt === '' ? {} : { caption: escapeHtml(alt), parse_mode: 'HTML' })

function htmlOf({ blocks }: AdaptedPart): string {
  const entities: Entities = { left: telegramLimits.entities }
  const html = blocks.flatMap((block) => blockHtml(block, entities) ?? []).join('\n\n')
  // Markup around nothing but spaces would leave an empty message, which is refused.
  if (html.replaceAll(/<[^>]*>/g, '').trim() !== '') return html
  return blocks.flatMap((block) => ('text' in block ? [escapeHtml(block.text)] : [])).join('\n\n')
}

function blockHtml(block: AdaptedBlock, entities: Entities): string | undefined {
  switch (block.type) {
    case 'title':
      entities.left -= 1
      return `<b>${escapeHtml(block.text)}</b>`
    case 'text':
      return block.format === 'plain' ? escapeHtml(block.text) : markdownToHtml(block.text, entities)
    case 'context':
      return contextHtml(block, entities)
    case 'divider':
    case 'image':
    case 'table':
    case 'chart':
    case 'buttons':
    case 'select':
      return undefined
  }
}

/** Small print is set in italics, unless it is a list or has formatting of its own that italics would fight with. */
function contextHtml({ text, format }: { text: string; format: 'markdown' | 'plain' }, entities: Entities): string {
  if (format === 'plain') return escapeHtml(text)
  const html = markdownToHtml(text, entities)
  const isSimple = html === escapeHtml(text) && entities.left > 0
  if (isSimple) entities.left -= 1
  return isSimple ? `<i>${html}</i>` : html
}

const keyboardOf = ({ blocks }: AdaptedPart): object[][] =>
  blocks.flatMap((block) => (block.type === 'buttons' ? block.rows.map((row) => row.map(keyOf)) : []))

function keyOf({ label, press, style }: AdaptedButton): object {
  const look = { text: label, ...(style && style !== 'secondary' && { style }) }
  switch (press.type) {
    case 'value':
      return { ...look, callback_data: press.value }
    case 'url':
      return { ...look, url: press.url }
    case 'copy-text':
      return { ...look, copy_text: { text: press.text } }
    case 'none':
      return { ...look, disabled: {} }
  }
}
