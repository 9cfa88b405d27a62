import type { Inbound } from '../../ports/channel.ts'
import type { Admission } from './decide-binding.ts'

/** The owner's allow list of one channel. */
export type AllowList = {
  /** The platform's ids of people; `*` allows all. */
  people?: readonly string[] | undefined
  /** Addresses where all people may write, such as a group. */
  addresses?: readonly string[] | undefined
  /** All others: they ask with a code (the default), or are ignored. */
  strangers?: 'ask' | 'ignore' | undefined
}

export function admit(
  { people = [], addresses = [], strangers = 'ask' }: AllowList,
  { from, address, chat = address }: Pick<Inbound, 'from' | 'address'> & { chat?: string },
): Admission {
  if (people.includes('*') || people.includes(from.id) || addresses.includes(address) || addresses.includes(chat)) return 'allowed'
  return strangers === 'ask' ? 'must-ask' : 'refused'
}
