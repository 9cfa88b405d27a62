import type { AddressRules } from '../../../ports/channel.ts'

/** A person (U…, their direct messages), a channel (C…, G…), or one thread of it. */
export const getAddress = (channel: string, thread?: string): string => (thread === undefined ? channel : `${channel}:thread:${thread}`)

export function toPlace(address: string): { channel: string; thread_ts?: string } {
  const [channel = '', thread] = address.split(':thread:')
  return { channel, ...(thread !== undefined && { thread_ts: thread }) }
}

export const slackAddress: AddressRules = {
  // A name such as #team says nothing: only Slack knows its channel.
  parse: (text) => (/^[A-Z][A-Z0-9]{1,30}(:thread:\d+\.\d+)?$/.test(text) ? text : null),
  parent: (address) => (address.includes(':thread:') ? (address.split(':thread:')[0] ?? null) : null),
  isGroup: (address) => !/^[UWD]/.test(address),
  sample: 'C0SAMPLE1',
}
