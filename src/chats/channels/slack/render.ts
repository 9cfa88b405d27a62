import type {
  AdaptedBlock,
  AdaptedButton,
  AdaptedMessage,
  AdaptedPart,
  ChannelRenderer,
  PlatformRequest,
  RenderTarget,
} from '../../../ports/channel.ts'
import { toPlace } from './address.ts'
import { toBlocks } from './blocks.ts'
import { slackCapabilities } from './capabilities.ts'
import { slackLimits } from './limits.ts'
import { readSlack } from './read-back.ts'

export const slackRenderer: ChannelRenderer = { name: 'slack', capabilities: slackCapabilities, render: renderSlack, readBack: readSlack }

/** Spells an adapted message in Block Kit. Everything fits already; nothing is decided here. */
export function renderSlack({ parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  return { requests: parts.map((part, index) => toRequest(part, to, to.edit?.[index])) }
}

function toRequest(part: AdaptedPart, to: RenderTarget, ts: string | undefined): PlatformRequest {
  const { channel, thread_ts } = toPlace(to.address)
  const content = { text: toNotification(part), blocks: part.blocks.flatMap((block, at) => toBlocks(block, at, to.plain === true)) }
  if (ts !== undefined) return { operation: 'chat.update', body: { channel, ts, ...content } }
  const thread = thread_ts !== undefined && { thread_ts }
  if (to.onlyFor !== undefined && to.onlyFor !== channel)
    return { operation: 'chat.postEphemeral', body: { channel, user: to.onlyFor, ...thread, ...content } }
  return {
    operation: 'chat.postMessage',
    body: { channel, ...thread, ...content, unfurl_links: false, unfurl_media: false },
  }
}

/** Shown in notifications and read aloud; the blocks show everything. */
function toNotification({ blocks }: AdaptedPart): string {
  const text = blocks.flatMap(describe).join('\n').trim()
  return (text.length > slackLimits.fallbackChars ? `${text.slice(0, slackLimits.fallbackChars - 1).toWellFormed()}…` : text) || '…'
}

function describe(block: AdaptedBlock): string[] {
  if ('text' in block) return [block.text]
  if (block.type === 'image') return [block.alt]
  if (block.type === 'buttons') return block.rows.flat().map(({ label }: AdaptedButton) => `• ${label}`)
  return block.type === 'select' ? [block.placeholder] : []
}
