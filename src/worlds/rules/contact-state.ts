import type { ContactEvent, PinSource } from './contact-events.ts'

export type ContactState = {
  seq: number
  code: string
  /** The key that signatures of this peer are checked with; null before first contact. */
  key: string | null
  source: PinSource
  /** Waits for the owner. */
  offered: { key: string; at: number } | null
  /** The key before the current one, for chat requests that are older than the change. */
  previous: { key: string; until: number } | null
  declined: readonly string[]
}

export const initialContact: ContactState = {
  seq: 0,
  code: '',
  key: null,
  source: 'first_contact',
  offered: null,
  previous: null,
  declined: [],
}

export const contactSample: ContactState = {
  ...initialContact,
  key: '',
  offered: { key: '', at: 0 },
  previous: { key: '', until: 0 },
  declined: [''],
}

const keptDeclined = 20

export function evolveContact(before: ContactState, event: ContactEvent): ContactState {
  const state: ContactState = { ...before, seq: before.seq + 1 }
  switch (event.type) {
    case 'key.pinned':
      return { ...state, ...event.data, offered: null }
    case 'key.changed':
      return { ...state, offered: { ...event.data, at: event.at } }
    case 'key.accepted':
      return {
        ...state,
        key: event.data.key,
        offered: null,
        previous: state.key === null ? null : { key: state.key, until: event.at },
        declined: state.declined.filter((key) => key !== event.data.key),
      }
    case 'key.declined':
      return { ...state, offered: null, declined: [...state.declined, event.data.key].slice(-keptDeclined) }
  }
}

/** Keys with which a turn of a chat request of this time may be signed. */
export const acceptedKeys = ({ key, previous }: ContactState, createdAt: number): string[] => [
  ...(key === null ? [] : [key]),
  ...(previous && createdAt <= previous.until ? [previous.key] : []),
]
