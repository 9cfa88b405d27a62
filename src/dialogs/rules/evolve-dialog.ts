import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import { evolveCause } from './evolve-cause.ts'
import { evolveContext } from './evolve-context.ts'
import { evolveRun } from './evolve-run.ts'

/** Applies one event to the state of a dialog, by concern: the run itself, the causes of turns, the context of the agent. */
export const evolveDialog = (before: DialogState, event: DialogEvent): DialogState =>
  evolveContext(before, evolveCause(before, evolveRun(before, event), event), event)
