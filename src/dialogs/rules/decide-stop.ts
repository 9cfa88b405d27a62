import { refuse } from '../../errors.ts'
import { withdrawApprovals } from './decide-approval.ts'
import { cancelQuestions } from './decide-question.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogEvent, Participant, Via } from './dialog-events.ts'
import { type DialogState, isDue, needsTurn } from './dialog-state.ts'

export type StopCommand =
  /** Ends the running turn. */
  | { type: 'request-stop'; by: Participant; via?: Via }
  /** Ends the running turn and starts no other until Continue. */
  | { type: 'latch-dialog'; by: Participant; via?: Via }
  | { type: 'continue-dialog'; by: Participant; via?: Via }
  /** Part of a Continue further up: lifts the latch here, or continues the work that stop held back. */
  | { type: 'lift-stop'; by: Participant; via?: Via }
  | { type: 'declare-dead'; by: Participant; note?: string }
  | { type: 'settle-failure'; why: 'given-up' | 'final' | 'timeout'; by?: Participant; via?: Via }

type Command<Type extends StopCommand['type']> = Timed<Extract<StopCommand, { type: Type }>>

export const stopDeciders: Deciders<StopCommand> = {
  'request-stop': requestStop,
  'latch-dialog': latchDialog,
  'continue-dialog': continueDialog,
  'lift-stop': (state, command) => ({ events: liftStop(state, command) }),
  'declare-dead': declareDead,
  'settle-failure': (state, { at, why, by, via = null }) =>
    state.rest === 'failed' && state.failure
      ? { events: [{ type: 'failure.settled', at, data: { why, ...(by ? { by, via } : {}) } }] }
      : refuse('nothing_to_continue'),
}

function requestStop(state: DialogState, command: Command<'request-stop'>): Decision {
  const { at, by, via = null } = command
  if (!isDue(state)) return refuse('nothing_to_stop')
  return { events: state.stopRequested ? [] : [{ type: 'stop.requested', at, data: { by, via } }] }
}

function latchDialog(state: DialogState, command: Command<'latch-dialog'>): Decision {
  const { at, by, via = null } = command
  if (state.latch === null) return { events: [...withdrawApprovals(state, at, by), { type: 'latch.set', at, data: { by, via } }] }
  // A second press while the dialog answers a person stops that answer as well.
  return { events: isDue(state) && !state.stopRequested ? [{ type: 'stop.requested', at, data: { by, via } }] : [] }
}

function continueDialog(state: DialogState, command: Command<'continue-dialog'>): Decision {
  const { at, by, via = null } = command
  const lifted = liftStop(state, command)
  if (lifted.length === 0 && (needsTurn(state) || state.rest === 'ready')) return refuse('nothing_to_continue')
  return { events: state.rest === 'ready' ? lifted : [...lifted, { type: 'dialog.continued', at, data: { by, via } }] }
}

function liftStop({ latch, held }: DialogState, command: { at: number; by: Participant; via?: Via }): DialogEvent[] {
  const { at, by, via = null } = command
  if (latch) return [{ type: 'latch.lifted', at, data: { by, via } }]
  return held ? [{ type: 'dialog.continued', at, data: { by, via } }] : []
}

function declareDead(state: DialogState, command: Command<'declare-dead'>): Decision {
  const { at, by, note = null } = command
  if (state.origin === null) return refuse('root_cannot_die', {})
  const grantsOfDialog = state.grants.filter(({ dialog, end }) => dialog !== null && end === null)
  return {
    events: [
      ...cancelQuestions(state, at, by, 'dead'),
      ...grantsOfDialog.map(({ grant }): DialogEvent => ({
        type: 'grant.ended',
        at,
        data: { grant, by, via: null, why: 'dialog-ended' },
      })),
      { type: 'dialog.died', at, data: { by, note } },
    ],
  }
}
