import type { KeyObject } from 'node:crypto'
import type { Received, TapVerdict, Webhook, WebhookRequest } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { mattermostAddress } from './address.ts'
import { mattermostLimits } from './limits.ts'
import { escapeMarkdown } from './markdown.ts'
import { isId, readJson } from './parse.ts'
import { type ActionContext, isOwnContext, readTrigger, type SignContext } from './signature.ts'

type WebhookParts = {
  sign: SignContext
  /** The key with which the server signs taps; null while it is not known. */
  publicKey(): Promise<KeyObject | null>
  now(): number
  /** Adds the names of senders. */
  name(inbounds: Inbound[]): Promise<Inbound[]>
}

/**
 * Taps over HTTP. Mattermost signs no request, so two proofs are asked for: the context is signed by Parley and is known to the
 * server alone, and the id of the trigger is signed by the server for one person and one moment.
 */
export const mattermostWebhook = ({ sign, publicKey, now, name }: WebhookParts): Webhook => ({
  async receive({ body }: WebhookRequest): Promise<Received> {
    const call = readJson(new TextDecoder().decode(body))
    const context = toContext(call?.context)
    if (!call || !context || !isOwnContext(context, sign) || !isId(call.user_id)) return { forged: true }
    const key = await publicKey()
    const trigger = key && typeof call.trigger_id === 'string' ? readTrigger(call.trigger_id, call.user_id, key, now()) : null
    if (trigger === null) return { forged: true }
    const tap = toTap(call, context, trigger, now())
    if (!tap) return { unreadable: true }
    return { inbounds: await name([tap]), answer: (verdict?: TapVerdict) => Response.json(toAnswer(verdict?.toast ?? null)) }
  },
})

function toContext(value: unknown): (ActionContext & { selected?: string }) | null {
  if (!isRecord(value)) return null
  const { address, value: pressed, signature, selected_option: selected } = value
  if (typeof address !== 'string' || typeof signature !== 'string') return null
  return {
    address,
    signature,
    ...(typeof pressed === 'string' && { value: pressed }),
    ...(typeof selected === 'string' && { selected }),
  }
}

function toTap(call: Record<string, unknown>, context: ActionContext & { selected?: string }, id: string, now: number): Inbound | null {
  const { user_id: user, user_name: username, post_id: messageId, channel_id: channel } = call
  // A client chooses the option of a select, and nothing of a button.
  const value = context.value ?? context.selected
  const address = mattermostAddress.parse(context.address)
  if (address === null || !isId(user) || !isId(messageId) || !isId(channel) || value === undefined) return null
  const [, thread = ''] = address.split(':thread:')
  return {
    id: `tap:${id}`,
    type: 'tap',
    address,
    isPrivate: address.startsWith('user:'),
    from: { id: user, name: typeof username === 'string' && username !== '' ? username : user },
    at: now,
    tap: { data: { user, channel, thread }, expiresAt: now + mattermostLimits.tapLifeMs },
    messageId,
    value,
  }
}

/** `skip_slack_parsing`: the text is Markdown already. */
const toAnswer = (toast: string | null): Record<string, unknown> =>
  toast === null ? {} : { ephemeral_text: escapeMarkdown(toast), skip_slack_parsing: true }
