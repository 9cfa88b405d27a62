import { z } from 'zod'
import type { ChannelKind, Webhook } from '../../ports/channel-kind.ts'
import type { Channel, Inbound } from '../../ports/channel.ts'

/** The platform of a loopback channel. Its webhook takes one inbound as JSON. */
export function loopbackKind(channel: Channel, kind: string = channel.name): ChannelKind {
  return {
    kind,
    title: kind,
    renderer: channel,
    config: z.unknown(),
    secrets: [],
    address: channel.address,
    open: ({ name }) => ({
      channel: { ...channel, name },
      receives: 'webhook',
      webhook: loopbackWebhook,
      state: { state: 'connected', account: `@${name}`, problem: null },
      ready: Promise.resolve(),
      check: async () => ({ account: `@${name}` }),
      close: async () => {},
    }),
  }
}

export const loopbackWebhook: Webhook = {
  async receive({ headers, body }) {
    if (headers['x-forged']) return { forged: true }
    try {
      const inbounds = [JSON.parse(new TextDecoder().decode(body)) as Inbound]
      return { inbounds, answer: (verdict) => Response.json({ toast: verdict?.toast ?? null }) }
    } catch {
      return { unreadable: true }
    }
  },
}

/** A call of the platform to the webhook. */
export const webhookPost = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/',
  query: {},
  headers,
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
})
