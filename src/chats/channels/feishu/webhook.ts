import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import type { Received, TapVerdict, Webhook, WebhookRequest } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { feishuLimits } from './limits.ts'

type WebhookParts = {
  encryptKey: string
  verificationToken: string | undefined
  now: () => number
  read(report: Record<string, unknown>): Promise<Inbound[]>
}

/** Events and taps over HTTP, encrypted and signed with the Encrypt Key of the app. */
export function feishuWebhook({ encryptKey, verificationToken, now, read }: WebhookParts): Webhook {
  const hasToken = (token: unknown): boolean => verificationToken === undefined || token === verificationToken
  return {
    async receive(request): Promise<Received> {
      const report = decrypt(request.body, encryptKey)
      if (report === null) return isSigned(request, encryptKey, now()) ? { unreadable: true } : { forged: true }
      // Feishu does not sign this call; only a holder of the key can have encrypted it, and nothing follows from it.
      if (report['type'] === 'url_verification')
        return hasToken(report['token']) ? { answer: Response.json({ challenge: report['challenge'] }) } : { forged: true }
      const header = isRecord(report['header']) ? report['header'] : {}
      if (!isSigned(request, encryptKey, now()) || !hasToken(header['token'])) return { forged: true }
      return { inbounds: await read(report), answer: (verdict?: TapVerdict) => Response.json(toTapAnswer(verdict)) }
    },
  }
}

/** D card-callback-communication: the answer to a tap shows a toast; an empty one changes nothing. */
export const toTapAnswer = (verdict: TapVerdict | undefined): Record<string, unknown> =>
  verdict?.toast ? { toast: { type: 'info', content: verdict.toast } } : {}

/** The signature covers the time, so an old call cannot be repeated under a new one. */
function isSigned({ headers, body }: WebhookRequest, key: string, now: number): boolean {
  const time = headers['x-lark-request-timestamp'] ?? ''
  const nonce = headers['x-lark-request-nonce'] ?? ''
  const signature = headers['x-lark-signature'] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time) * 1_000) > feishuLimits.replayMs) return false
  const expected = createHash('sha256').update(`${time}${nonce}${key}`).update(body).digest('hex')
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
}

/** D event subscription, decryption: AES-256-CBC with the SHA-256 of the key; the first 16 bytes are the initialization vector. */
function decrypt(body: Uint8Array, encryptKey: string): Record<string, unknown> | null {
  try {
    const { encrypt } = JSON.parse(new TextDecoder().decode(body)) as { encrypt?: string }
    const bytes = Buffer.from(encrypt ?? '', 'base64')
    const decipher = createDecipheriv('aes-256-cbc', createHash('sha256').update(encryptKey).digest(), bytes.subarray(0, 16))
    const report = JSON.parse(Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8')) as unknown
    return isRecord(report) ? report : null
  } catch {
    return null
  }
}
