import type { AdaptedMessage, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import { webCapabilities } from './capabilities.ts'

export const webRenderer: ChannelRenderer = { name: 'web', capabilities: webCapabilities, render: renderWeb }

/** Renders the blocks unchanged, for the page. */
export function renderWeb({ tone, parts }: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } {
  const requests = parts.map(({ blocks }, index) => {
    const message = to.edit?.[index]
    return {
      operation: message === undefined ? 'show' : 'replace',
      body: {
        dialog: to.address,
        ...(message !== undefined && { message }),
        ...(to.replyTo !== undefined && index === 0 && { replyTo: to.replyTo }),
        ...(tone && { tone }),
        blocks,
      },
    }
  })
  return { requests }
}
