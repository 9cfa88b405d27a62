import type { Received, TapVerdict, Webhook } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { toAddress, toChat } from './address.ts'
import type { ServiceUrls } from './service-urls.ts'
import { parseActivity } from './parse.ts'
import type { Verify } from './verify.ts'

type WebhookParts = { verify: Verify; serviceUrls: ServiceUrls; now: () => number }

/** Activities, one with each call. Invokes are answered in the response. */
export const teamsWebhook = ({ verify, serviceUrls, now }: WebhookParts): Webhook => ({
  async receive({ headers, body }): Promise<Received> {
    const activity = read(body)
    const verdict = await verify(headers['authorization'] ?? '', activity ?? {})
    // Teams repeats the call.
    if (verdict === 'unknown') return { answer: new Response(null, { status: 503 }) }
    if (verdict === 'forged') return { forged: true }
    if (activity === null) return { unreadable: true }
    const inbounds = parseActivity(activity, now())
    await learn(activity, serviceUrls)
    return { inbounds, answer: (tap) => answer(activity, inbounds, tap) }
  },
})

async function learn({ conversation, serviceUrl }: Record<string, unknown>, serviceUrls: ServiceUrls): Promise<void> {
  const address = isRecord(conversation) && typeof conversation['id'] === 'string' ? toAddress(conversation['id']) : null
  if (address !== null && typeof serviceUrl === 'string') await serviceUrls.learn(toChat(address), serviceUrl)
}

/** D universal actions: without a body Teams takes an invoke as failed and repeats it. */
function answer({ type }: Record<string, unknown>, inbounds: readonly Inbound[], verdict: TapVerdict | undefined): Response {
  if (type !== 'invoke') return new Response(null, { status: 200 })
  if (inbounds.length === 0) return Response.json({}, { status: 501 })
  return Response.json({ statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: verdict?.toast ?? '✓' })
}

function read(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as unknown
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
