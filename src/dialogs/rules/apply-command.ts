import type { Refusal } from '../../errors.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'

type Applied = { events: DialogEvent[]; state: DialogState } | { refused: Refusal }

/** Planned commands that are not committed yet. All are forgotten when there are more: they can be decided again. */
export const plannedLimits = { commands: 256 } as const

/** No WeakMap: the garbage collector keeps its values until it looks through the whole heap, and these hold states. */
const planned = new Map<DialogCommand, { from: DialogState; applied: Applied }>()

/**
 * The events of a command that is being planned, and the state after them. A generation plans on its commands several times:
 * for the same state and the same command object they are decided once, also for `commitCommand`.
 */
export function planCommand(state: DialogState, command: DialogCommand): Applied {
  const plan = planned.get(command)
  if (plan?.from === state) return plan.applied
  const applied = apply(state, command)
  if (planned.size >= plannedLimits.commands) planned.clear()
  planned.set(command, { from: state, applied })
  return applied
}

/** The same for the commit that writes the events. */
export function commitCommand(state: DialogState, command: DialogCommand): Applied {
  const plan = planned.get(command)
  if (plan === undefined) return apply(state, command)
  planned.delete(command)
  return plan.from === state ? plan.applied : apply(state, command)
}

function apply(state: DialogState, command: DialogCommand): Applied {
  const decision = decideDialog(state, command)
  return 'refused' in decision ? decision : { events: decision.events, state: decision.events.reduce(evolveDialog, state) }
}
