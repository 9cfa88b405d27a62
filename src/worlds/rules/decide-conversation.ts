import { refuse } from '../../errors.ts'
import type { ConversationEvent } from './conversation-events.ts'
import type { ConversationState } from './conversation-state.ts'
import { type Decision, decideBy, type Deciders, type Timed } from './decision.ts'
import { endingDeciders, type EndingCommand } from './decide-ending.ts'
import { requestDeciders, type RequestCommand } from './decide-request.ts'
import { turnDeciders, type TurnCommand } from './decide-turns.ts'

export type ConversationCommand = RequestCommand | TurnCommand | EndingCommand

const deciders: Deciders<ConversationState, ConversationCommand, ConversationEvent> = {
  ...requestDeciders,
  ...turnDeciders,
  ...endingDeciders,
}

/**
 * States of the latest episode of a conversation. `·` means that the command is refused or changes nothing.
 *
 * | state   | submit            | accept, reject   | reply, silence  | close, block | pass-time            |
 * |---------|-------------------|------------------|-----------------|--------------|----------------------|
 * | none    | pending, accepted by policy, or rejected | · | ·   | ·            | ·                    |
 * | pending | crossing: accepted; same sender: ·       | live, rejected | · | blocked  | expired (30 days)    |
 * | live    | · `conversation_already_active`          | · repeated     | live, ended | ended | ended (12 minutes, 7 or 30 days) |
 * | over    | a new episode     | ·                | · repeated      | ·            | ·                    |
 */
export function decideConversation(state: ConversationState, command: Timed<ConversationCommand>): Decision<ConversationEvent> {
  if (command.type === 'submit-request') return decideBy(deciders, state, command)
  const { request } = command
  if (state.earlier.some((episode) => episode.request === request)) return refuse('conversation_over', { request })
  if (state.episode?.request !== request) return refuse('chat_request_not_found', { request })
  return decideBy(deciders, state, command)
}
