import type { Event, Message } from '@ag-ui/core'

/** The official types name an event by an enum of theirs. Here it is the plain text it is on the wire, so nothing is loaded for it. */
type Plain<Official> = Official extends { type: infer Type extends string } ? Omit<Official, 'type'> & { type: `${Type}` } : never

export type AgUiEvent = Plain<Event>

export type AgUiEventOf<Type extends AgUiEvent['type']> = Extract<AgUiEvent, { type: Type }>

/** The same event under the official type, for the official encoder. */
export const official = (event: AgUiEvent): Event => event as unknown as Event

export type AgUiMessage = Message

/** Version of AG-UI. A test compares it with the official package. */
export const protocolVersion = '1.0'
