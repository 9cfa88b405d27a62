import type { AddressRules } from '../../../ports/channel.ts'

/** A chat with one person (a:…), a group chat or a channel (19:…@thread.…), or one thread of a channel. */
const form = /^(?:a:[\w=.-]{1,300}|19:[\w.-]{1,300}@[\w.]{1,40}(?::thread:\d{1,20})?)$/

/** The id of a conversation, as activities and requests write it. */
export const toConversation = (address: string): string => address.replace(':thread:', ';messageid=')

/** Null for an id that is none of Teams: it becomes a part of the path of requests. */
export function toAddress(conversation: string): string | null {
  const address = conversation.replace(';messageid=', ':thread:')
  return form.test(address) ? address : null
}

/** The chat without a thread. */
export const toChat = (address: string): string => address.split(/:thread:|;messageid=/)[0] ?? address

export const teamsAddress: AddressRules = {
  parse: toAddress,
  parent: (address) => (address.includes(':thread:') ? toChat(address) : null),
  isGroup: (address) => !address.startsWith('a:'),
  sample: '19:sample0000000000@thread.v2',
}
