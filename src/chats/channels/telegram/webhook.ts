import { createHash, timingSafeEqual } from 'node:crypto'
import type { RawInbound } from '../../../ports/channel.ts'

/** The header in which Telegram repeats the secret given with setWebhook. */
const secretHeader = 'x-telegram-bot-api-secret-token'

/** Takes the same time whatever differs. Without a secret of ours nothing is genuine. */
export function verifySecret({ headers }: RawInbound, secret: string): 'genuine' | 'forged' {
  const header = headers[secretHeader]
  if (secret === '' || header === undefined) return 'forged'
  return timingSafeEqual(digest(header), digest(secret)) ? 'genuine' : 'forged'
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The update in the body, or null when it is not JSON. */
export function readUpdate({ body }: RawInbound): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return null
  }
}
