import type { AdaptedMessage, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import { plainCapabilities } from './capabilities.ts'

export const plainRenderer: ChannelRenderer = { name: 'plain', capabilities: plainCapabilities, render: renderPlain }

export function renderPlain({ parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  const requests = parts.map(({ blocks }) => ({
    operation: 'write',
    body: { to: to.address, text: blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n\n') },
  }))
  return { requests }
}
