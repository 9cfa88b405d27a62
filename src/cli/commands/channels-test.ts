import { setTimeout as pause } from 'node:timers/promises'
import type { CommandFunction } from '../command-row.ts'
import type { ParleyClient } from '../../client/index.ts'
import type { DeliveryView } from '../../shapes/wire.ts'
import { withServer } from '../connect.ts'
import { deliveryOutcome, exitOfDelivery } from '../delivery-words.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { labelled } from '../labelled.ts'
import { oneLine } from '../plain-text.ts'
import { parseTarget } from '../target.ts'

const mostLooks = 20
const lookEveryMs = 250

/** The delivery after a few seconds, settled or not. */
async function settled(client: ParleyClient, planned: DeliveryView): Promise<DeliveryView> {
  let delivery = planned
  for (let look = 0; delivery.state === 'waiting' && look < mostLooks; look += 1) {
    await pause(lookEveryMs)
    delivery = await client.deliveries.get(delivery.id)
  }
  return delivery
}

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const typed = given.text('target')
  const tested = await withServer(terminal, async ({ client }) => {
    const names = (await client.channels.list()).map(({ name }) => name)
    const name = given.optionalArg(0) ?? (names.length === 1 ? names[0] : undefined)
    if (names.length === 0) throw new UsageError('No chat app is connected.', 'Connect one: parley channels add')
    if (name === undefined) throw new UsageError(`Name one of: ${names.join(', ')}.`, `Such as: parley channels test ${names[0] ?? ''}`)
    const target = typed === undefined ? undefined : parseTarget(typed, { channel: name }).target
    const { account, delivery } = await client.channels.test(name, target)
    return { name, account, delivery: delivery && (await settled(client, delivery)) }
  })
  terminal.result(tested, () => [
    words.messages.thisIs(oneLine(tested.account)),
    ...(tested.delivery ? [deliveryOutcome(tested.delivery, words)] : []),
  ])
  if (tested.delivery === null) {
    if (!terminal.json) terminal.say(labelled(words.next, `parley channels test ${tested.name} -t <chat>`))
    return exitCode.ok
  }
  if (!terminal.json && tested.delivery.error)
    terminal.warn(`${oneLine(tested.delivery.error.message)} ${oneLine(tested.delivery.error.hint)}`)
  return exitOfDelivery(tested.delivery)
}
