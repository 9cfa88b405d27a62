import type { PairingView, UnclaimedView } from '../../shapes/messaging.ts'
import type { ViewRow, Wake } from '../../ports/store.ts'
import type { Consequences, StreamKind } from '../../streams/decider.ts'
import type { BindingEvent } from './binding-events.ts'
import { type BindingState, evolveBinding, initialBinding } from './binding-state.ts'
import { type BindingCommand, decideBinding } from './decide-binding.ts'
import { toMessageText } from './inbound-text.ts'

export const inboundWork = 'inbound'
export const inboundViews = { bindings: 'bindings', unclaimed: 'unclaimed', places: 'places' } as const

export const bindingStream = (channel: string, address: string): string => `binding:${channel}:${address}`

/** One address as the owner sees it, and the stream it is kept in. */
export type BindingView = PairingView & { stream: string }

/** A pairing request for the owner: the person, the code and their first message. */
export function openPairing({ channel, status, pairing, waiting }: BindingState): PairingView['pairing'] {
  if (status !== 'requested' || !pairing) return null
  const [first] = waiting
  return { ...pairing, text: first ? toMessageText(channel, first) : '' }
}

export const bindingKind: StreamKind<BindingState, BindingCommand, BindingEvent> = {
  initial: initialBinding,
  decide: decideBinding,
  evolve: evolveBinding,
  consequences,
  sample: {
    ...initialBinding,
    dialog: '',
    pairing: { code: '', from: { id: '', name: '' }, requestedAt: 0, expiresAt: 0 },
    requests: [0],
    last: { from: { id: '', name: '' }, messageId: '' },
  },
  weigh: ({ waiting }) => 1_000 + waiting.reduce((sum, { text }) => sum + text.length + 500, 0),
}

/** Events that leave work: a pending message, or a stranger to notify. */
const waking: ReadonlySet<BindingEvent['type']> = new Set(['inbound.received', 'pairing.requested', 'pairing.accepted', 'binding.made'])

function consequences(stream: string, events: readonly BindingEvent[], after: BindingState): Consequences {
  const rows: (ViewRow | { view: string; key: string; body: null })[] = []
  const wake: Wake[] = []
  const at = events.at(-1)?.at ?? 0
  if (events.some(({ type }) => !type.startsWith('inbound.') && type !== 'unclaimed.dismissed')) rows.push(bindingRow(stream, after, at))
  for (const event of events) {
    if (event.type === 'inbound.unclaimed') rows.push(unclaimedRow(stream, event))
    if (event.type === 'unclaimed.dismissed')
      rows.push({ view: inboundViews.unclaimed, key: unclaimedKey(toPlace(stream).channel, event.data.id), body: null })
    if (event.type === 'binding.made') rows.push(placeRow(stream, event))
    if (event.type === 'binding.ended' || event.type === 'address.blocked')
      rows.push({ view: inboundViews.places, key: stream, body: null })
    if (event.type === 'address.unblocked' && after.dialog !== null)
      rows.push(placeRow(stream, { at, data: { ...after, dialog: after.dialog } }))
  }
  if (events.some(({ type }) => waking.has(type))) wake.push({ kind: inboundWork, key: stream, at })
  return { rows, wake }
}

function bindingRow(stream: string, state: BindingState, at: number): ViewRow {
  const { channel, address, status, dialog, pairing } = state
  const body: BindingView = { stream, channel, address, state: status, dialog, pairing: openPairing(state) }
  const text = [channel, address, pairing?.from.name ?? '', ...(status === 'requested' ? [pairing?.code ?? ''] : []), dialog ?? ''].join(
    ' ',
  )
  return { view: inboundViews.bindings, key: stream, group: status, sort: at, text, body }
}

/** Where a dialog is shown, found by the dialog. */
export type PlaceView = { channel: string; address: string; since: number }

function placeRow(stream: string, { at, data }: { at: number; data: { channel: string; address: string; dialog: string } }): ViewRow {
  const body: PlaceView = { channel: data.channel, address: data.address, since: at }
  return { view: inboundViews.places, key: stream, group: data.dialog, sort: at, text: '', body }
}

export const unclaimedKey = (channel: string, id: string): string => `${channel}/${id}`

const toPlace = (stream: string): { channel: string; address: string } => {
  const [, channel = '', address = ''] = /^binding:([^:]*):(.*)$/s.exec(stream) ?? []
  return { channel, address }
}

function unclaimedRow(stream: string, { at, data }: Extract<BindingEvent, { type: 'inbound.unclaimed' }>): ViewRow {
  const { channel, address } = toPlace(stream)
  const body: UnclaimedView = { id: data.id, channel, address, from: data.from, text: data.text, why: data.why, at }
  return {
    view: inboundViews.unclaimed,
    key: unclaimedKey(channel, data.id),
    group: channel,
    sort: at,
    text: `${data.from.name} ${data.text}`,
    body,
  }
}
