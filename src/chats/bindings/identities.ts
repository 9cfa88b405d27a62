import { type Language, readLanguage } from '../../shapes/language.ts'
import { toAuthor, ownerId, type People, getPerson } from '../../authority/people.ts'
import type { Author } from '../../authority/roles.ts'
import { admit } from './allow-list.ts'
import { bindingStream } from './binding-kind.ts'
import type { BindingState } from './binding-state.ts'
import type { Inbound } from '../../ports/channel.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import type { Connections } from '../connections.ts'
import type { Admission } from './decide-binding.ts'
import type { ChatAddress } from './chat-address.ts'

/** People behind addresses and messages of chat apps, and their private chats. */
export type Identities = {
  /** The author of a message or tap, with the role they have now. Decided by ids alone, never by a name. */
  toAuthor(channel: string, inbound: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Author
  /** The owner's lists, applied to the author of a message or tap. */
  admit(channel: string, inbound: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Admission
  /** Private chats of this person that are known: they have written there, or it is a `notify` address. */
  makeChats(author: Author): Promise<ChatAddress[]>
  /** Only one person reads there. Unknown counts as no. */
  isPrivate(place: ChatAddress): Promise<boolean>
  /** The person of a private chat; null for a group and before the first message. */
  personAt(place: ChatAddress): Promise<Author | null>
  /** The account's language, else the one the last writer has set on the platform, else `otherwise`. */
  languageAt(place: ChatAddress, otherwise: Language): Promise<Language>
}

export function identities(parts: {
  connections: Pick<Connections, 'connection' | 'list'>
  bindings: Pick<StreamHandler<BindingState, never>, 'load'>
  people: () => People
}): Identities {
  const { connections, bindings, people } = parts
  const bindingAt = ({ channel, address }: ChatAddress): Promise<BindingState> => bindings.load(bindingStream(channel, address))
  const isNotify = ({ channel, address }: ChatAddress): boolean => connections.connection(channel)?.config.notify.includes(address) ?? false

  /** Names under which `people` may list ids of this account: its platform, and the account alone. */
  function getPlatforms(channel: string): string[] {
    const kind = connections.connection(channel)?.kind ?? channel
    // An account named after another platform must not lend its people to it.
    const isOtherPlatform = connections.list().some((other) => other.kind === channel && kind !== channel)
    return kind === channel || isOtherPlatform ? [kind] : [kind, channel]
  }

  function authorFor(channel: string, { from, address, isPrivate: isAlone }: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Author {
    const [kind = channel] = getPlatforms(channel)
    const isNotifyAddress = isNotify({ channel, address })
    const platform = getPlatforms(channel).find((name) => getPerson(people(), name, from.id) !== null) ?? kind
    const sender = { platform, account: channel, name: from.name }
    if (isAlone && !from.isAnonymous) return toAuthor({ surface: 'private', ...sender, sender: from.id, isNotifyAddress }, people())
    const author = toAuthor({ surface: 'group', ...sender, sender: from.isAnonymous ? null : from.id }, people())
    // Anonymous senders of different groups or channels are different people.
    return from.isAnonymous ? { ...author, id: `${kind}:${channel}:${from.id}` } : author
  }

  /** True for a person listed under `people` who writes in private. */
  const isListed = (channel: string, { from, isPrivate: isAlone }: Pick<Inbound, 'from' | 'isPrivate'>): boolean =>
    isAlone && !from.isAnonymous && getPlatforms(channel).some((name) => getPerson(people(), name, from.id) !== null)

  async function isPrivate(place: ChatAddress): Promise<boolean> {
    const isGroup = connections.connection(place.channel)?.channel?.address.isGroup(place.address) ?? null
    if (isGroup !== null) return !isGroup
    const { isPrivate: isKnown, last } = await bindingAt(place)
    return isKnown && last !== null
  }

  /** The private chat with a person has their id as its address, on the platforms there are; the last writer proves it. */
  async function isKnownChat(place: ChatAddress): Promise<boolean> {
    if (isNotify(place)) return isPrivate(place)
    const { status, isPrivate: isKnown, last } = await bindingAt(place)
    return (status === 'bound' || status === 'accepted') && isKnown && last?.from.id === place.address
  }

  return {
    toAuthor(channel, inbound) {
      const author = authorFor(channel, inbound)
      return author.id === ownerId ? { ...author, name: inbound.from.name } : author
    },
    admit(channel, inbound) {
      const match = connections.connection(channel)
      if (!match) return 'refused'
      const { allow, notify } = match.config
      // A thread or topic is admitted with its chat.
      const chat = match.channel?.address.parent(inbound.address) ?? inbound.address
      const isNotifyAddress = notify.includes(inbound.address) || notify.includes(chat)
      return isNotifyAddress || isListed(channel, inbound) ? 'allowed' : admit(allow, { ...inbound, chat })
    },
    async makeChats({ id }) {
      const places =
        id === ownerId
          ? people().length > 0
            ? []
            : connections.list().flatMap(({ name, config }) => config.notify.map((address) => ({ channel: name, address })))
          : connections.list().flatMap(({ name }) => {
              const platforms = getPlatforms(name)
              const person = people().find(({ key }) => `person:${key}` === id)
              const ids = (person?.identities ?? []).filter(({ platform }) => platforms.includes(platform))
              return ids.map((one) => ({ channel: name, address: one.id }))
            })
      const knownChats = await Promise.all(places.map(isKnownChat))
      return places.filter((_, index) => knownChats[index])
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
      return last?.from.language === undefined ? otherwise : readLanguage(last.from.language)
    },
  }
}
