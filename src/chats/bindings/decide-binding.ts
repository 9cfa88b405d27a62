import { type Refusal, refuse } from '../../errors.ts'
import type { Sender } from '../../ports/channel.ts'
import type { BindingEvent, InboundMessage } from './binding-events.ts'
import type { BindingState } from './binding-state.ts'
import { inboundLimits } from './inbound-limits.ts'

/** Decision of the owner's lists about a sender: admitted, must pair, or ignored. */
export type Admission = 'allowed' | 'must-ask' | 'refused'

type Where = { channel: string; address: string }

export type BindingCommand = { at: number } &
  /** `mayAsk` is false while too many others wait to be let in. */
  (
    | ({ type: 'receive-message'; inbound: InboundMessage; admission: Admission; code: string; mayAsk: boolean } & Where)
    | ({ type: 'accept-pairing'; by: string } & Where)
    | { type: 'decline-pairing'; by: string }
    | { type: 'expire-pairing' }
    | ({ type: 'block-address'; by: string } & Where)
    | { type: 'unblock-address'; by: string }
    | ({ type: 'bind-address'; dialog: string; by: string } & Where)
    | { type: 'unbind-address'; by: string }
    | { type: 'record-routed'; id: string; dialog: string }
    | { type: 'record-unclaimed'; id: string; from: Sender; text: string; why: string }
    | { type: 'dismiss-unclaimed'; id: string; by: string }
  )

type Decision = { events: BindingEvent[] } | { refused: Refusal }

export function decideBinding(state: BindingState, command: BindingCommand): Decision {
  const { at } = command
  switch (command.type) {
    case 'receive-message':
      return { events: received(state, command) }
    case 'accept-pairing': {
      const { channel, address, by } = command
      if (state.status === 'accepted' || state.status === 'bound') return { events: [] }
      if (state.status === 'blocked') return refuse('pairing_closed', { state: state.status })
      return { events: [{ type: 'pairing.accepted', at, data: { channel, address, by } }] }
    }
    case 'decline-pairing':
      if (state.status !== 'requested') return refuse('pairing_closed', { state: state.status })
      return { events: [{ type: 'pairing.declined', at, data: { by: command.by } }] }
    case 'expire-pairing':
      if (state.status !== 'requested' || !state.pairing || at < state.pairing.expiresAt) return { events: [] }
      return { events: [{ type: 'pairing.expired', at, data: { code: state.pairing.code } }] }
    case 'block-address': {
      const { channel, address, by } = command
      return { events: state.status === 'blocked' ? [] : [{ type: 'address.blocked', at, data: { channel, address, by } }] }
    }
    case 'unblock-address':
      return { events: state.status === 'blocked' ? [{ type: 'address.unblocked', at, data: { by: command.by } }] : [] }
    case 'bind-address': {
      const { channel, address, dialog, by } = command
      if (state.status === 'blocked') return refuse('pairing_closed', { state: state.status })
      return {
        events:
          state.status === 'bound' && state.dialog === dialog ? [] : [{ type: 'binding.made', at, data: { channel, address, dialog, by } }],
      }
    }
    case 'unbind-address':
      return { events: state.status === 'bound' ? [{ type: 'binding.ended', at, data: { by: command.by } }] : [] }
    case 'record-routed': {
      const { id, dialog } = command
      return { events: state.waiting.some((one) => one.id === id) ? [{ type: 'inbound.routed', at, data: { id, dialog } }] : [] }
    }
    case 'record-unclaimed': {
      const { id, from, text, why } = command
      return { events: [{ type: 'inbound.unclaimed', at, data: { id, from, text, why } }] }
    }
    case 'dismiss-unclaimed':
      return { events: [{ type: 'unclaimed.dismissed', at, data: { id: command.id, by: command.by } }] }
  }
}

function received(state: BindingState, command: Extract<BindingCommand, { type: 'receive-message' }>): BindingEvent[] {
  const { at, inbound, admission, channel, address } = command
  if (admission === 'refused' || state.status === 'blocked') return []
  const receivedEvent: BindingEvent = { type: 'inbound.received', at, data: { inbound } }
  const dropped = (why: string): BindingEvent => ({ type: 'inbound.dropped', at, data: { id: inbound.id, why } })
  if (state.status === 'bound' || state.status === 'accepted')
    return state.waiting.length < inboundLimits.waitingMessages
      ? [receivedEvent]
      : [dropped('too many messages of this address are waiting')]
  if (admission === 'allowed') return [{ type: 'pairing.accepted', at, data: { channel, address, by: 'allow list' } }, receivedEvent]
  const isOpen = state.status === 'requested' && state.pairing !== null && at < state.pairing.expiresAt
  if (isOpen) return state.waiting.length < inboundLimits.heldMessages ? [receivedEvent] : []
  if (!mayRequest(state, command)) return []
  const expired: BindingEvent[] =
    state.status === 'requested' && state.pairing ? [{ type: 'pairing.expired', at, data: { code: state.pairing.code } }] : []
  const { code } = command
  const { from, isPrivate } = inbound
  return [
    ...expired,
    { type: 'pairing.requested', at, data: { channel, address, isPrivate, from, code, expiresAt: at + inboundLimits.pairingForMs } },
    receivedEvent,
  ]
}

function mayRequest(state: BindingState, { at, mayAsk }: { at: number; mayAsk: boolean }): boolean {
  if (!mayAsk) return false
  if (state.status === 'declined' && at - state.closedAt < inboundLimits.declinedForMs) return false
  return state.requests.filter((time) => at - time < 24 * 60 * 60_000).length < inboundLimits.pairingsPerDay
}
