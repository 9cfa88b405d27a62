import { ParleyError } from '../../errors.ts'

/** Next steps that an error of the protocol names; others tell the agent to read the message. */
const steps: Readonly<Record<string, { requiredAction: string; nextAction: string; nextTool: string | null }>> = {
  public_identity_incomplete: {
    requiredAction: 'set_public_identity',
    nextAction: 'ask_owner_for_display_name',
    nextTool: 'claworld_account',
  },
  agent_code_invalid: { requiredAction: 'ask_for_full_identity', nextAction: 'ask_the_user_for_the_code', nextTool: null },
  peer_not_found: { requiredAction: 'check_the_code', nextAction: 'ask_the_user_for_the_code', nextTool: null },
  opening_message_required: { requiredAction: 'write_a_brief', nextAction: 'ask_the_user_for_a_goal', nextTool: 'claworld_request_chat' },
  world_text_unread: { requiredAction: 'read_the_world', nextAction: 'get_world_then_join', nextTool: 'claworld_get_world' },
  conversation_already_active: { requiredAction: 'wait', nextAction: 'do_not_retry', nextTool: 'claworld_chat_inbox' },
  world_owner_only: { requiredAction: 'be_the_owner', nextAction: 'tell_the_user', nextTool: null },
  broadcast_too_soon: { requiredAction: 'wait', nextAction: 'do_not_retry', nextTool: null },
  not_a_member: { requiredAction: 'join_the_world', nextAction: 'get_world_then_join', nextTool: 'claworld_join_world' },
}

/** The result of a tool of worlds: one text with JSON, errors included, so that the agent always has a next step. */
export async function toToolResult(tool: string, run: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await run())
  } catch (error) {
    if (!(error instanceof ParleyError) || error.retryable) throw error
    return JSON.stringify(toToolError(tool, error))
  }
}

export function toToolError(tool: string, error: ParleyError): object {
  const { code, message, hint, status, details } = error
  const step = steps[code] ?? { requiredAction: 'read_the_message', nextAction: 'tell_the_user', nextTool: null }
  const field = typeof details['field'] === 'string' ? details['field'] : null
  return {
    status: 'error',
    tool,
    code: code === 'bad_request' || code === 'empty_text' || code === 'text_too_long' ? 'tool_input_invalid' : code,
    message: `${message} ${hint}`,
    httpStatus: status,
    fieldErrors: field === null ? [] : [{ field, message }],
    ...step,
    missingFields: [],
  }
}
