import type { Inbound } from '../ports/channel.ts'
import type { Admission } from './decide-binding.ts'

/** Who is heard on one channel, as the owner wrote it down. */
export type AllowList = {
  /** The platform's ids of people; `*` is everybody. */
  people?: readonly string[] | undefined
  /** Addresses where everybody is heard, such as a group. */
  addresses?: readonly string[] | undefined
  /** Everybody else: asks with a code, or is not heard. Ask, unless said. */
  strangers?: 'ask' | 'ignore' | undefined
}

export function admit(
  { people = [], addresses = [], strangers = 'ask' }: AllowList,
  { from, address }: Pick<Inbound, 'from' | 'address'>,
): Admission {
  if (people.includes('*') || people.includes(from.id) || addresses.includes(address)) return 'allowed'
  return strangers === 'ask' ? 'must-ask' : 'refused'
}
