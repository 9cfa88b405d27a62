import type { AddressRules } from '../../../ports/channel.ts'

/** Direct messages of a person. Mattermost has a channel for them, which is looked up before a request is sent. */
export const directAddress = (user: string): string => `user:${user}`

/** A channel or the direct messages of a person, or one thread there. */
export const withThread = (chat: string, root: string): string => (root === '' ? chat : `${chat}:thread:${root}`)

/** The channel, or `user:…`, and the first post of the thread. */
export function toPlace(address: string): { channel_id: string; root_id?: string } {
  const [channel = '', root] = address.split(':thread:')
  return { channel_id: channel, ...(root !== undefined && { root_id: root }) }
}

const form = /^(?:user:)?[a-z0-9]{26}(?::thread:[a-z0-9]{26})?$/

export const mattermostAddress: AddressRules = {
  parse(text) {
    const bare = text.replace(/^channel:/, '')
    return form.test(bare) ? bare : null
  },
  parent: (address) => (address.includes(':thread:') ? (address.split(':thread:')[0] ?? null) : null),
  isGroup: (address) => !address.startsWith('user:'),
  sample: 'sampleofachannel0123456789',
}
