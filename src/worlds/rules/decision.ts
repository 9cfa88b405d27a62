import { type Refusal, refuse } from '../../errors.ts'

export type Fact<Type extends string, Data extends object> = { type: Type; at: number; data: Data }

export type Decision<Event> = { events: Event[] } | { refused: Refusal }

/** `at` is the time of the command. Ids and hashes come in with it as well, so that deciding needs neither clock nor randomness. */
export type Timed<Command> = Command & { at: number }

/** One function per command type: a command without a decider does not compile. */
export type Deciders<State, Command extends { type: string }, Event> = {
  [Type in Command['type']]: (state: State, command: Timed<Extract<Command, { type: Type }>>) => Decision<Event>
}

/** TypeScript cannot see that the type of a command and the function found by it belong together. */
export function decideBy<State, Command extends { type: string }, Event>(
  deciders: Deciders<State, Command, Event>,
  state: State,
  command: Timed<Command>,
): Decision<Event> {
  const decide = deciders[command.type as Command['type']] as (state: State, command: Timed<Command>) => Decision<Event>
  return decide(state, command)
}

/** A command that was given before changes nothing and is no error. */
export const nothing: { events: [] } = { events: [] }

/** Null for a text that can be stored. */
export function refuseText(field: string, text: string, limit: number, isRequired = true): { refused: Refusal } | null {
  if (isRequired && text.trim() === '') return refuse('empty_text', { field })
  if (!text.isWellFormed()) return refuse('bad_text', { field, what: 'half of a surrogate pair' })
  return text.length > limit ? refuse('text_too_long', { field, length: text.length, limit }) : null
}

/** The record without one of its keys. */
export function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _, ...rest } = record
  return rest
}
