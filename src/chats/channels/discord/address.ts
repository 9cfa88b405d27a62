import type { AddressRules } from '../../../ports/channel.ts'

/** Direct messages of a person. Discord has a channel for them, which only its own answers name. */
export const directAddress = (user: string): string => `user:${user}`

/** A channel, or one thread of it. */
export const getAddress = (channel: string, thread?: string): string => (thread === undefined ? channel : `${channel}:thread:${thread}`)

/** The channel that requests name. A thread is a channel; `user:…` is resolved before a request is sent. */
export const toChannel = (address: string): string => address.split(':thread:').at(-1) ?? address

/** Time at which Discord made this id. */
export const idTime = (id: string): number => (/^\d{1,20}$/.test(id) ? Number((BigInt(id) >> 22n) + 1_420_070_400_000n) : 0)

const form = /^(?:user:\d{5,20}|\d{5,20}(?::thread:\d{5,20})?)$/

export const discordAddress: AddressRules = {
  parse(text) {
    const bare = text.replace(/^channel:/, '')
    return form.test(bare) ? bare : null
  },
  parent: (address) => (address.includes(':thread:') ? (address.split(':thread:')[0] ?? null) : null),
  isGroup: (address) => !address.startsWith('user:'),
  sample: '1100000000000000001',
}
