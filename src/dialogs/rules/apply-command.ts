import type { Refusal } from '../../errors.ts'
import { decideDialog, type DialogCommand } from './decide-dialog.ts'
import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import { evolveDialog } from './evolve-dialog.ts'

type Applied = { events: DialogEvent[]; state: DialogState } | { refused: Refusal }

/** Planned commands that are not committed yet. The oldest is forgotten when there are more: it can be decided again. */
export const plannedLimits = { commands: 256 } as const

type Plan = { command: DialogCommand; from: DialogState; applied: Applied }

/**
 * A ring. In a WeakMap or a Map with many removals, what is no longer wanted survives until the garbage collector looks through the
 * whole heap (see `ChurnMap`), and these hold states.
 */
const planned: (Plan | undefined)[] = Array.from({ length: plannedLimits.commands })
let newest = 0

/** Nearly always one of the newest. */
function findPlan(command: DialogCommand): number {
  for (let at = newest; at >= 0; at -= 1) if (planned[at]?.command === command) return at
  for (let at = plannedLimits.commands - 1; at > newest; at -= 1) if (planned[at]?.command === command) return at
  return -1
}

/**
 * The events of a command that is being planned, and the state after them. A generation plans on its commands several times:
 * for the same state and the same command object they are decided once, also for `commitCommand`.
 */
export function planCommand(state: DialogState, command: DialogCommand): Applied {
  const known = findPlan(command)
  const plan = planned[known]
  if (plan?.from === state) return plan.applied
  const applied = apply(state, command)
  if (!plan) newest = (newest + 1) % plannedLimits.commands
  planned[plan ? known : newest] = { command, from: state, applied }
  return applied
}

/** The same for the commit that writes the events. */
export function commitCommand(state: DialogState, command: DialogCommand): Applied {
  const known = findPlan(command)
  const plan = planned[known]
  if (plan === undefined) return apply(state, command)
  planned[known] = undefined
  return plan.from === state ? plan.applied : apply(state, command)
}

function apply(state: DialogState, command: DialogCommand): Applied {
  const decision = decideDialog(state, command)
  return 'refused' in decision ? decision : { events: decision.events, state: decision.events.reduce(evolveDialog, state) }
}
