import type { AddressRules } from '../../../ports/channel.ts'

/** A person (ou_…, their direct messages), a group (oc_…), or the topic of a group that begins with this message (om_…). */
export const getAddress = (chat: string, rootMessage?: string): string =>
  rootMessage === undefined ? chat : `${chat}:thread:${rootMessage}`

export const isDirect = (address: string): boolean => address.startsWith('ou_')

export function toPlace(address: string): { receiveId: string; idType: 'open_id' | 'chat_id'; root?: string } {
  const [receiveId = '', root] = address.split(':thread:')
  return { receiveId, idType: isDirect(address) ? 'open_id' : 'chat_id', ...(root !== undefined && { root }) }
}

export const feishuAddress: AddressRules = {
  parse: (text) => (/^(?:ou_\w{4,60}|oc_\w{4,60}(?::thread:om_\w{4,60})?)$/.test(text) ? text : null),
  parent: (address) => (address.includes(':thread:') ? (address.split(':thread:')[0] ?? null) : null),
  isGroup: (address) => !isDirect(address),
  sample: 'oc_a0553eda9014c201e6969b478895c230',
}
