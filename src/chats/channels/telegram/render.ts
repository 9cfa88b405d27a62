import type {
  AdaptedBlock,
  AdaptedButton,
  AdaptedMessage,
  AdaptedPart,
  ChannelRenderer,
  PlatformRequest,
  RenderTarget,
} from '../../../ports/channel.ts'
import { getEnding, isLocal } from '../../message/media.ts'
import { toPlace } from './address.ts'
import { telegramCapabilities } from './capabilities.ts'
import type { Entities } from '../markdown.ts'
import { escapeHtml, markdownToHtml } from './html.ts'
import { telegramLimits } from './limits.ts'
import { readTelegram } from './read-back.ts'

export const telegramRenderer: ChannelRenderer = {
  name: 'telegram',
  capabilities: telegramCapabilities,
  render: renderTelegram,
  readBack: readTelegram,
}

/** Spells an adapted message out in the words of the Bot API. Everything fits already; nothing is decided here. */
export function renderTelegram({ parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  return {
    requests: parts.map((part, index) => {
      const there = to.edit?.[index]
      return there === undefined ? sending(part, to, index) : editing(part, to, { messageId: there, medium: to.showing?.[index] ?? null })
    }),
  }
}

function sending(part: AdaptedPart, to: RenderTarget, index: number): PlatformRequest {
  const keyboard = getKeyboard(part)
  const common = {
    ...toPlace(to.address),
    ...(keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }),
    ...(to.silent && { disable_notification: true }),
    ...(index === 0 &&
      to.replyTo !== undefined && { reply_parameters: { message_id: Number(to.replyTo), allow_sending_without_reply: true } }),
  }
  const medium = getMedium(part, to)
  if (!medium) return { operation: 'sendMessage', body: { ...common, ...getText(part, to) } }
  const { operation, field } = getSending[medium.as]
  return { operation, body: { ...common, [field]: medium.url, ...medium.caption } }
}

function editing(part: AdaptedPart, to: RenderTarget, there: { messageId: string; medium: string | null }): PlatformRequest {
  const { chat_id } = toPlace(to.address)
  // An omitted keyboard would stay; an empty one is taken away.
  const common = { chat_id, message_id: Number(there.messageId), reply_markup: { inline_keyboard: getKeyboard(part) } }
  const medium = getMedium(part, to)
  if (!medium) return { operation: 'editMessageText', body: { ...common, ...getText(part, to) } }
  // The medium itself is sent again only when it is another one.
  if (there.medium === medium.source) return { operation: 'editMessageCaption', body: { ...common, ...medium.caption } }
  return { operation: 'editMessageMedia', body: { ...common, media: { type: medium.as, media: medium.url, ...medium.caption } } }
}

const getSending = {
  photo: { operation: 'sendPhoto', field: 'photo' },
  animation: { operation: 'sendAnimation', field: 'animation' },
  audio: { operation: 'sendAudio', field: 'audio' },
  video: { operation: 'sendVideo', field: 'video' },
  document: { operation: 'sendDocument', field: 'document' },
} as const

/** `source` is how its author named it: what a later change is compared with. */
type Medium = { as: keyof typeof getSending; source: string; url: string; caption: object }

const kinds = { image: 'photo', audio: 'audio', video: 'video', file: 'document' } as const

function getMedium(part: AdaptedPart, to: RenderTarget): Medium | undefined {
  for (const block of part.blocks) {
    if (block.type !== 'image' && block.type !== 'media') continue
    const { url: source } = block
    if (block.type === 'image')
      return { as: 'photo', source, url: source, caption: toCaption(to.plain ? block.alt : escapeHtml(block.alt), to) }
    const isMoving = block.kind === 'image' && getEnding(block) === 'gif'
    return {
      as: isMoving ? 'animation' : kinds[block.kind],
      source,
      url: uploadUrl(block),
      caption: toCaption(to.plain ? getPlain(part) : toHtml(part), to),
    }
  }
  return undefined
}

/** A file of this machine goes up under the name its author gave it: the fragment keeps it beside the path. */
const uploadUrl = ({ url, name }: { url: string; name: string }): string =>
  isLocal({ url }) && !url.includes('#') ? `${url}#${encodeURIComponent(name)}` : url

const toCaption = (words: string, { plain }: RenderTarget): object =>
  words === '' ? {} : { caption: words, ...(!plain && { parse_mode: 'HTML' }) }

const getText = (part: AdaptedPart, { plain }: RenderTarget): object =>
  plain ? { text: getPlain(part) } : { text: toHtml(part), parse_mode: 'HTML' }

const getPlain = ({ blocks }: AdaptedPart): string => blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n\n')

function toHtml({ blocks }: AdaptedPart): string {
  const entities: Entities = { left: telegramLimits.entities }
  const html = blocks.flatMap((block) => blockHtml(block, entities) ?? []).join('\n\n')
  // Markup around nothing but spaces would leave an empty message, which is refused.
  if (html.replaceAll(/<[^<>]*>/g, '').trim() !== '') return html
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
    case 'media':
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

const getKeyboard = ({ blocks }: AdaptedPart): object[][] =>
  blocks.flatMap((block) => (block.type === 'buttons' ? block.rows.map((row) => row.map(getKey)) : []))

function getKey({ label, press, style }: AdaptedButton): object {
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
