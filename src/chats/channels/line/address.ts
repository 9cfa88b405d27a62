import type { AddressRules } from '../../../ports/channel.ts'

/** A person (U…), a group (C…) or a chat of several people (R…). LINE has no threads. */
export const lineAddress: AddressRules = {
  parse: (text) => (/^[UCR][0-9a-f]{32}$/.test(text) ? text : null),
  parent: () => null,
  isGroup: (address) => !address.startsWith('U'),
  sample: `U${'0'.repeat(31)}1`,
}
