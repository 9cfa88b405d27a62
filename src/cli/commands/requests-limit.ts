import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { readLimits } from '../talk-limits.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const limits = readLimits(given)
  if (Object.values(limits).every((limit) => limit === undefined))
    throw new UsageError('There is nothing to change.', 'Name a limit: --turns, --tokens, --money or --report')
  const input = { account: given.text('account'), ...limits }
  const { seat } = await withServer(terminal, ({ client }) => client.conversations.limit(given.arg(0), input))
  terminal.result(seat, () =>
    seat ? terminal.words.worlds.limited(seat.limits.turns, String(seat.limits.tokens), seat.limits.money.toFixed(2), seat.reporting) : '',
  )
}
