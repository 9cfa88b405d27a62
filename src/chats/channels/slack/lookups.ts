import type { Channel, FoundMessage, FoundReaction, MessageQuery, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { refuse } from '../failure.ts'
import { toPlace } from './address.ts'
import type { SlackClient } from './client.ts'
import { toText } from './parse.ts'

/** A thread is listed from its beginning, so its newest messages are on the last page. */
export const slackLookupLimits = { pageMessages: 200, threadPages: 10 } as const

type Fields = Record<string, unknown>
/** Slack names people by their id alone. */
type AddNames = <Each extends { from: Sender }>(items: Each[]) => Promise<Each[]>

export function slackLookups(call: SlackClient['call'], addNames: AddNames): NonNullable<Channel['lookups']> {
  async function thread(channel: string, ts: string, query: MessageQuery): ReturnType<SlackClient['call']> {
    const messages: unknown[] = []
    let cursor = ''
    for (let page = 0; page < slackLookupLimits.threadPages; page += 1) {
      const { before } = query
      const body = { channel, ts, limit: slackLookupLimits.pageMessages, ...(before !== undefined && { latest: before }) }
      const answer = await call({ operation: 'conversations.replies', body: { ...body, ...(cursor !== '' && { cursor }) } })
      if ('failure' in answer) return answer
      messages.push(...list(answer.result['messages']))
      const { next_cursor: next = '' } = (answer.result['response_metadata'] ?? {}) as { next_cursor?: string }
      if (next === '') return { result: { messages: messages.toReversed() } }
      cursor = next
    }
    return { failure: refuse(`the thread has more than ${messages.length} messages`, 'too_large') }
  }

  return {
    async messages(query) {
      const { address, limit, before, messageId } = query
      const { channel, thread_ts: root } = toPlace(address)
      const span =
        messageId === undefined
          ? { limit, ...(before !== undefined && { latest: before }) }
          : { latest: messageId, oldest: messageId, inclusive: true, limit: 1 }
      const answer =
        root !== undefined && messageId === undefined
          ? await thread(channel, root, query)
          : await call({
              operation: root === undefined ? 'conversations.history' : 'conversations.replies',
              body: { channel, ...(root !== undefined && { ts: root }), ...span },
            })
      if ('failure' in answer) return answer
      const messages = list(answer.result['messages']).flatMap(toMessage)
      const matches = messages.filter(({ messageId: id }) => (messageId === undefined ? id !== before : id === messageId))
      return { messages: await addNames(matches.slice(0, limit)) }
    },
    async reactions({ address, messageId }) {
      const { channel } = toPlace(address)
      const answer = await call({ operation: 'reactions.get', body: { channel, timestamp: messageId, full: true } })
      if ('failure' in answer) return answer
      const message = answer.result['message']
      return { reactions: list(isRecord(message) ? message['reactions'] : []).flatMap(toReaction) }
    },
  }
}

function toMessage(value: unknown): FoundMessage[] {
  if (!isRecord(value) || typeof value['ts'] !== 'string') return []
  const { ts, user, bot_id: bot, text, files } = value as Fields & { ts: string }
  const id = typeof user === 'string' ? user : typeof bot === 'string' ? bot : ''
  const at = Math.round(Number(ts) * 1_000) || 0
  return [{ messageId: ts, from: { id, name: id, isBot: bot !== undefined }, at, text: toText(text), files: list(files).length }]
}

function toReaction(value: unknown): FoundReaction[] {
  if (!isRecord(value) || typeof value['name'] !== 'string') return []
  const people = list(value['users']).filter((one) => typeof one === 'string')
  return [{ emoji: value['name'], count: typeof value['count'] === 'number' ? value['count'] : people.length, people }]
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
