import type { Refusal } from '../../errors.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'

type Applied = { events: DialogEvent[]; state: DialogState } | { refused: Refusal }

/** The latest result of each command. A generation is planned on its commands several times before they are committed. */
const latest = new WeakMap<DialogCommand, { from: DialogState; applied: Applied }>()

/** The events of a command and the state after them. Decided once for the same state and the same command object. */
export function applyCommand(state: DialogState, command: DialogCommand): Applied {
  const known = latest.get(command)
  if (known?.from === state) return known.applied
  const decision = decideDialog(state, command)
  const applied = 'refused' in decision ? decision : { events: decision.events, state: decision.events.reduce(evolveDialog, state) }
  latest.set(command, { from: state, applied })
  return applied
}
