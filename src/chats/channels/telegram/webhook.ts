import { createHash, timingSafeEqual } from 'node:crypto'
import type { Webhook, WebhookRequest } from '../../../ports/channel-kind.ts'
import { parseUpdates } from './parse.ts'

/** The header in which Telegram repeats the secret given with setWebhook. */
const secretHeader = 'x-telegram-bot-api-secret-token'

export const telegramWebhook = (secret: string): Webhook => ({
  async receive(request) {
    if (!isGenuine(request, secret)) return { forged: true }
    const update = readUpdate(request)
    if (update === undefined) return { unreadable: true }
    return { inbounds: parseUpdates([update]), answer: () => Response.json({ ok: true }) }
  },
})

/** Takes the same time whatever differs. Without a secret of ours nothing is genuine. */
function isGenuine({ headers }: WebhookRequest, secret: string): boolean {
  const header = headers[secretHeader]
  return secret !== '' && header !== undefined && timingSafeEqual(digest(header), digest(secret))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function readUpdate({ body }: WebhookRequest): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return undefined
  }
}
