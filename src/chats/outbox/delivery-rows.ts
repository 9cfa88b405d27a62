import { textReading } from '../message/text-reading.ts'
import type { DeliveryView } from '../../shapes/messaging.ts'
import type { ViewRow } from '../../ports/store.ts'
import type { DeliveryState } from './delivery-state.ts'

export const deliveryViews = {
  deliveries: 'deliveries',
  outbox: 'outbox',
  about: 'deliveries-about',
  messages: 'delivery-messages',
  controls: 'controls',
} as const

const longestText = 200

export function deliveryView(state: DeliveryState): DeliveryView {
  const { delivery, channel, address, status, message, about, plannedAt, total, losses, pin, tries } = state
  const there = listThere(state)
  const text = textReading(message)
  return {
    id: delivery,
    channel,
    address,
    state: status === 'open' || status === 'absent' ? 'waiting' : status,
    text: text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text,
    about,
    plannedAt,
    parts: { sent: there.length, total },
    receipts: there.map(({ messageId, sentAt }) => ({ messageId, at: sentAt })),
    losses,
    pin,
    tries,
    error: toError(state),
  }
}

/** Parts that are known to be there. */
const listThere = ({ shown, unclear, resend }: DeliveryState): DeliveryState['shown'] =>
  shown.filter(
    ({ messageId }, at) =>
      messageId !== '' || (!resend.includes(at) && !unclear.some(({ part, covers }) => at >= part && at < part + covers)),
  )

function toError(state: DeliveryState): DeliveryView['error'] {
  const { status, why, delivery, pin } = state
  const { length } = listThere(state)
  const again = `Try again: parley deliveries retry ${delivery}`
  const there = length > 0 ? ` ${length} of its parts arrived and are not sent again.` : ''
  switch (status) {
    case 'absent':
      return null
    case 'open':
      return why === null ? null : { message: `Not sent yet: ${why}.`, hint: 'Retrying.' }
    case 'sent':
      return pin === 'failed'
        ? { message: `Sent, but not pinned: ${why ?? 'no reason was given'}.`, hint: 'Pin it in the app, or dismiss this.' }
        : null
    case 'partly-sent':
      return {
        message: `The message arrived, but could not be pinned: ${why ?? 'no reason was given'}.`,
        hint: `It is not sent again. ${again}`,
      }
    case 'unknown':
      return {
        message: `Not confirmed: ${why ?? 'the platform did not answer'}.${there}`,
        hint: `Check whether it arrived. If not: parley deliveries retry ${delivery}`,
      }
    case 'failed':
      return {
        message: `Not sent: ${why ?? 'the platform refused it'}.${there}`,
        hint: `Fix the cause, then run: parley deliveries retry ${delivery}`,
      }
    case 'parked':
      return { message: `Not sent: ${why ?? 'all attempts failed'}.${there}`, hint: again }
    case 'dismissed':
      return { message: `Dismissed: ${why ?? 'no reason was given'}.${there}`, hint: again }
  }
}

export function deliveryRow(state: DeliveryState): ViewRow {
  const view = deliveryView(state)
  return {
    view: deliveryViews.deliveries,
    key: view.id,
    group: view.state,
    sort: view.plannedAt,
    text: `${view.channel} ${view.address} ${view.text}`,
    body: view,
  }
}
