import type { ViewRow } from '../../ports/store.ts'
import type { StreamKind } from '../../streams/decider.ts'
import type { ContactEvent } from '../rules/contact-events.ts'
import { contactSample, type ContactState, evolveContact, initialContact } from '../rules/contact-state.ts'
import type { Timed } from '../rules/decision.ts'
import { type ContactCommand, decideContact } from '../rules/decide-contact.ts'

export const contactView = 'worlds-contacts'

export const contactKind: StreamKind<ContactState, Timed<ContactCommand>, ContactEvent> = {
  initial: initialContact,
  decide: decideContact,
  evolve: evolveContact,
  /** Lists need no fold: those that wait for the owner are a group of their own. */
  consequences(stream, events, after) {
    const row: ViewRow = {
      view: contactView,
      key: stream,
      group: after.offered ? 'changed' : 'pinned',
      sort: events.at(-1)?.at ?? 0,
      text: after.code,
      body: after,
    }
    return { rows: [row] }
  },
  sample: contactSample,
  weigh: ({ declined }) => 300 + declined.length * 43,
}
