import { createPublicKey, verify } from 'node:crypto'
import type { Received, TapVerdict, Webhook, WebhookRequest } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { discordLimits } from './limits.ts'
import { interactionTypes, toToast } from './interactions.ts'

/** DER of an ed25519 public key before its 32 bytes: RFC 8410. */
const keyHead = '302a300506032b6570032100'

/** Interactions over HTTP, signed with the key of the application. */
export function discordWebhook(
  publicKey: string,
  now: () => number,
  read: (interaction: Record<string, unknown>) => Promise<Inbound[]>,
): Webhook {
  const key = createPublicKey({ key: Buffer.from(keyHead + publicKey, 'hex'), format: 'der', type: 'spki' })

  function isGenuine({ headers, body }: WebhookRequest): boolean {
    const time = headers['x-signature-timestamp'] ?? ''
    const signature = headers['x-signature-ed25519'] ?? ''
    if (!/^\d{1,12}$/.test(time) || !/^[0-9a-f]{128}$/i.test(signature)) return false
    if (Math.abs(now() - Number(time) * 1_000) > discordLimits.replayMs) return false
    return verify(null, Buffer.concat([Buffer.from(time), body]), key, Buffer.from(signature, 'hex'))
  }

  return {
    async receive(request): Promise<Received> {
      if (!isGenuine(request)) return { forged: true }
      const interaction = parse(request.body)
      if (interaction === null) return { unreadable: true }
      if (interaction['type'] === interactionTypes.ping) return { answer: Response.json({ type: 1 }) }
      const isCommand = interaction['type'] === interactionTypes.command
      return {
        inbounds: await read(interaction),
        answer: (verdict?: TapVerdict) => Response.json(toToast(isCommand ? '✓' : (verdict?.toast ?? null))),
      }
    },
  }
}

function parse(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as unknown
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
