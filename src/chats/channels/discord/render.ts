import type { AdaptedMessage, AdaptedPart, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import type { MessagePresentationTone } from '../../message/presentation.ts'
import { toChannel } from './address.ts'
import { discordCapabilities } from './capabilities.ts'
import { type Component, toComponents, toContainer } from './components.ts'
import { readDiscord } from './read-back.ts'

export const discordRenderer: ChannelRenderer = {
  name: 'discord',
  capabilities: discordCapabilities,
  render: renderDiscord,
  readBack: readDiscord,
}

/** D resources/message, message flags. */
export const flags = { ephemeral: 64, silent: 4_096, componentsV2: 32_768 } as const

/** Words that an agent wrote notify no one. */
export const noMentions = { parse: [] }

const accents: Readonly<Record<MessagePresentationTone, number | undefined>> = {
  neutral: undefined,
  info: 0x34_98_db,
  success: 0x2e_cc_71,
  warning: 0xf1_c4_0f,
  danger: 0xe7_4c_3c,
}

/** Spells an adapted message in Components V2. Everything fits already; nothing is decided here. */
export function renderDiscord({ tone, parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  return { requests: parts.map((part, index) => toRequest(layOut(part, tone, to.plain === true), to, index)) }
}

function layOut({ blocks }: AdaptedPart, tone: MessagePresentationTone | undefined, plain: boolean): Component[] {
  const components = blocks.flatMap((block, at) => toComponents(block, at, plain))
  const accent = tone && accents[tone]
  const isCard = accent !== undefined || blocks.some(({ type }) => type === 'title')
  return isCard ? [toContainer(components, accent)] : components
}

function toRequest(components: Component[], to: RenderTarget, index: number): PlatformRequest {
  const channel = toChannel(to.address)
  const content = { components, allowed_mentions: noMentions }
  const messageId = to.edit?.[index]
  if (messageId !== undefined)
    return {
      operation: 'update_message',
      path: { channel_id: channel, message_id: messageId },
      // Attachments that are not named again are removed.
      body: { ...content, flags: flags.componentsV2, attachments: [] },
    }
  return {
    operation: 'create_message',
    path: { channel_id: channel },
    body: {
      ...content,
      flags: flags.componentsV2 + (to.silent ? flags.silent : 0),
      ...(index === 0 && to.replyTo !== undefined && { message_reference: { message_id: to.replyTo, fail_if_not_exists: false } }),
    },
  }
}
