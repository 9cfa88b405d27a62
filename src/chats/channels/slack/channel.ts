import type { Channel, PlatformRequest, Receipt, SendFailure, Sender, SentAt } from '../../../ports/channel.ts'
import { slackAddress, toPlace } from './address.ts'
import { slackCapabilities } from './capabilities.ts'
import type { SlackClient } from './client.ts'
import { slackLookups } from './lookups.ts'
import { renderSlack } from './render.ts'
import { toEmojiName } from '../emoji-names.ts'

export const slackChannelLimits = { directChannels: 10_000, reactions: 30 } as const

/** One bot of one workspace. */
export function slackChannel({
  name,
  client,
  addNames,
}: {
  name: string
  client: SlackClient
  addNames: <Each extends { from: Sender }>(items: Each[]) => Promise<Each[]>
}): Channel {
  const directChannels = new Map<string, string>()

  /** Direct messages are addressed by the person; every call but posting wants the channel that Slack made for them. */
  async function withChannel(request: PlatformRequest): Promise<PlatformRequest | { failure: SendFailure }> {
    const person = request.body?.['channel']
    if (typeof person !== 'string' || !/^[UW]/.test(person)) return request
    let channel = directChannels.get(person)
    if (channel === undefined) {
      const opened = await client.call({ operation: 'conversations.open', body: { users: person } })
      if ('failure' in opened) return opened
      channel = (opened.result['channel'] as { id?: string } | undefined)?.id ?? person
      if (directChannels.size >= slackChannelLimits.directChannels) directChannels.clear()
      directChannels.set(person, channel)
    }
    return { ...request, body: { ...request.body, channel } }
  }

  /** Slack removes one reaction at a time, so the own ones are looked up. */
  async function removeReactions(request: PlatformRequest): ReturnType<SlackClient['call']> {
    const own = await client.call({ operation: 'auth.test' })
    if ('failure' in own) return own
    const message = await client.call({ ...request, operation: 'reactions.get' })
    if ('failure' in message) return message
    const { reactions = [] } = (message.result['message'] ?? {}) as { reactions?: { name?: string; users?: unknown[] }[] }
    for (const { name: emoji, users = [] } of reactions.slice(0, slackChannelLimits.reactions)) {
      if (!users.includes(own.result['user_id'])) continue
      const removed = await client.call({ ...request, body: { ...request.body, name: emoji } })
      if ('failure' in removed) return removed
    }
    return { result: {} }
  }

  const at = ({ address, messageId }: SentAt) => ({ channel: toPlace(address).channel, timestamp: messageId })
  return {
    name,
    capabilities: slackCapabilities,
    address: slackAddress,
    render: renderSlack,
    async send(request) {
      const ready = await withChannel(request)
      if ('failure' in ready) return ready
      const outcome = await (ready.operation === 'reactions.remove' ? removeReactions(ready) : client.call(ready))
      return 'failure' in outcome ? outcome : { receipt: toReceipt(outcome.result, request) }
    },
    download: (fileId, signal) => client.download(fileId, signal),
    lookups: slackLookups(async (request) => {
      const ready = await withChannel(request)
      return 'failure' in ready ? ready : client.call(ready)
    }, addNames),
    operations: {
      pin: (where) => ({ operation: 'pins.add', body: at(where) }),
      unpin: (where) => ({ operation: 'pins.remove', body: at(where) }),
      remove: ({ address, messageId }) => ({ operation: 'chat.delete', body: { channel: toPlace(address).channel, ts: messageId } }),
      react: (where, emoji) =>
        emoji === null
          ? { operation: 'reactions.remove', body: at(where) }
          : { operation: 'reactions.add', body: { ...at(where), name: toEmojiName(emoji) } },
      stripControls: ({ address, messageId }) => ({
        operation: 'chat.update',
        body: { channel: toPlace(address).channel, ts: messageId, blocks: [] },
      }),
      typing: () => null,
      answerTap(tap, toast) {
        const { channel = '', user = '', thread = '' } = tap.data
        if (toast === null) return null
        return { operation: 'chat.postEphemeral', body: { channel, user, text: toast, ...(thread !== '' && { thread_ts: thread }) } }
      },
    },
  }
}

function toReceipt(result: Record<string, unknown>, { body = {} }: PlatformRequest): Receipt {
  const ts = result['ts'] ?? result['message_ts'] ?? body['ts'] ?? body['timestamp']
  return {
    address: typeof body['channel'] === 'string' ? body['channel'] : '',
    messageIds: typeof ts === 'string' ? [ts] : [],
    at: typeof ts === 'string' ? Math.round(Number(ts) * 1_000) || 0 : 0,
  }
}
