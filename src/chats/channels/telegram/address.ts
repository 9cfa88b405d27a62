import type { AddressRules } from '../../../ports/channel.ts'

/** A chat, or one topic in it, as it is spelled everywhere outside of this folder. */
export const getAddress = (chat: number | string, topic?: number | string): string =>
  topic === undefined ? `${chat}` : `${chat}:topic:${topic}`

export function toPlace(address: string): { chat_id: number | string; message_thread_id?: number } {
  const [chat = '', topic] = address.split(':topic:')
  return { chat_id: /^-?\d+$/.test(chat) ? Number(chat) : chat, ...(topic !== undefined && { message_thread_id: Number(topic) }) }
}

export const telegramAddress: AddressRules = {
  // A public name such as @team says nothing: only Telegram knows its chat.
  parse(text) {
    const { chat_id: chat, message_thread_id: topic } = toPlace(text)
    if (!Number.isSafeInteger(chat) || (topic !== undefined && !Number.isSafeInteger(topic))) return null
    return getAddress(Number(chat) + 0, topic)
  },
  parent(address) {
    const [chat = address, topic] = address.split(':topic:')
    return topic === undefined ? null : chat
  },
  // Ids of people are positive; groups have negative ones, or a name.
  isGroup: (address) => !/^\d+$/.test(address.split(':topic:')[0] ?? address),
  sample: '1',
}
