import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { readLimits } from '../talk-limits.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const input = { account: given.text('account'), ...readLimits(given) }
  const { seat } = await withServer(terminal, ({ client }) => client.conversations.limit(given.arg(0), input))
  terminal.result(seat, () =>
    seat ? terminal.words.worlds.limited(seat.limits.turns, String(seat.limits.tokens), seat.limits.money.toFixed(2), seat.reporting) : '',
  )
}
