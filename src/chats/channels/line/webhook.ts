import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Received, Webhook, WebhookRequest } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { lineLimits } from './limits.ts'
import { parseEvents, type ReplyToken } from './parse.ts'

type WebhookParts = {
  secret: string
  now: () => number
  /** Adds the names of senders. */
  name(inbounds: Inbound[]): Promise<Inbound[]>
  keep(token: ReplyToken): void
}

/** Events over HTTP, signed with the secret of the channel. */
export const lineWebhook = ({ secret, now, name, keep }: WebhookParts): Webhook => ({
  async receive(request): Promise<Received> {
    if (!isGenuine(request, secret)) return { forged: true }
    const all = readEvents(request)
    if (all === null) return { unreadable: true }
    // The signature covers no time of the call, only the events and their times.
    const events = all.filter((event) => isRecent(event, now()))
    if (all.length > 0 && events.length === 0) return { forged: true }
    const { inbounds, replyTokens } = parseEvents(events)
    for (const token of replyTokens) keep(token)
    return { inbounds: await name(inbounds), answer: () => new Response(null, { status: 200 }) }
  },
})

function isGenuine({ headers, body }: WebhookRequest, secret: string): boolean {
  const signature = Buffer.from(headers['x-line-signature'] ?? '', 'base64')
  const expected = createHmac('sha256', secret).update(body).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

function isRecent(event: unknown, now: number): boolean {
  const time = isRecord(event) && typeof event['timestamp'] === 'number' ? event['timestamp'] : 0
  return now - time <= lineLimits.replayMs && time - now <= lineLimits.clockMs
}

function readEvents({ body }: WebhookRequest): unknown[] | null {
  try {
    const report = JSON.parse(new TextDecoder().decode(body)) as unknown
    return isRecord(report) && Array.isArray(report['events']) ? (report['events'] as unknown[]) : null
  } catch {
    return null
  }
}
