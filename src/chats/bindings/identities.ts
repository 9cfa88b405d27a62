import type { Language } from '../authority/authority-words.ts'
import { authorOf, ownerId, type People, personOf } from '../authority/people.ts'
import type { Author } from '../authority/roles.ts'
import { bindingStream } from '../inbound/binding-kind.ts'
import type { BindingState } from '../inbound/binding-state.ts'
import type { Inbound } from '../ports/channel.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import type { Connections } from './connections.ts'
import { spokenBy } from './messaging-words.ts'
import type { Place } from './reply-names.ts'

/** Who is behind an address or a message of a chat app, and where a person can be reached in private. */
export type Identities = {
  /** The author of a message or tap, with the role they have now. Decided by ids alone, never by a name. */
  authorOf(channel: string, inbound: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Author
  /** Whether a person listed under `people` writes here in private. */
  isListed(channel: string, inbound: Pick<Inbound, 'from' | 'isPrivate'>): boolean
  /** Private chats of this person that are known: they have written there, or it is a `notify` address. */
  chatsOf(author: Author): Promise<Place[]>
  /** Nobody else reads there. Unknown counts as no. */
  isPrivate(place: Place): Promise<boolean>
  /** The person of a private chat; null for a group and where nobody has written yet. */
  personAt(place: Place): Promise<Author | null>
  /** The account's language, else the one the last writer has set on the platform, else `otherwise`. */
  languageAt(place: Place, otherwise: Language): Promise<Language>
}

export function identities(parts: {
  connections: Pick<Connections, 'connection' | 'list'>
  bindings: Pick<StreamHandler<BindingState, never>, 'known'>
  people: () => People
}): Identities {
  const { connections, bindings, people } = parts
  const bindingAt = ({ channel, address }: Place): Promise<BindingState> => bindings.known(bindingStream(channel, address))
  const isNotify = ({ channel, address }: Place): boolean => connections.connection(channel)?.config.notify.includes(address) ?? false

  /** Names under which `people` may list ids of this account: its platform, and the account alone. */
  function platformsOf(channel: string): string[] {
    const kind = connections.connection(channel)?.kind ?? channel
    // An account named after another platform must not lend its people to it.
    const isOtherPlatform = connections.list().some((other) => other.kind === channel && kind !== channel)
    return kind === channel || isOtherPlatform ? [kind] : [kind, channel]
  }

  function authorFor(channel: string, { from, address, isPrivate: isAlone }: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Author {
    const [kind = channel] = platformsOf(channel)
    const isNotifyAddress = isNotify({ channel, address })
    const platform = platformsOf(channel).find((name) => personOf(people(), name, from.id) !== null) ?? kind
    const sender = { platform, account: channel, name: from.name }
    if (isAlone && !from.isAnonymous) return authorOf({ surface: 'private', ...sender, sender: from.id, isNotifyAddress }, people())
    const author = authorOf({ surface: 'group', ...sender, sender: from.isAnonymous ? null : from.id }, people())
    // Whoever speaks as one group or channel is not whoever speaks as another.
    return from.isAnonymous ? { ...author, id: `${kind}:${channel}:${from.id}` } : author
  }

  async function isPrivate(place: Place): Promise<boolean> {
    const group = connections.connection(place.channel)?.channel?.capabilities.delivery.placeOf?.(place.address).isGroup
    if (group !== undefined) return !group
    const { isPrivate: isKnown, last } = await bindingAt(place)
    return isKnown && last !== null
  }

  /** The private chat with a person has their id as its address, on the platforms there are; the last writer proves it. */
  async function isChatOf(place: Place): Promise<boolean> {
    if (isNotify(place)) return isPrivate(place)
    const { status, isPrivate: isKnown, last } = await bindingAt(place)
    return (status === 'bound' || status === 'accepted') && isKnown && last?.from.id === place.address
  }

  return {
    authorOf(channel, inbound) {
      const author = authorFor(channel, inbound)
      return author.id === ownerId ? { ...author, name: inbound.from.name } : author
    },
    isListed: (channel, { from, isPrivate: isAlone }) =>
      isAlone && !from.isAnonymous && platformsOf(channel).some((name) => personOf(people(), name, from.id) !== null),
    async chatsOf({ id }) {
      const places =
        id === ownerId
          ? people().length > 0
            ? []
            : connections.list().flatMap(({ name, config }) => config.notify.map((address) => ({ channel: name, address })))
          : connections.list().flatMap(({ name }) => {
              const platforms = platformsOf(name)
              const person = people().find(({ key }) => `person:${key}` === id)
              const ids = (person?.identities ?? []).filter(({ platform }) => platforms.includes(platform))
              return ids.map((one) => ({ channel: name, address: one.id }))
            })
      const known = await Promise.all(places.map(isChatOf))
      return places.filter((_, index) => known[index])
    },
    isPrivate,
    async personAt(place) {
      const { last, isPrivate: isKnown } = await bindingAt(place)
      if (last && isKnown) return authorFor(place.channel, { from: last.from, address: place.address, isPrivate: true })
      return isNotify(place) && people().length === 0 && (await isPrivate(place)) ? { id: ownerId, name: 'owner', role: 'owner' } : null
    },
    async languageAt(place, otherwise) {
      const set = connections.connection(place.channel)?.config.language
      if (set !== undefined) return set
      const { last } = await bindingAt(place)
      return last?.from.language === undefined ? otherwise : spokenBy(last.from.language)
    },
  }
}
