import type { Refusal } from '../../errors.ts'
import type { DialogEvent } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'

export type Decision = { events: DialogEvent[] } | { refused: Refusal }

/** `at` is the time of the command. Ids come in with it as well, so that deciding needs neither a clock nor randomness. */
export type Timed<Command> = Command & { at: number }

/** One function per command type: a command without a decider does not compile. */
export type Deciders<Command extends { type: string }> = {
  [Type in Command['type']]: (state: DialogState, command: Timed<Extract<Command, { type: Type }>>) => Decision
}
