import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Received, Webhook, WebhookRequest } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { slackLimits } from './limits.ts'
import { parseReport, type SlackReport } from './parse.ts'

/** Events, interactions and commands over HTTP, signed with the secret of the app. `name` adds the names of their senders. */
export const slackWebhook = (secret: string, now: () => number, name: (inbounds: Inbound[]) => Promise<Inbound[]>): Webhook => ({
  async receive(request): Promise<Received> {
    if (!isGenuine(request, secret, now())) return { forged: true }
    const report = readReport(request)
    if (report === null) return { unreadable: true }
    const { challenge, type } = isRecord(report.body) ? report.body : {}
    if (type === 'url_verification') return { answer: Response.json({ challenge }) }
    return { inbounds: await name(parseReport(report, now())), answer: () => new Response(null, { status: 200 }) }
  },
})

/** The signature covers the time, so an old call cannot be repeated under a new one. */
function isGenuine({ headers, body }: WebhookRequest, secret: string, now: number): boolean {
  const time = headers['x-slack-request-timestamp'] ?? ''
  const signature = headers['x-slack-signature'] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time) * 1_000) > slackLimits.replayMs) return false
  const expected = `v0=${createHmac('sha256', secret).update(`v0:${time}:`).update(body).digest('hex')}`
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
}

/** Events are JSON; interactions and commands are forms. */
function readReport({ headers, body }: WebhookRequest): SlackReport | null {
  const text = new TextDecoder().decode(body)
  try {
    if (!(headers['content-type'] ?? '').includes('application/x-www-form-urlencoded'))
      return { type: 'events_api', body: JSON.parse(text) as unknown }
    const form = new URLSearchParams(text)
    const payload = form.get('payload')
    return payload === null
      ? { type: 'slash_commands', body: Object.fromEntries(form) }
      : { type: 'interactive', body: JSON.parse(payload) as unknown }
  } catch {
    return null
  }
}
