import type { Channel, FoundMessage, FoundReaction, PlatformRequest, SendFailure, SentAt } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { idTime, toChannel } from './address.ts'
import type { DiscordClient } from './client.ts'
import { getSender, textIn } from './parse.ts'

export const discordLookupLimits = { reactions: 20, people: 100 } as const

type Fields = Record<string, unknown>
/** Puts the channel of direct messages into the path of a request. */
type WithChannel = (request: PlatformRequest, signal: AbortSignal) => Promise<PlatformRequest | { failure: SendFailure }>

export function discordLookups(client: DiscordClient, withChannel: WithChannel): NonNullable<Channel['lookups']> {
  async function call(request: PlatformRequest, signal: AbortSignal): ReturnType<DiscordClient['call']> {
    const ready = await withChannel(request, signal)
    return 'failure' in ready ? ready : client.call(ready, signal)
  }
  const at = ({ address, messageId }: SentAt) => ({ channel_id: toChannel(address), message_id: messageId })
  return {
    async messages({ address, limit, before, messageId }, signal) {
      const answer =
        messageId === undefined
          ? await call(
              {
                operation: 'list_messages',
                path: { channel_id: toChannel(address) },
                query: { limit: String(limit), ...(before !== undefined && { before }) },
              },
              signal,
            )
          : await call({ operation: 'get_message', path: at({ address, messageId }) }, signal)
      if ('failure' in answer) return answer
      return { messages: (messageId === undefined ? list(answer.result['items']) : [answer.result]).flatMap(toMessage) }
    },
    async reactions(where, signal) {
      const answer = await call({ operation: 'get_message', path: at(where) }, signal)
      if ('failure' in answer) return answer
      const reactions: FoundReaction[] = []
      for (const { emoji, count } of list(answer.result['reactions']).filter(isRecord).slice(0, discordLookupLimits.reactions)) {
        const { id, name } = isRecord(emoji) ? emoji : {}
        if (typeof name !== 'string') continue
        // An emoji of a server is named together with its id.
        const emoji_name = typeof id === 'string' ? `${name}:${id}` : name
        const query = { limit: String(discordLookupLimits.people) }
        const people = await call({ operation: 'list_message_reactions_by_emoji', path: { ...at(where), emoji_name }, query }, signal)
        if ('failure' in people) return people
        const ids = list(people.result['items']).flatMap((one) => (isRecord(one) && typeof one['id'] === 'string' ? [one['id']] : []))
        reactions.push({ emoji: name, count: typeof count === 'number' ? count : ids.length, people: ids })
      }
      return { reactions }
    },
  }
}

function toMessage(value: unknown): FoundMessage[] {
  if (!isRecord(value) || typeof value['id'] !== 'string') return []
  const author = isRecord(value['author']) ? value['author'] : {}
  const from = getSender(author, undefined) ?? { id: '', name: '' }
  const isBot = author['bot'] === true || value['webhook_id'] !== undefined
  const text = [textIn(value), ...wordsIn(value['components'])].filter((one) => one !== '').join('\n')
  const poll = isRecord(value['poll']) && isRecord(value['poll']['question']) ? value['poll']['question']['text'] : undefined
  return [
    {
      messageId: value['id'],
      from: { ...from, isBot },
      at: idTime(value['id']),
      text: text === '' && typeof poll === 'string' ? poll : text,
      files: list(value['attachments']).length,
    },
  ]
}

/** The texts of the components of a message. They are nested: a container, a section, a text in it. */
function wordsIn(components: unknown, depth = 0): string[] {
  if (depth > 3) return []
  return list(components).flatMap((one): string[] => {
    const { type, content, components: inner } = (isRecord(one) ? one : {}) as Fields
    return [...(type === 10 && typeof content === 'string' ? [content] : []), ...wordsIn(inner, depth + 1)]
  })
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
