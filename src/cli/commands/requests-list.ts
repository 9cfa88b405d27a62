import type { PairingState } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import { pairingLines } from '../inbox-words.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const stateFilter = given.text('state') as PairingState | undefined
  const state = given.on('all') ? undefined : (stateFilter ?? 'requested')
  const items = await withServer(terminal, ({ client }) => client.pairings.list(state))
  terminal.result({ items }, () =>
    state === 'requested'
      ? items.flatMap((one, at) => [...(at > 0 ? [''] : []), ...pairingLines(one, words, paint)])
      : columns(
          items.map((one) => [
            { text: describeWhere(one), paint: paint.bold },
            words.messages.pairingStates[one.state],
            one.pairing ? age(one.pairing.requestedAt, words) : '',
            one.pairing?.from.name ?? one.dialog ?? '',
          ]),
          terminal.width,
        ),
  )
  if (items.length === 0 && !terminal.json)
    terminal.say(state === 'requested' || given.on('all') ? words.messages.noRequests : words.messages.noRequestsFit)
}
