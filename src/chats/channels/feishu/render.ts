import type { AdaptedBlock, AdaptedMessage, AdaptedPart, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import type { MessagePresentationTone } from '../../message/presentation.ts'
import { isDirect, toPlace } from './address.ts'
import { feishuCapabilities } from './capabilities.ts'
import { type Element, toElements } from './card.ts'
import { feishuLimits as limits } from './limits.ts'
import { readFeishu } from './read-back.ts'

export const feishuRenderer: ChannelRenderer = {
  name: 'feishu',
  capabilities: feishuCapabilities,
  render: renderFeishu,
  readBack: readFeishu,
}

type Medium = Extract<AdaptedBlock, { type: 'media' }>

/** Colour of the header, and the sign in it where the message has no title. */
const tones: Readonly<Record<MessagePresentationTone, { template: string; sign: string } | null>> = {
  neutral: null,
  info: { template: 'blue', sign: 'ℹ️' },
  success: { template: 'green', sign: '✅' },
  warning: { template: 'orange', sign: '⚠️' },
  danger: { template: 'red', sign: '⛔' },
}

/** Spells an adapted message in card JSON 2.0; a medium is a message of its own. Everything fits already; nothing is decided here. */
export function renderFeishu({ tone, parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  const firstCard = parts.findIndex((part) => !getMedium(part))
  return { requests: parts.map((part, index) => toRequest(part, index === firstCard ? tone : undefined, to, index)) }
}

const getMedium = ({ blocks }: AdaptedPart): Medium | undefined => blocks.find((block) => block.type === 'media')

function toRequest(part: AdaptedPart, tone: MessagePresentationTone | undefined, to: RenderTarget, index: number): PlatformRequest {
  const medium = getMedium(part)
  const messageId = to.edit?.[index]
  const shownUrl = to.showing?.[index] ?? null
  if (messageId !== undefined && medium && medium.url === shownUrl) return { operation: 'im.message.get', path: { message_id: messageId } }
  // Feishu changes cards alone: where a medium was or comes, a further message is sent.
  if (messageId !== undefined && !medium && shownUrl === null)
    return { operation: 'im.message.patch', path: { message_id: messageId }, body: { content: JSON.stringify(toCard(part, tone, to)) } }
  return toSending(
    medium ? toMediaContent(medium) : { msg_type: 'interactive', content: JSON.stringify(toCard(part, tone, to)) },
    to,
    index,
  )
}

function toSending(content: { msg_type: string; content: string }, to: RenderTarget, index: number): PlatformRequest {
  const { receiveId, idType, root } = toPlace(to.address)
  const answered = (index === 0 ? to.replyTo : undefined) ?? root
  if (answered === undefined)
    return { operation: 'im.message.create', query: { receive_id_type: idType }, body: { receive_id: receiveId, ...content } }
  return {
    operation: 'im.message.reply',
    path: { message_id: answered },
    body: { ...content, ...(root !== undefined && { reply_in_thread: true }) },
  }
}

/** The key of an upload takes the place of the URL just before it is sent. */
const toMediaContent = ({ kind, url, name }: Medium): { msg_type: string; content: string } => {
  const source = url.includes('#') ? url : `${url}#${encodeURIComponent(name)}`
  const msgType = kind === 'video' ? 'media' : kind
  return { msg_type: msgType, content: JSON.stringify({ [kind === 'image' ? 'image_key' : 'file_key']: source }) }
}

function toCard({ blocks }: AdaptedPart, tone: MessagePresentationTone | undefined, to: RenderTarget): Record<string, unknown> {
  const { root } = toPlace(to.address)
  const place = { ...(isDirect(to.address) && { direct: 1 as const }), ...(root !== undefined && { root }) }
  const [first, ...others] = blocks
  const title = first?.type === 'title' ? first.text : null
  const color = tone === undefined ? null : tones[tone]
  const elements = (title === null ? blocks : others).flatMap((block) => toElements(block, place, to.plain === true))
  const isEmpty = elements.length === 0 && title === null
  return {
    schema: '2.0',
    config: { update_multi: true, summary: { content: toSummary(blocks) } },
    ...((title !== null || color) && { header: toHeader(title ?? color?.sign ?? '', color?.template) }),
    body: { elements: isEmpty ? [{ tag: 'div', text: { tag: 'plain_text', content: '…' } }] : elements },
  }
}

const toHeader = (title: string, template = 'default'): Record<string, unknown> => ({
  title: { tag: 'plain_text', content: title } satisfies Element,
  template,
})

/** Shown in notifications and in the list of chats; the card shows everything. */
function toSummary(blocks: readonly AdaptedBlock[]): string {
  const words = blocks.flatMap((block) => ('text' in block ? [block.text] : block.type === 'select' ? [block.placeholder] : []))
  const text = words.join(' ').replaceAll(/\s+/g, ' ').trim()
  return text.length <= limits.summaryChars
    ? text || '…'
    : `${text
        .slice(0, limits.summaryChars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}
