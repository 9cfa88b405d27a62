import type { Identities } from './bindings/identities.ts'
import type { Connections } from './connections.ts'
import type { SendingRules } from './outbox/sending-rules.ts'

/** The settings in parley.yaml for sending to the places of an account. */
export const accountRules = (parts: {
  connections: Pick<Connections, 'connection'>
  identities: Pick<Identities, 'isPrivate'>
}): SendingRules => ({
  async hasButtons(place) {
    const { inlineButtons = 'all' } = parts.connections.connection(place.channel)?.config ?? {}
    if (inlineButtons === 'all' || inlineButtons === 'off') return inlineButtons === 'all'
    return (await parts.identities.isPrivate(place)) === (inlineButtons === 'dm')
  },
  repeatsUnknown: (channel) => parts.connections.connection(channel)?.config.onUnknown === 'repeat',
})
