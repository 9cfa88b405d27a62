import { withServer } from '../connect.ts'
import { deliveryLines, nextStep } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const delivery = await withServer(terminal, ({ client }) => client.deliveries.get(given.arg(0)))
  terminal.result(delivery, () => deliveryLines(delivery, terminal.words, terminal.paint))
  const next = delivery.state === 'waiting' || delivery.error ? null : nextStep(delivery, terminal.words)
  if (!terminal.json && next !== null) terminal.say(`${terminal.errPaint.cyan('→')} ${next}`)
}
