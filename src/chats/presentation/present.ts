import type { ReplyPayload } from '../message/reply-payload.ts'
import { textReading } from '../message/text-reading.ts'
import type { ChannelRenderer, Loss, PlatformRequest, RenderTarget } from '../../ports/channel.ts'
import { adapt } from './adapt.ts'
import type { Tokens } from './prepare-button.ts'

export type Presented = { requests: PlatformRequest[]; text: string; losses: Loss[] }

/** One message on one channel: the platform's requests, the plain reading, and what is shown otherwise than it was said. */
export function present(message: ReplyPayload, channel: ChannelRenderer, to: RenderTarget, tokens: Tokens): Presented {
  const { adapted, losses } = adapt(message, channel.capabilities.presentation, tokens)
  const target: RenderTarget = {
    ...to,
    ...(message.send?.replyTo !== undefined && to.replyTo === undefined && { replyTo: message.send.replyTo }),
    ...(message.send?.silent && { silent: true }),
  }
  return { requests: channel.render(adapted, target).requests, text: textReading(message), losses }
}
