import { type Decision, decideBy, type Deciders, nothing, type Timed } from './decision.ts'
import type { ContactEvent } from './contact-events.ts'
import type { ContactState } from './contact-state.ts'
import { refuse } from '../../errors.ts'

export type ContactCommand =
  /** The peer shows this key, through the host. */
  | { type: 'see-key'; code: string; key: string }
  /** A person brings the key on a share card. */
  | { type: 'read-card'; code: string; key: string }
  | { type: 'accept-key'; key: string; by: string }
  | { type: 'decline-key'; key: string; by: string }

const deciders: Deciders<ContactState, ContactCommand, ContactEvent> = {
  'see-key': (state, { at, code, key }) => {
    if (state.key === null) return { events: [{ type: 'key.pinned', at, data: { code, key, source: 'first_contact' } }] }
    if (state.key === key || state.offered?.key === key || state.declined.includes(key)) return nothing
    return { events: [{ type: 'key.changed', at, data: { key } }] }
  },
  'read-card': (state, { at, code, key }) => {
    if (state.key === key && state.source === 'share_card') return nothing
    // A card confirms the pinned key. It does not replace it: cards can be forged too.
    if (state.key === null || state.key === key) return { events: [{ type: 'key.pinned', at, data: { code, key, source: 'share_card' } }] }
    return state.offered?.key === key ? nothing : { events: [{ type: 'key.changed', at, data: { key } }] }
  },
  'accept-key': (state, { at, key, by }) => {
    if (state.key === key) return nothing
    return state.offered?.key === key ? { events: [{ type: 'key.accepted', at, data: { key, by } }] } : refuse('peer_key_not_offered')
  },
  'decline-key': (state, { at, key, by }) =>
    state.offered?.key === key ? { events: [{ type: 'key.declined', at, data: { key, by } }] } : nothing,
}

export const decideContact = (state: ContactState, command: Timed<ContactCommand>): Decision<ContactEvent> =>
  decideBy(deciders, state, command)
