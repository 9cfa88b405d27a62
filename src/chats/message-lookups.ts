import { ParleyError } from '../errors.ts'
import type { Channel, SendFailure } from '../ports/channel.ts'
import type { Messaging, Target } from '../shapes/messaging.ts'
import { deliveryLimits } from './outbox/delivery-limits.ts'

type Parts = {
  /** The account of a target, which must be connected, and the address there. */
  find(at: Target): { channel: Channel; name: string; address: string }
  refused(channel: string, failure: SendFailure): ParleyError
}

/** Questions to a platform about messages that are there. Nothing is stored. */
export function messageLookups({ find, refused }: Parts): Pick<Messaging['messages'], 'read' | 'reactions'> {
  const signal = (): AbortSignal => AbortSignal.timeout(deliveryLimits.sendTimeoutMs)
  return {
    async read({ limit, before, messageId, ...at }) {
      const { channel, name, address } = find(at)
      const ask = channel.lookups?.messages
      if (!ask) throw new ParleyError('channel_cannot', { channel: name, what: 'list the messages of a chat for a bot' })
      const which = { ...(before !== undefined && { before }), ...(messageId !== undefined && { messageId }) }
      const answer = await ask({ address, limit, ...which }, signal())
      if ('failure' in answer) throw refused(name, answer.failure)
      return answer.messages.map(({ from: { id, name: sender, isBot }, ...message }) => ({ ...message, from: { id, name: sender, isBot } }))
    },
    async reactions({ messageId, ...at }) {
      const { channel, name, address } = find(at)
      const ask = channel.lookups?.reactions
      if (!ask) throw new ParleyError('channel_cannot', { channel: name, what: 'list the reactions to a message for a bot' })
      const answer = await ask({ address, messageId }, signal())
      if ('failure' in answer) throw refused(name, answer.failure)
      return answer.reactions.map(({ emoji, count, people }) => ({ emoji, count, people: [...people] }))
    },
  }
}
