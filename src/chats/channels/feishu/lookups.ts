import type { Channel, FoundMessage, MessageQuery, PlatformRequest, SendFailure, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { refuse } from '../failure.ts'
import { isDirect, toPlace } from './address.ts'
import type { FeishuClient } from './client.ts'
import { readMessage } from './parse.ts'

/** D im-v1 message list and reaction list: at most 50 on a page. */
export const feishuLookupLimits = { pageItems: 50, reactionPages: 10 } as const

type AddNames = <Each extends { from: Sender }>(items: Each[]) => Promise<Each[]>

export function feishuLookups(client: FeishuClient, addNames: AddNames): NonNullable<Channel['lookups']> {
  /** Pages of a list, up to `limit` items. */
  async function collect(request: PlatformRequest, limit: number, signal: AbortSignal): Promise<unknown[] | { failure: SendFailure }> {
    const items: unknown[] = []
    let token = ''
    while (items.length < limit) {
      const page = { page_size: String(Math.min(limit, feishuLookupLimits.pageItems)), ...(token !== '' && { page_token: token }) }
      const answer = await client.call({ ...request, query: { ...request.query, ...page } }, signal)
      if ('failure' in answer) return answer
      const found = list(answer.result['items'])
      items.push(...found)
      token = typeof answer.result['page_token'] === 'string' ? answer.result['page_token'] : ''
      if (answer.result['has_more'] !== true || token === '' || found.length === 0) break
    }
    return items.slice(0, limit)
  }

  async function getOne(messageId: string, signal: AbortSignal): Promise<Record<string, unknown> | { failure: SendFailure }> {
    const answer = await client.call({ operation: 'im.message.get', path: { message_id: messageId } }, signal)
    if ('failure' in answer) return answer
    const [item] = list(answer.result['items'])
    return isRecord(item) ? item : { failure: refuse('the message is not there any more', 'gone') }
  }

  /** A topic has an id of its own, which its first message knows; a message before another one is found by its time. */
  async function toRequest({ address, before }: MessageQuery, signal: AbortSignal): Promise<PlatformRequest | { failure: SendFailure }> {
    const { receiveId, root } = toPlace(address)
    const first = root === undefined ? undefined : await getOne(root, signal)
    if (first && isFailure(first)) return first
    const earlier = before === undefined ? undefined : await getOne(before, signal)
    if (earlier && isFailure(earlier)) return earlier
    const container =
      typeof first?.['thread_id'] === 'string'
        ? { container_id_type: 'thread', container_id: first['thread_id'] }
        : { container_id_type: 'chat', container_id: receiveId }
    const until = earlier && { end_time: String(Math.ceil(Number(earlier['create_time']) / 1_000)) }
    return { operation: 'im.message.list', query: { ...container, sort_type: 'ByCreateTimeDesc', ...until } }
  }

  return {
    async messages(query, signal) {
      const { address, limit, before, messageId } = query
      if (messageId !== undefined) {
        const item = await getOne(messageId, signal)
        return isFailure(item) ? item : { messages: await addNames(toMessage(item)) }
      }
      if (isDirect(address)) return { failure: refuse('Feishu lists the messages of a group (oc_…), not those with one person (ou_…)') }
      const request = await toRequest(query, signal)
      if ('failure' in request) return request
      const items = await collect(request, limit + 1, signal)
      if (!Array.isArray(items)) return items
      const messages = items.flatMap(toMessage).filter(({ messageId: id }) => id !== before)
      return { messages: await addNames(messages.slice(0, limit)) }
    },
    async reactions({ messageId }, signal) {
      const most = feishuLookupLimits.pageItems * feishuLookupLimits.reactionPages
      const items = await collect({ operation: 'im.messageReaction.list', path: { message_id: messageId } }, most, signal)
      if (!Array.isArray(items)) return items
      const people = new Map<string, string[]>()
      for (const { operator, reaction_type: reaction } of items.filter(isRecord)) {
        const emoji = isRecord(reaction) ? reaction['emoji_type'] : undefined
        const id = isRecord(operator) ? operator['operator_id'] : undefined
        if (typeof emoji === 'string' && typeof id === 'string') people.set(emoji, [...(people.get(emoji) ?? []), id])
      }
      return { reactions: [...people].map(([emoji, ids]) => ({ emoji, count: ids.length, people: ids })) }
    },
  }
}

function toMessage(value: unknown): FoundMessage[] {
  if (!isRecord(value) || typeof value['message_id'] !== 'string' || value['deleted'] === true) return []
  const { message_id: messageId, sender, create_time: time, msg_type: type, body, mentions } = value
  const { id, sender_type: kind } = isRecord(sender) ? sender : {}
  const name = typeof id === 'string' ? id : ''
  const { text, media } = readMessage({
    message_id: messageId,
    message_type: type,
    content: isRecord(body) ? body['content'] : '',
    mentions,
  })
  const from = { id: name, name, isBot: kind === 'app' }
  return [{ messageId, from, at: Number(time) || 0, text, files: media.length }]
}

const isFailure = (value: Record<string, unknown> | { failure: SendFailure }): value is { failure: SendFailure } => 'failure' in value
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
