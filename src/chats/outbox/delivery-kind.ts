import type { ViewRow, Wake } from '../../ports/store.ts'
import type { Consequences, StreamKind } from '../../streams/decider.ts'
import { controlRow } from './control-tokens.ts'
import { decideDelivery, type DeliveryCommand } from './decide-delivery.ts'
import type { DeliveryEvent } from './delivery-events.ts'
import { deliverySample } from './delivery-sample.ts'
import { deliveryRow, deliveryViews } from './delivery-rows.ts'
import { messageRow } from './message-index.ts'
import { type DeliveryState, evolveDelivery, initialDelivery } from './delivery-state.ts'
import { nextStep } from './next-step.ts'

export const deliveryStream = (delivery: string): string => `delivery:${delivery}`

/** One address is one piece of work: its deliveries take turns, so their order holds. */
export const addressKey = (channel: string, address: string): string => `${channel}/${address}`

export const deliverWork = 'deliver'

/** A delivery as the stream handler runs it: its rules, its place in the queue of its address, and its rows. */
export const deliveryKind: StreamKind<DeliveryState, DeliveryCommand, DeliveryEvent> = {
  initial: initialDelivery,
  decide: decideDelivery,
  evolve: evolveDelivery,
  consequences,
  sample: deliverySample,
  weigh: (state) => 2_000 + 2 * (state.message.text?.length ?? 0),
}

/** Events after which something may be left to do again. */
const opening: ReadonlySet<DeliveryEvent['type']> = new Set([
  'delivery.planned',
  'delivery.edited',
  'delivery.retried',
  'delivery.confirmed',
  'control.tapped',
])

function consequences(_stream: string, events: readonly DeliveryEvent[], after: DeliveryState): Consequences {
  const rows: (ViewRow | { view: string; key: string; body: null })[] = []
  const wake: Wake[] = []
  const { delivery, channel, address, order, about, status } = after
  for (const event of events) {
    if (event.type === 'delivery.intended')
      rows.push(...event.data.controls.map((control) => controlRow(after, control, event.data.controlsUntil)))
    if (event.type === 'delivery.sent')
      rows.push(
        ...[event.data.messageId, ...(event.data.more ?? [])].map((id, index) => messageRow(after, event.data.part + index, id, event.at)),
      )
    if (event.type === 'delivery.confirmed' && event.data.messageId !== '')
      rows.push(messageRow(after, event.data.part, event.data.messageId, event.at))
    if (event.type === 'delivery.planned' && about !== null)
      rows.push({ view: deliveryViews.about, key: delivery, group: about, sort: event.at, text: '', body: { delivery, channel, address } })
  }
  if (events.some(({ type }) => type !== 'delivery.intended')) rows.push(deliveryRow(after))
  if (status !== 'open') rows.push({ view: deliveryViews.outbox, key: delivery, body: null })
  else if (events.some(({ type }) => opening.has(type))) {
    const key = addressKey(channel, address)
    // Lists come with the largest number first; the queue is read from its oldest end.
    rows.push({ view: deliveryViews.outbox, key: delivery, group: key, sort: -order, text: '', body: {} })
    const at = events.at(-1)?.at ?? 0
    const isOnlyStrip = events.every(({ type }) => type === 'control.tapped') && nextStep(after, at).does === 'wait'
    wake.push({ kind: deliverWork, key, at: isOnlyStrip ? after.stripAt : at })
  }
  return { rows, wake }
}
