import type { Refusal } from '../../errors.ts'
import { decideDialog, type DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { evolveDialog } from '../rules/evolve-dialog.ts'

/** The state after these commands, or the refusal of the first one that is refused. */
export function tryCommands(from: DialogState, commands: readonly DialogCommand[]): { state: DialogState } | { refused: Refusal } {
  let state = from
  for (const command of commands) {
    const decision = decideDialog(state, command)
    if ('refused' in decision) return decision
    state = decision.events.reduce(evolveDialog, state)
  }
  return { state }
}

/** Skips refused commands: the commit refuses them as well. */
export function foldCommands(from: DialogState, commands: readonly DialogCommand[]): DialogState {
  let state = from
  for (const command of commands) {
    const decision = decideDialog(state, command)
    if ('events' in decision) state = decision.events.reduce(evolveDialog, state)
  }
  return state
}
