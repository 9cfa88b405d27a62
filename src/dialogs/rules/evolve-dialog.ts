import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import { evolveCause } from './evolve-cause.ts'
import { evolveContext } from './evolve-context.ts'
import { evolvePrompt } from './evolve-prompt.ts'
import { evolveReply } from './evolve-reply.ts'
import { evolveRun } from './evolve-run.ts'

/** Applies one event to the state of a dialog, by concern: the run itself, the causes of turns, the agent's input and its reply. */
export function evolveDialog(before: DialogState, event: DialogEvent): DialogState {
  const run = evolveCause(before, evolveRun(before, event), event)
  return evolveReply(before, evolvePrompt(before, evolveContext(before, run, event), event), event)
}
