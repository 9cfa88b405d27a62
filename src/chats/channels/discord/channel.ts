import { createHash } from 'node:crypto'
import type { Channel, PlatformRequest, Receipt, SendFailure, SentAt } from '../../../ports/channel.ts'
import { discordAddress, idTime, toChannel } from './address.ts'
import { discordCapabilities } from './capabilities.ts'
import type { DiscordClient } from './client.ts'
import { toEphemeral, toToast } from './interactions.ts'
import { discordLimits } from './limits.ts'
import { discordLookups } from './lookups.ts'
import { renderDiscord } from './render.ts'

export const discordChannelLimits = { directChannels: 10_000, reactions: 20 } as const

/** One bot of Discord. */
export function discordChannel({ name, client }: { name: string; client: DiscordClient }): Channel {
  const directChannels = new Map<string, string>()

  /** Direct messages are addressed by the person; requests name the channel that Discord made for them. */
  async function withChannel(request: PlatformRequest, signal: AbortSignal): Promise<PlatformRequest | { failure: SendFailure }> {
    const [, person] = /^user:(\d+)$/.exec(request.path?.['channel_id'] ?? '') ?? []
    if (person === undefined) return request
    let channel = directChannels.get(person)
    if (channel === undefined) {
      const opened = await client.call({ operation: 'create_dm', body: { recipient_id: person } }, signal)
      if ('failure' in opened) return opened
      channel = typeof opened.result['id'] === 'string' ? opened.result['id'] : person
      if (directChannels.size >= discordChannelLimits.directChannels) directChannels.clear()
      directChannels.set(person, channel)
    }
    return { ...request, path: { ...request.path, channel_id: channel } }
  }

  /** Discord removes one reaction at a time, so the own ones are looked up. */
  async function removeReactions(request: PlatformRequest, signal: AbortSignal): ReturnType<DiscordClient['call']> {
    const message = await client.call({ ...request, operation: 'get_message' }, signal)
    if ('failure' in message) return message
    const reactions = (message.result['reactions'] ?? []) as { me?: boolean; emoji?: { name?: string } }[]
    for (const { me, emoji } of reactions.slice(0, discordChannelLimits.reactions)) {
      if (!me || emoji?.name === undefined) continue
      const removed = await client.call({ ...request, path: { ...request.path, emoji_name: emoji.name } }, signal)
      if ('failure' in removed) return removed
    }
    return { result: {} }
  }

  const at = ({ address, messageId }: SentAt) => ({ channel_id: toChannel(address), message_id: messageId })
  return {
    name,
    capabilities: discordCapabilities,
    address: discordAddress,
    render: renderDiscord,
    async send(request, { key, signal }) {
      const ready = await withChannel(request, signal)
      if ('failure' in ready) return ready
      const { operation, path = {} } = ready
      const isAllReactions = operation === 'delete_my_message_reaction' && path['emoji_name'] === undefined
      const outcome = isAllReactions
        ? await removeReactions(ready, signal)
        : await client.call(operation === 'create_message' ? withNonce(ready, key) : ready, signal)
      return 'failure' in outcome ? outcome : { receipt: toReceipt(outcome, request) }
    },
    download: (fileId, signal) => client.download(fileId, signal),
    lookups: discordLookups(client, withChannel),
    operations: {
      pin: (where) => ({ operation: 'create_pin', path: at(where) }),
      unpin: (where) => ({ operation: 'delete_pin', path: at(where) }),
      remove: (where) => ({ operation: 'delete_message', path: at(where) }),
      react: (where, emoji) =>
        emoji === null
          ? { operation: 'delete_my_message_reaction', path: at(where) }
          : { operation: 'add_my_message_reaction', path: { ...at(where), emoji_name: emoji } },
      stripControls: (where) => ({ operation: 'update_message', path: at(where), body: { components: [] } }),
      typing: (address) => ({ operation: 'trigger_typing_indicator', path: { channel_id: toChannel(address) } }),
      answerTap({ data }, toast) {
        const { id = '', token = '', application = '', by = '' } = data
        if (by !== 'http')
          return {
            operation: 'create_interaction_response',
            path: { interaction_id: id, interaction_token: token },
            body: toToast(toast),
          }
        // The HTTP response has acknowledged the tap already.
        if (toast === null) return null
        return { operation: 'execute_webhook', path: { webhook_id: application, webhook_token: token }, body: toEphemeral(toast) }
      },
    },
  }
}

/** Discord returns the first message to a request with the same nonce. */
const withNonce = (request: PlatformRequest, key: string): PlatformRequest => ({
  ...request,
  body: {
    ...request.body,
    nonce: createHash('sha256').update(key).digest('base64url').slice(0, discordLimits.nonceChars),
    enforce_nonce: true,
  },
})

function toReceipt(
  { result, pace }: Extract<Awaited<ReturnType<DiscordClient['call']>>, { result: unknown }>,
  { path = {} }: PlatformRequest,
): Receipt {
  const id = typeof result['id'] === 'string' ? result['id'] : path['message_id']
  return { address: path['channel_id'] ?? '', messageIds: id === undefined ? [] : [id], at: idTime(id ?? ''), ...(pace && { pace }) }
}
