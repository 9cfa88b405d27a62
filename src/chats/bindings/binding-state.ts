import type { Sender } from '../../ports/channel.ts'
import type { PairingState } from '../../shapes/messaging.ts'
import type { BindingEvent, InboundMessage } from './binding-events.ts'

/**
 * | status    | means                                   | a message of that address                    |
 * |-----------|-----------------------------------------|----------------------------------------------|
 * | none      | no message yet                          | asks to be let in, or is let in by a list    |
 * | requested | waits for the owner, with a code        | a few are held until then                    |
 * | accepted  | let in; its dialog is opened next       | waits for that                               |
 * | bound     | belongs to a dialog                     | goes to the dialog                           |
 * | declined  | the owner said no                       | is not heard for a day                       |
 * | expired   | no decision in time                     | may ask again, a few times a day             |
 * | blocked   | the owner wants to hear nothing of it   | is not heard                                 |
 */
export type BindingStatus = PairingState

export type BindingState = {
  status: BindingStatus
  channel: string
  address: string
  dialog: string | null
  pairing: { code: string; from: Sender; requestedAt: number; expiresAt: number } | null
  /** When it asked to be let in, the newest last. */
  requests: number[]
  closedAt: number
  /** Received, and not handed on yet; the oldest first. */
  waiting: InboundMessage[]
  /** Sender and id of the last message. */
  last: { from: Sender; messageId: string } | null
  isPrivate: boolean
}

export const initialBinding: BindingState = {
  status: 'none',
  channel: '',
  address: '',
  dialog: null,
  pairing: null,
  requests: [],
  closedAt: 0,
  waiting: [],
  last: null,
  isPrivate: false,
}

const dayMs = 24 * 60 * 60_000

export function evolveBinding(state: BindingState, { type, at, data }: BindingEvent): BindingState {
  switch (type) {
    case 'inbound.received':
      return {
        ...state,
        waiting: [...state.waiting, data.inbound],
        last: { from: data.inbound.from, messageId: data.inbound.messageId },
        isPrivate: data.inbound.isPrivate,
      }
    case 'inbound.routed':
    case 'inbound.unclaimed':
      return { ...state, waiting: state.waiting.filter(({ id }) => id !== data.id) }
    case 'inbound.dropped':
    case 'unclaimed.dismissed':
      return state
    case 'pairing.requested': {
      const { channel, address, code, from, expiresAt } = data
      const requests = [...state.requests.filter((time) => at - time < dayMs), at]
      return { ...state, status: 'requested', channel, address, pairing: { code, from, requestedAt: at, expiresAt }, requests }
    }
    case 'pairing.accepted':
      return { ...state, status: state.dialog === null ? 'accepted' : 'bound', channel: data.channel, address: data.address }
    case 'pairing.declined':
      return { ...state, status: 'declined', closedAt: at, waiting: [] }
    case 'pairing.expired':
      return { ...state, status: 'expired', closedAt: at, waiting: [] }
    case 'address.blocked':
      return { ...state, status: 'blocked', channel: data.channel, address: data.address, closedAt: at, waiting: [] }
    case 'address.unblocked':
      return { ...state, status: state.dialog === null ? 'none' : 'bound' }
    case 'binding.made':
      return { ...state, status: 'bound', channel: data.channel, address: data.address, dialog: data.dialog }
    case 'binding.ended':
      return { ...state, status: 'accepted', dialog: null }
  }
}
