import type { AdaptedBlock, AdaptedMessage, AdaptedPart, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import type { MessagePresentationTone } from '../../message/presentation.ts'
import { toConversation } from './address.ts'
import { teamsCapabilities } from './capabilities.ts'
import { type Element, toCard, toElements } from './elements.ts'
import { teamsLimits as limits } from './limits.ts'
import { toXml } from './markup.ts'
import { readTeams } from './read-back.ts'

export const teamsRenderer: ChannelRenderer = { name: 'teams', capabilities: teamsCapabilities, render: renderTeams, readBack: readTeams }

/** A ContainerStyle. */
const styles: Readonly<Record<MessagePresentationTone, string | undefined>> = {
  neutral: undefined,
  info: 'accent',
  success: 'good',
  warning: 'warning',
  danger: 'attention',
}

/** Spells an adapted message for Teams: words alone as text, everything else as an Adaptive Card. */
export function renderTeams({ tone, parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  return { requests: parts.map((part, index) => toRequest(toActivity(part, tone, to.plain === true), to, index)) }
}

function toActivity({ blocks }: AdaptedPart, tone: MessagePresentationTone | undefined, plain: boolean): Record<string, unknown> {
  const style = tone && styles[tone]
  const words = blocks.flatMap((block) => (block.type === 'text' ? [block] : []))
  if (style === undefined && words.length === blocks.length) {
    if (plain) return { type: 'message', textFormat: 'plain', text: orSign(words.map(({ text }) => text).join('\n\n')) }
    return { type: 'message', textFormat: 'xml', text: orSign(words.map(toXml).join('<br/><br/>')) }
  }
  const elements = toBody(blocks, plain)
  const body = style === undefined ? elements : [{ type: 'Container', style, bleed: true, items: elements }]
  const content = toCard(body)
  return { type: 'message', summary: toSummary(blocks), attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}

/** A divider is a line above the next element. */
function toBody(blocks: readonly AdaptedBlock[], plain: boolean): Element[] {
  const body: Element[] = []
  let isDivided = false
  for (const [at, block] of blocks.entries()) {
    if (block.type === 'divider') isDivided = true
    const [first, ...rest] = toElements(block, at, plain)
    if (!first) continue
    body.push(isDivided ? { ...first, separator: true } : first, ...rest)
    isDivided = false
  }
  return isDivided || body.length === 0 ? [...body, { type: 'TextBlock', text: '…', separator: isDivided }] : body
}

function toRequest(activity: Record<string, unknown>, to: RenderTarget, index: number): PlatformRequest {
  const conversationId = toConversation(to.address)
  const activityId = to.edit?.[index]
  if (activityId !== undefined)
    return { operation: 'Conversations_UpdateActivity', path: { conversationId, activityId }, body: { ...activity, id: activityId } }
  return {
    operation: 'Conversations_SendToConversation',
    path: { conversationId },
    body: { ...activity, ...(index === 0 && to.replyTo !== undefined && { replyToId: to.replyTo }) },
  }
}

/** Shown in notifications. */
function toSummary(blocks: readonly AdaptedBlock[]): string {
  const text = blocks
    .flatMap((block) => ('text' in block ? [block.text] : block.type === 'image' ? [block.alt] : []))
    .join('\n')
    .trim()
  return orSign(text.length > limits.summaryChars ? `${text.slice(0, limits.summaryChars - 1).toWellFormed()}…` : text)
}

/** Teams refuses a message without any visible character. */
const orSign = (text: string): string => (text.trim() === '' ? '…' : text)
