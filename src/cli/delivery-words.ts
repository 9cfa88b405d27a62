import type { DeliveryView } from '../shapes/wire.ts'
import type { Dropped } from '../chats/message/index.ts'
import type { Loss } from '../ports/channel.ts'
import { exitCode } from './exit-code.ts'
import { oneLine } from './plain-text.ts'
import type { Paint } from './terminal.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

/** A place as `--target` takes it. */
export const describeWhere = ({ channel, address }: { channel: string; address: string }): string => oneLine(`${channel}:${address}`)

const total = ({ parts }: DeliveryView): string => (parts.total === null ? '?' : String(parts.total))

/** The outcome as a sentence. */
export function deliveryOutcome(one: DeliveryView, { messages }: TerminalWords): string {
  const where = describeWhere(one)
  switch (one.state) {
    case 'sent':
      return messages.sent(where, one.receipts.map(({ messageId }) => oneLine(messageId)).join(', '))
    case 'waiting':
      return messages.waiting(where)
    case 'partly-sent':
      return messages.partlySent(where, one.parts.sent, total(one))
    case 'unknown':
      return messages.unknown(where)
    case 'failed':
      return messages.failed(where)
    case 'parked':
      return messages.parked(where)
    case 'dismissed':
      return messages.dismissed(where)
  }
}

/** The next step for a person; null when there is none. */
export function nextStep(one: DeliveryView, { messages }: TerminalWords): string | null {
  switch (one.state) {
    case 'sent':
      return null
    case 'waiting':
      return messages.seeDelivery(one.id)
    case 'unknown':
      return messages.lookFirst(one.id)
    case 'partly-sent':
    case 'failed':
    case 'parked':
    case 'dismissed':
      return messages.retryDelivery(one.id)
  }
}

/** A script has to notice failed and unconfirmed deliveries. */
export const exitOfDelivery = ({ state }: DeliveryView): number => (state === 'sent' || state === 'waiting' ? exitCode.ok : exitCode.failed)

export const lossLines = (losses: readonly Loss[], dropped: readonly Dropped[], { messages }: TerminalWords, paint: Paint): string[] => [
  ...losses.map(
    ({ what, from, to, why }) => `${paint.yellow('!')} ${messages.lost(oneLine(what), oneLine(from), oneLine(to), oneLine(why))}`,
  ),
  ...dropped.map(({ at, why }) => `${paint.yellow('!')} ${messages.skippedPart(oneLine(at), oneLine(why))}`),
]

/** Everything that is known about one. */
export const deliveryLines = (one: DeliveryView, words: TerminalWords, paint: Paint): string[] => {
  const { messages } = words
  const notes = [messages.parts(one.parts.sent, total(one)), messages.tries(one.tries), messages.pinStates[one.pin]]
  return [
    `${paint.bold(one.id)}  ${paint.dim(notes.filter((note) => note !== '').join(' · '))}`,
    deliveryOutcome(one, words),
    ...(one.error ? [oneLine(one.error.message), oneLine(one.error.hint)] : []),
    ...lossLines(one.losses, [], words, paint),
    '',
    oneLine(one.text),
  ]
}
