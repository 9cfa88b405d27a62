import type { Sent } from '../shapes/wire.ts'
import { deliveryOutcome, lossLines, nextStep } from './delivery-words.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'
import { oneLine } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

const usualWaitSeconds = 5
const mostWaitSeconds = 20

/** `--wait` in milliseconds. */
export function waitFrom(given: Given): number {
  const seconds = given.number('wait') ?? usualWaitSeconds
  if (seconds > mostWaitSeconds)
    throw new UsageError(`--wait takes at most ${mostWaitSeconds} seconds.`, 'Sending continues: parley deliveries list')
  return seconds * 1_000
}

export const outcomeLines = ({ delivery, dropped }: Sent, { words, paint }: Terminal): string[] => [
  deliveryOutcome(delivery, words),
  ...lossLines(delivery.losses, dropped, words, paint),
]

/** Why a delivery did not arrive, and the next step. */
export function tellNextStep(terminal: Terminal, { delivery }: Sent): void {
  const { words, errPaint } = terminal
  const { error } = delivery
  if (error) terminal.warn(oneLine(error.message), `${errPaint.cyan('→')} ${oneLine(error.hint)}`)
  if (delivery.pin === 'failed') terminal.warn(words.messages.pinStates.failed)
  const next = error ? null : nextStep(delivery, words)
  if (next !== null) terminal.say(`${errPaint.cyan('→')} ${next}`)
}
