import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { DialogState } from '../../dialogs/rules/dialog-state.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Hooks } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { Committer } from '../../streams/committer.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import type { PairingRequests } from '../announce/pairing-requests.ts'
import type { BindingState } from '../bindings/binding-state.ts'
import type { BindingCommand } from '../bindings/decide-binding.ts'
import type { Identities } from '../bindings/identities.ts'
import type { Connections } from '../connections.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Signals } from '../outbox/signals.ts'
import type { ApprovalAnswers } from './approval-answers.ts'

/**
 * The parts of a running Parley that receiving uses. Each function of this folder names the ones it needs. Calls that
 * change something carry the once-only key of their update, so a repeat after a crash changes nothing.
 */
export type InboundParts = {
  store: Store
  committer: Committer
  bindings: StreamHandler<BindingState, BindingCommand>
  connections: Pick<Connections, 'get' | 'connection' | 'getKind'>
  identities: Identities
  parley: {
    dialogs: Pick<Parley['dialogs'], 'open' | 'say' | 'tap' | 'resume' | 'giveUpFailure'>
    files: Pick<Parley['files'], 'add'>
    questions: Pick<Parley['questions'], 'get' | 'answer' | 'refusalFor' | 'recordRefusal'>
  }
  dialogStreams: Pick<StreamHandler<DialogState, DialogCommand>, 'load'>
  outbox: Pick<Outbox, 'plan' | 'edit' | 'get' | 'controls'>
  signals: Signals
  approvals: ApprovalAnswers
  pairings: PairingRequests
  hooks: Pick<Hooks, 'messageReceived' | 'tapped' | 'actionTapped' | 'transcribe'>
  clock: Clock
  log: Log
  metrics: Metrics
  /** Six digits; tests pass their own. */
  newCode: () => string
}
