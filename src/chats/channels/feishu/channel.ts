import { createHash } from 'node:crypto'
import type { Channel, PlatformRequest, Receipt, Sender, SentAt } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { feishuAddress } from './address.ts'
import { feishuCapabilities } from './capabilities.ts'
import type { FeishuClient } from './client.ts'
import { feishuLimits } from './limits.ts'
import { feishuLookups } from './lookups.ts'
import { renderFeishu } from './render.ts'
import { toEmojiType } from './emoji.ts'

export const feishuChannelLimits = { reactions: 50 } as const

/** One bot of Feishu. `appId` is the author of its reactions. */
export function feishuChannel({
  name,
  appId,
  client,
  addNames,
}: {
  name: string
  appId: string
  client: FeishuClient
  addNames: <Each extends { from: Sender }>(items: Each[]) => Promise<Each[]>
}): Channel {
  /** Feishu removes a reaction by its id, so the own ones are looked up. */
  async function removeReactions(request: PlatformRequest, signal: AbortSignal): ReturnType<FeishuClient['call']> {
    const query = { page_size: String(feishuChannelLimits.reactions) }
    const answer = await client.call({ operation: 'im.messageReaction.list', path: request.path ?? {}, query }, signal)
    if ('failure' in answer) return answer
    const reactions = (Array.isArray(answer.result['items']) ? (answer.result['items'] as unknown[]) : []).filter(isRecord)
    for (const { reaction_id: id, operator } of reactions) {
      if (typeof id !== 'string' || !isRecord(operator) || operator['operator_id'] !== appId) continue
      const removed = await client.call({ ...request, path: { ...request.path, reaction_id: id } }, signal)
      if ('failure' in removed) return removed
    }
    return { result: {} }
  }

  const at = ({ messageId }: SentAt) => ({ message_id: messageId })
  return {
    name,
    capabilities: feishuCapabilities,
    address: feishuAddress,
    render: renderFeishu,
    async send(request, { key, signal }) {
      const outcome =
        request.operation === 'im.messageReaction.delete'
          ? await removeReactions(request, signal)
          : await client.call(isSending(request) ? withUuid(request, `${name}/${key}`) : request, signal)
      return 'failure' in outcome ? outcome : { receipt: toReceipt(outcome.result, request) }
    },
    download: (fileId, signal) => client.download(fileId, signal),
    lookups: feishuLookups(client, addNames),
    operations: {
      pin: (where) => ({ operation: 'im.pin.create', body: at(where) }),
      unpin: (where) => ({ operation: 'im.pin.delete', path: at(where) }),
      remove: (where) => ({ operation: 'im.message.delete', path: at(where) }),
      react: (where, emoji) =>
        emoji === null
          ? { operation: 'im.messageReaction.delete', path: at(where) }
          : {
              operation: 'im.messageReaction.create',
              path: at(where),
              body: { reaction_type: { emoji_type: toEmojiType(emoji) } },
            },
      stripControls: () => ({ operation: 'stripControls' }),
      typing: () => null,
      // The answer to a tap is the response to its event.
      answerTap: () => null,
    },
  }
}

const isSending = ({ operation }: PlatformRequest): boolean => operation === 'im.message.create' || operation === 'im.message.reply'

/** Of the requests with the same uuid, one sends a message. */
const withUuid = (request: PlatformRequest, key: string): PlatformRequest => ({
  ...request,
  body: { ...request.body, uuid: createHash('sha256').update(key).digest('hex').slice(0, feishuLimits.uuidChars) },
})

function toReceipt({ message_id: id, create_time: time }: Record<string, unknown>, { path = {}, body = {} }: PlatformRequest): Receipt {
  const messageId = typeof id === 'string' ? id : (path['message_id'] ?? body['message_id'])
  return {
    address: typeof body['receive_id'] === 'string' ? body['receive_id'] : '',
    messageIds: typeof messageId === 'string' ? [messageId] : [],
    at: Number(time) || 0,
  }
}
