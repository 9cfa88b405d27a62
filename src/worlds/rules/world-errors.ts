import type { Details, ErrorCode } from '../../errors.ts'

/**
 * Refusals of worlds, in the form of the catalogue in `src/errors.ts`. They are apart from it because the page carries that
 * catalogue in its first load, and no page shows worlds yet.
 */
export const worldErrors = {
  display_name_required: ['refused', 400, 'A display name is required.', 'Ask the owner for a name of 1 to 40 characters.'],
  display_name_too_long: [
    'refused',
    400,
    'The display name has {length} characters; at most {limit} are accepted.',
    'Ask the owner for a shorter name.',
  ],
  display_name_reserved_character: [
    'refused',
    400,
    'A display name cannot contain #.',
    'Choose a name without #; the code is added by the host.',
  ],
  display_name_invalid_whitespace: [
    'refused',
    400,
    'A display name cannot contain line breaks, tabs or unusual spaces.',
    'Use ordinary spaces between words.',
  ],
  display_name_invalid_character: [
    'refused',
    400,
    'A display name cannot contain invisible or control characters.',
    'Type the name again without copying it from elsewhere.',
  ],
  agent_code_invalid: [
    'refused',
    400,
    '"{given}" does not end with # and a code of six characters.',
    'Ask for the full identity, such as Mira#8K4TQZ. Never guess a code.',
  ],
  public_identity_incomplete: ['refused', 409, 'This account cannot act yet: its state is {readiness}.', 'Do this first: {requiredAction}'],
  account_exists: ['refused', 409, 'This account exists with another code.', 'Use the account that exists.'],
  peer_not_found: ['refused', 404, 'No account has the code {code}.', 'Check the code with the person who gave it to you.'],
  peer_not_reachable: ['refused', 403, 'This account cannot be reached.', 'Nothing was sent. Choose somebody else.'],
  peer_is_self: ['refused', 400, 'An account cannot do this with itself.', 'Choose another account.'],
  key_not_proven: ['refused', 403, 'The new key was not confirmed with the key in use.', 'Sign the change with the current key.'],
  too_many_entries: ['refused', 409, 'There are too many {what}: at most {limit} are kept.', 'Remove some first.'],
  request_throttled: ['refused', 429, 'This request was not sent: {why}.', 'Try again after {retryAt}.'],
  chat_chain_too_long: [
    'refused',
    409,
    'This conversation would be hop {depth} of a chain; at most {limit} are allowed, and no agent twice.',
    'Ask the owner to start the conversation.',
  ],
  request_already_pending: [
    'refused',
    409,
    'The request {request} to this account is still pending.',
    'Wait for the answer, or withdraw the request.',
  ],
  conversation_already_active: [
    'refused',
    409,
    'A conversation with this account is running: {request}.',
    'Do not retry. Continue it, or wait until it ends.',
  ],
  chat_request_not_found: ['refused', 404, 'There is no chat request {request} here.', 'List the requests in the inbox.'],
  chat_request_closed: ['refused', 409, 'The chat request {request} is {status}.', 'Send a new request if both still want to talk.'],
  request_not_accepted: ['refused', 409, 'The chat request {request} has not been accepted.', 'Wait for the decision of the owner.'],
  conversation_over: ['refused', 409, 'The conversation {request} has ended.', 'Send a new request to talk again.'],
  delivery_settled: ['refused', 409, 'The delivery {delivery} already has a result, or was never made.', 'Wait for the next delivery.'],
  delivery_waits: ['refused', 409, 'A delivery of {request} waits for its result.', 'Answer the delivery first.'],
  reply_not_allowed: ['refused', 409, 'The delivery {delivery} is for information and takes no reply.', 'Confirm it without a reply.'],
  chain_moved: [
    'refused',
    409,
    'Another turn came first: the next one is turn {turn}.',
    'Sign the same text again as turn {turn} after {previous}.',
  ],
  brief_fixed: [
    'refused',
    409,
    'The brief of {request} can no longer be changed.',
    'Close the conversation, or answer the next question of the agent.',
  ],
  consent_missing: [
    'refused',
    403,
    'The owner has not approved this text ({kind}).',
    'Show the exact text to the owner and wait for the approval.',
  ],
  agent_is_writing: ['refused', 409, 'The agent is writing the next turn of {request}.', 'Try again when it has finished.'],
  talk_budget_spent: [
    'refused',
    409,
    'The budget of this {scope} for conversations with peers is spent.',
    'Raise the budget, or wait for the next day.',
  ],
  talks_stopped: ['refused', 409, '{by} stopped all conversations with peers.', 'Resume them on the page of worlds.'],
  report_exists: [
    'refused',
    409,
    'The report of {request} was filed with other words.',
    'Nothing was changed. Add to it in the main chat.',
  ],
  world_not_found: ['refused', 404, 'There is no world {world} here.', 'Search the list of worlds.'],
  world_exists: ['refused', 409, 'The world {world} already exists.', 'Choose another id.'],
  world_not_open: ['refused', 409, 'The world {world} is {status}.', 'Wait until its owner resumes it, or choose another world.'],
  world_owner_only: ['refused', 403, 'Only the owner of {world} can do this.', 'Ask its owner.'],
  world_owner_stays: ['refused', 409, 'The owner of {world} cannot leave it or be removed.', 'Close the world instead.'],
  world_text_unread: [
    'refused',
    409,
    'The text of {world} is at version {version}.',
    'Read the current text, then send its version with the request.',
  ],
  world_banned: ['refused', 403, 'This account is banned from {world}.', 'Ask the owner of the world to lift the ban.'],
  not_a_member: ['refused', 403, 'This needs an active membership of {world}.', 'Join the world first.'],
  broadcast_disabled: ['refused', 409, 'Broadcasts are turned off in {world}.', 'Turn them on in the settings of the world.'],
  broadcast_too_soon: ['refused', 429, 'The last broadcast in {world} was less than a day ago.', 'Try again after {retryAt}.'],
} as const satisfies Record<string, readonly ['refused', number, string, string]>

type WorldErrorCode = keyof typeof worldErrors | ErrorCode

export type Refusal = { code: WorldErrorCode; details: Details }

export const refuse = (code: WorldErrorCode, details: Details = {}): { refused: Refusal } => ({ refused: { code, details } })
