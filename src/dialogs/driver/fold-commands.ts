import type { Refusal } from '../../errors.ts'
import { planCommand } from '../rules/apply-command.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'

/** The state after these commands, or the refusal of the first one that is refused. */
export function tryCommands(from: DialogState, commands: readonly DialogCommand[]): { state: DialogState } | { refused: Refusal } {
  let state = from
  for (const command of commands) {
    const applied = planCommand(state, command)
    if ('refused' in applied) return applied
    state = applied.state
  }
  return { state }
}

/** Skips refused commands: the commit refuses them as well. */
export function foldCommands(from: DialogState, commands: readonly DialogCommand[]): DialogState {
  let state = from
  for (const command of commands) {
    const applied = planCommand(state, command)
    if ('state' in applied) state = applied.state
  }
  return state
}
