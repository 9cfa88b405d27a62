import type { ReplyPayload } from '../message/reply-payload.ts'
import { textReading } from '../message/text-reading.ts'
import type { AdaptedMessage, ChannelRenderer, Loss, PlatformRequest, RenderTarget } from '../../ports/channel.ts'
import { adapt } from './adapt.ts'
import type { Tokens } from './prepare-button.ts'

export type Presented = { requests: PlatformRequest[]; text: string; losses: Loss[] }

/** One message on one channel: the platform's requests, the plain reading, and the list of losses. */
export function present(message: ReplyPayload, channel: ChannelRenderer, to: RenderTarget, tokens: Tokens): Presented {
  const target: RenderTarget = {
    ...to,
    ...(message.send?.replyTo !== undefined && to.replyTo === undefined && { replyTo: message.send.replyTo }),
    ...(message.send?.silent && { silent: true }),
    ...(message.send?.onlyFor !== undefined && { onlyFor: message.send.onlyFor }),
  }
  const { requests = [], losses = [] } = renderOrPlain(message, channel, target, tokens) ?? {}
  return { requests, text: textReading(message), losses }
}

/** A message that a renderer cannot render is sent as plain text, which is listed as a loss. Null when not even that is possible. */
export function renderOrPlain(
  message: ReplyPayload,
  channel: ChannelRenderer,
  to: RenderTarget,
  tokens: Tokens,
): { requests: PlatformRequest[]; adapted: AdaptedMessage; losses: Loss[] } | null {
  const { presentation } = channel.capabilities
  if (message.poll) {
    const request = presentation.polls?.render(message.poll, to)
    return request ? { requests: [request], adapted: { parts: [{ blocks: [] }] }, losses: [] } : null
  }
  const render = (capabilities: typeof presentation, target: RenderTarget) => {
    const { adapted, losses } = adapt(message, capabilities, tokens)
    const rendered = channel.render(adapted, target)
    return rendered && { ...rendered, adapted, losses }
  }
  let why = 'the channel cannot render it'
  try {
    const rendered = render(presentation, to)
    if (rendered) return rendered
  } catch (error) {
    why = `the renderer failed: ${error instanceof Error ? error.message : 'unknown'}`
  }
  try {
    const plain = render(
      { supported: false, ...(presentation.limits?.text && { limits: { text: presentation.limits.text } }) },
      { ...to, plain: true },
    )
    return plain && { ...plain, losses: [...plain.losses, { what: 'message', from: 'its presentation', to: 'plain text', why }] }
  } catch {
    return null
  }
}
