import type { AdaptedBlock, AdaptedMessage, AdaptedPart, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import { lineCapabilities } from './capabilities.ts'
import { toComponents, toPostback } from './flex.ts'
import { lineLimits as limits } from './limits.ts'
import { toShown } from './plain-text.ts'
import { readLine } from './read-back.ts'

export const lineRenderer: ChannelRenderer = { name: 'line', capabilities: lineCapabilities, render: renderLine, readBack: readLine }

/** Spells an adapted message for LINE: words as text, everything else as a card. One call sends up to five messages. */
export function renderLine({ parts }: AdaptedMessage, { address, silent }: RenderTarget): { requests: PlatformRequest[] } {
  const messages = parts.map((part, at) => toMessage(part, at === parts.length - 1))
  const requests: PlatformRequest[] = []
  for (let at = 0; at < messages.length; at += limits.messagesPerCall) {
    const together = messages.slice(at, at + limits.messagesPerCall)
    requests.push({
      operation: 'pushMessage',
      body: { to: address, messages: together, ...(silent && { notificationDisabled: true }) },
      covers: together.length,
    })
  }
  return { requests }
}

function toMessage({ blocks }: AdaptedPart, isLast: boolean): Record<string, unknown> {
  const words = blocks.map((block) => (block.type === 'text' ? toShown(block) : null))
  if (words.every((one) => one !== null)) return { type: 'text', text: orSign(words.join('\n\n')) }
  const contents = blocks.flatMap(toComponents)
  const body = { type: 'box', layout: 'vertical', spacing: 'sm', contents: contents.length > 0 ? contents : [{ type: 'text', text: '…' }] }
  const quickReply = isLast ? toQuickReply(blocks) : null
  return { type: 'flex', altText: toAltText(blocks), contents: { type: 'bubble', body }, ...(quickReply && { quickReply }) }
}

/** LINE shows quick replies only below the newest message, so the options are also buttons of the card. */
function toQuickReply(blocks: readonly AdaptedBlock[]): Record<string, unknown> | null {
  const select = blocks.findLast((block) => block.type === 'select')
  if (!select) return null
  return {
    items: select.options
      .slice(0, limits.quickReplies)
      .map(({ label, value }) => ({ type: 'action', action: toPostback(shorten(label, limits.quickReplyLabelChars), value) })),
  }
}

/** Shown in notifications and where a card cannot be drawn; the card shows everything. */
const toAltText = (blocks: readonly AdaptedBlock[]): string => orSign(shorten(blocks.flatMap(describe).join('\n'), limits.altTextChars))

function describe(block: AdaptedBlock): string[] {
  if (block.type === 'title') return [block.text]
  if (block.type === 'text' || block.type === 'context') return [toShown(block)]
  if (block.type === 'image') return [block.alt]
  if (block.type === 'buttons') return block.rows.flat().map(({ label }) => `• ${label}`)
  return block.type === 'select' ? block.options.map(({ label }) => `• ${label}`) : []
}

/** LINE refuses a text without any visible character. */
const orSign = (text: string): string => (text.trim() === '' ? '…' : text)

const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text
        .slice(0, maxLength - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
