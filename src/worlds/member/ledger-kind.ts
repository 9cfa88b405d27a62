import type { StreamKind } from '../../streams/decider.ts'
import { decideLedger, type LedgerCommand } from '../rules/decide-ledger.ts'
import type { Timed } from '../rules/decision.ts'
import type { LedgerEvent } from '../rules/ledger-events.ts'
import { evolveLedger, initialLedger, ledgerSample, type LedgerState } from '../rules/ledger-state.ts'
import { memberWork } from './member-work.ts'

/** The ledger of one account as the stream handler runs it. The kill switch is work, so that it also holds after a crash. */
export const ledgerKind: StreamKind<LedgerState, Timed<LedgerCommand>, LedgerEvent> = {
  initial: initialLedger,
  decide: decideLedger,
  evolve: evolveLedger,
  consequences: (stream, events) => ({
    wake: events.flatMap((event) =>
      event.type === 'ledger.stopped' ? [{ kind: memberWork.stop, key: stream.slice('ledger:'.length), at: event.at }] : [],
    ),
  }),
  sample: ledgerSample,
  weigh: (state) => 2_000 + state.consents.reduce((sum, { text }) => sum + text.length + 200, 0),
}
