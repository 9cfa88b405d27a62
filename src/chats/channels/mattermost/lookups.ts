import type { Channel, FoundMessage, FoundReaction, MessageQuery, PlatformRequest, SendFailure, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { toPlace } from './address.ts'
import type { MattermostClient } from './client.ts'

type AddNames = <Each extends { from: Sender }>(items: Each[]) => Promise<Each[]>
/** The channel of an address, also of direct messages. */
type FindChannel = (address: string, signal: AbortSignal) => Promise<string | { failure: SendFailure }>

export function mattermostLookups(
  client: MattermostClient,
  { findChannel, addNames }: { findChannel: FindChannel; addNames: AddNames },
): NonNullable<Channel['lookups']> {
  async function toRequest(query: MessageQuery, signal: AbortSignal): Promise<PlatformRequest | { failure: SendFailure }> {
    const { address, limit, before, messageId } = query
    if (messageId !== undefined) return { operation: 'GetPost', path: { post_id: messageId } }
    const { root_id: root } = toPlace(address)
    if (root !== undefined) {
      const from = before !== undefined && { fromPost: before }
      return { operation: 'GetPostThread', path: { post_id: root }, query: { perPage: String(limit), direction: 'up', ...from } }
    }
    const channel = await findChannel(address, signal)
    if (typeof channel !== 'string') return channel
    const query_ = { per_page: String(limit), ...(before !== undefined && { before }) }
    return { operation: 'GetPostsForChannel', path: { channel_id: channel }, query: query_ }
  }

  return {
    async messages(query, signal) {
      const request = await toRequest(query, signal)
      if ('failure' in request) return request
      const answer = await client.call(request, signal)
      if ('failure' in answer) return answer
      const posts = isRecord(answer.result['posts']) ? Object.values(answer.result['posts']) : [answer.result]
      const newest = posts.flatMap(toMessage).toSorted((one, other) => other.at - one.at)
      const { before } = query
      return { messages: await addNames(newest.filter(({ messageId }) => messageId !== before).slice(0, query.limit)) }
    },
    async reactions({ messageId }, signal) {
      const answer = await client.call({ operation: 'GetReactions', path: { post_id: messageId } }, signal)
      if ('failure' in answer) return answer
      const people = new Map<string, string[]>()
      for (const one of list(answer.result['items']).filter(isRecord)) {
        const { emoji_name: emoji, user_id: user } = one
        if (typeof emoji === 'string' && typeof user === 'string') people.set(emoji, [...(people.get(emoji) ?? []), user])
      }
      return { reactions: [...people].map(([emoji, ids]): FoundReaction => ({ emoji, count: ids.length, people: ids })) }
    },
  }
}

function toMessage(value: unknown): FoundMessage[] {
  if (!isRecord(value) || typeof value['id'] !== 'string' || (typeof value['delete_at'] === 'number' && value['delete_at'] > 0)) return []
  const { id, user_id: user, create_at: at, message, props, file_ids: files } = value
  const from = typeof user === 'string' ? user : ''
  const isBot = isRecord(props) && (props['from_bot'] === 'true' || props['from_webhook'] === 'true')
  const own = typeof message === 'string' ? message : ''
  const text = own === '' && isRecord(props) ? [...wordsIn(props['mm_blocks']), ...wordsIn(props['attachments'])].join('\n') : own
  return [
    {
      messageId: id,
      from: { id: from, name: from, isBot },
      at: typeof at === 'number' ? at : 0,
      text,
      files: list(files).length,
    },
  ]
}

/** The texts of blocks and attachments. Blocks are nested. */
function wordsIn(blocks: unknown, depth = 0): string[] {
  if (depth > 3) return []
  return list(blocks).flatMap((one): string[] => {
    const { type, text, content } = isRecord(one) ? one : {}
    const isText = typeof text === 'string' && (type === undefined || type === 'text')
    return [...(isText ? [text] : []), ...wordsIn(content, depth + 1)]
  })
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
