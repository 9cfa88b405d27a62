/**
 * Every error a person can meet, in one place.
 *
 * Three origins: *refused* (a wish the rules do not allow; returned as a value), *failed* (the outside
 * world did not do its part; may be worth another try), *bug* (ours; ends the turn, never the process).
 * docs/ERRORS.md has one entry for each code, compared both ways by test/docs.test.ts.
 */

export type Details = Record<string, string | number | boolean | null>

type Origin = 'refused' | 'failed' | 'bug'

/** code: [origin, HTTP status, what happened, what to do next]; `{name}` is filled in from the details. */
export const catalogue = {
  // What was sent cannot be read.
  bad_json: ['refused', 400, 'The body is not valid JSON: {why}.', 'Send one JSON document with Content-Type: application/json.'],
  bad_request: ['refused', 400, '{field}: {why}.', 'The fields of every request are listed at /v1/openapi.json.'],
  bad_text: [
    'refused',
    400,
    '{field} holds {what}, which cannot be stored as text.',
    'Remove control characters and broken surrogate pairs, then send it again.',
  ],
  too_large: ['refused', 413, 'The body has more than {limit} bytes.', 'Send less, or split it into several messages.'],
  text_too_long: ['refused', 413, '{field} has {length} characters; at most {limit} are taken.', 'Split the text into several messages.'],
  native_field: [
    'refused',
    400,
    '"{field}" is the form of one platform, and a message is said once for all of them.',
    'Say it with {portable}; every channel then shows it in its own way.',
  ],
  action_reserved: [
    'refused',
    400,
    '{at}: the action "{type}" decides for a person, and only the server makes it.',
    'Use a callback action, or answer the question itself: POST /v1/questions/ID/answer',
  ],
  message_reserved: [
    'refused',
    409,
    'The delivery {delivery} shows a question or a request to write, and only the server changes it.',
    'Decide it: parley inbox list. To say something else, send a new message.',
  ],
  empty_message: [
    'refused',
    400,
    'The message has nothing to show: no text, no title and no block that could be shown.',
    'Give it a text, or a presentation with a title or at least one whole block.',
  ],
  message_too_big: ['refused', 413, 'The message has {count} {what}; at most {limit} are taken.', 'Split it into several messages.'],
  wrong_content_type: ['refused', 415, 'The body is not declared as JSON.', 'Set Content-Type: application/json.'],
  key_reused: [
    'refused',
    422,
    'This Idempotency-Key was used for a different request.',
    'Use a fresh key for each new request; repeat a key only to repeat the same request.',
  ],

  // Who is asking.
  not_signed_in: [
    'refused',
    401,
    'This needs you to be signed in.',
    'Open a fresh sign-in link (parley link) or send a bearer token (parley token create).',
  ],
  signed_out: [
    'refused',
    401,
    'This connection ended: the session or token was revoked.',
    'Open a fresh sign-in link (parley link) or make a new token (parley token create).',
  ],
  session_not_found: ['refused', 404, 'There is no session {session}.', 'See which there are: parley sessions list'],
  link_used: ['refused', 401, 'This sign-in link was already used or is too old.', 'Make a new one: parley link'],
  bad_token: ['refused', 401, 'This token is unknown or was revoked.', 'Make a new one: parley token create'],
  not_addressed: ['refused', 403, 'Only {names} can decide this.', 'Nothing was changed. Ask them, or an owner or operator, to answer.'],
  decision_not_offered: [
    'refused',
    400,
    'The decision "{decision}" is not offered for this call.',
    'Choose one of the decisions that the approval lists.',
  ],
  scope_too_wide: [
    'refused',
    400,
    'The scope {scope} covers everything of its kind.',
    'Choose a narrower scope, or allow this on the page, where it is confirmed a second time.',
  ],
  grant_not_found: ['refused', 404, 'There is no grant {grant} in force.', 'List the grants: parley grants list'],
  owner_only: ['refused', 403, 'Only an owner can do this.', 'Ask an owner, or sign in as one: parley link'],
  not_allowed: [
    'refused',
    403,
    'This token may not do that: it lacks the scope "{scope}".',
    'Make a token with that scope: parley token create --scope {scope}',
  ],
  role_too_low: [
    'refused',
    403,
    'The role {role} does not include the capability {capability}.',
    'Ask an owner, who gives roles under people in parley.yaml. docs/AUTHORITY.md lists roles and capabilities.',
  ],
  wrong_origin: [
    'refused',
    403,
    'The request came from another site ({origin}).',
    'Open Parley by the address it printed when it started; behind a proxy, list it under server.origins.',
  ],
  request_timeout: [
    'refused',
    408,
    'The request did not arrive within {seconds} s.',
    'Send it again over a faster connection, or split it.',
  ],
  too_many_connections: [
    'refused',
    429,
    'This token already has {limit} {what} open.',
    'Close some of them, follow several streams over one WebSocket, or try again in {seconds} s.',
  ],
  reader_too_slow: [
    'refused',
    408,
    'The connection was closed because its reader did not take what was sent.',
    'Connect again with `after` set to the last event you saw.',
  ],
  sender_too_fast: [
    'refused',
    429,
    'The connection was closed because it sent {what}.',
    'Send less, then connect again with `after` set to the last event you saw.',
  ],
  too_many_requests: ['refused', 429, 'Too many requests from this caller.', 'Wait {seconds} s and try again.'],

  // What it is about.
  not_found: ['refused', 404, 'There is nothing at {path}.', 'The paths of the API are listed at /v1/openapi.json.'],
  method_not_allowed: ['refused', 405, '{path} does not take {method}.', 'The methods of every path are listed at /v1/openapi.json.'],
  dialog_not_found: ['refused', 404, 'There is no dialog {dialog}.', 'See which there are: parley dialogs list'],
  dialog_exists: ['refused', 409, 'The dialog {dialog} already exists.', 'Say something in it, or open another one.'],
  question_not_found: [
    'refused',
    404,
    'There is no question {question}.',
    'See what waits for you: parley inbox list (what a build asks: parley builds show ID)',
  ],
  person_not_found: [
    'refused',
    404,
    'No person called "{person}" is listed.',
    'List them under people in parley.yaml, such as: {person}: { role: member }',
  ],
  agent_not_found: [
    'refused',
    404,
    'There is no agent called {agent}. There are: {known}.',
    'The team is under "team" in parley.yaml; a member that is missing there has a fault: parley doctor',
  ],
  dialog_dead: [
    'refused',
    409,
    'This dialog was declared dead and takes nothing more.',
    'Its caller was told. Say it there, or open a new dialog.',
  ],
  root_cannot_die: ['refused', 409, 'Only a side dialog can be declared dead.', 'Stop this dialog instead.'],
  bad_reminder: ['refused', 400, 'The reminder cannot be kept: {why}.', 'Give text, and the number shown beside the reminder.'],
  token_not_found: ['refused', 404, 'There is no token {token}.', 'See which there are: parley token list'],

  // What the rules of a dialog do not allow.
  empty_text: ['refused', 400, '{field} is empty.', 'Write at least one character.'],
  already_answered: [
    'refused',
    409,
    'This question was already answered by {by} ({at}).',
    'Nothing was changed. The answer that counts is shown where it was asked.',
  ],
  question_closed: [
    'refused',
    409,
    'This question is no longer open: it was {outcome} ({at}).',
    'Nothing was changed. Say it as a message instead.',
  ],
  answer_missing: [
    'refused',
    400,
    'There is no answer for "{item}".',
    'Answer every part of what is asked, by its id; see the ids: parley inbox list, or parley builds show ID',
  ],
  answer_unknown: [
    'refused',
    400,
    'The question has no part called "{item}".',
    'Use the ids of what is asked: parley inbox list --json, or parley builds show ID',
  ],
  not_a_choice: ['refused', 400, '"{value}" is not one of the choices for "{item}": {choices}.', 'Send the value of one of the choices.'],
  nothing_to_stop: ['refused', 409, 'Nothing is running in this dialog or below it.', 'There is nothing to do.'],
  stopped_above: [
    'refused',
    409,
    'This dialog is stopped because {by} stopped the dialog {above} it belongs to.',
    'Continue that one: parley dialogs continue {above}',
  ],
  all_stopped: [
    'refused',
    409,
    'All work is stopped by {by} since {at}.',
    'Resume all first: parley dialogs continue --all, or "Resume all" on the page.',
  ],
  nothing_to_continue: ['refused', 409, 'This dialog is not stopped or failed.', 'Say something in it instead.'],
  too_many_waiting: ['refused', 429, '{count} messages are already waiting for this agent.', 'Wait until it has read them, or stop it.'],
  bad_question: [
    'refused',
    400,
    'The question is not well formed: {why}.',
    'A question has 1 to {items} parts; a choice has 2 to {options} options with different values.',
  ],
  turn_over: ['refused', 409, 'This turn has already ended.', 'Nothing to do: the work was finished by someone else.'],
  busy: ['failed', 503, 'Others kept changing this at the same moment.', 'Try again.'],
  server_full: [
    'failed',
    503,
    'The server has reached its limit of {what}.',
    'Try again in {seconds} s. If this lasts, raise the limits of connections in parley.yaml.',
  ],
  shutting_down: ['failed', 503, 'The server is stopping.', 'Try again when it is back.'],

  // What the rules of a build do not allow.
  build_not_found: ['refused', 404, 'There is no build {build}.', 'Start one with POST /v1/builds, or check the id.'],
  build_exists: ['refused', 409, 'The build {build} already exists.', 'Follow its events, or start another one.'],
  build_not_retriable: [
    'refused',
    409,
    'Only a build that failed or was cancelled can be retried; this one is {status}.',
    'Follow it with parley builds show ID --follow, or start another build.',
  ],
  build_rounds_spent: ['refused', 409, 'This build was retried as often as it may be ({limit} rounds).', 'Start another build.'],
  build_over: ['refused', 409, 'This build has ended and takes nothing more.', 'Start a new build.'],
  no_question_open: [
    'refused',
    409,
    'Nothing is asked in this build right now.',
    'Nothing was changed. See how far it is: parley builds show ID',
  ],
  wrong_answer_kind: [
    'refused',
    400,
    'What is asked is {asked}, and the answer is for {given}.',
    'Answer one question with its id; answer a set with an answer for each of its ids.',
  ],
  resume_needed: [
    'refused',
    409,
    'This build waits for an answer to: {questions}.',
    'Send each answer as an entry of "resume"; other words are not read before that.',
  ],
  bad_turn_message: [
    'refused',
    400,
    'The message to the agent cannot be taken ({rule}): {why}.',
    'Send each header line once, with the ids of this build and a type the open question fits.',
  ],
  build_rules_broken: [
    'failed',
    502,
    'The agent broke a rule of builds again after it was told ({rule}): {why}.',
    'Try the build again. Check what the agent sends: parley builds check events.jsonl',
  ],

  // Messages on their way to and from chat apps.
  no_channels: ['refused', 409, 'No chat app is connected to this Parley.', 'Connect one: parley channels add telegram'],
  inbound_forged: [
    'refused',
    401,
    'This did not come from the platform: its proof is missing or wrong.',
    'Nothing was kept. Give the platform the address and the secret again by starting the server.',
  ],
  inbound_unreadable: ['refused', 400, 'What the platform sent cannot be read.', 'Nothing was kept.'],
  channel_check_failed: [
    'failed',
    502,
    '{platform} does not let us in: {why}.',
    'Take the token from @BotFather once more, then: parley channels add telegram',
  ],
  channel_unreachable: [
    'failed',
    502,
    '{platform} could not be asked: {why}.',
    'The token may be right. Look at the network, a proxy or --api-root, then try again; or keep it unasked with --no-check.',
  ],
  channel_unclear: ['refused', 400, 'Several accounts are connected: {known}.', 'Say which one: --channel <name>, or "channel" over HTTP.'],
  channel_off: ['refused', 409, '{channel} cannot be reached at the moment: {why}.', 'Look at it with: parley channels list'],
  channel_cannot: ['refused', 409, '{channel} cannot {what}.', 'What it can do is shown by: parley channels list'],
  file_refused: [
    'refused',
    400,
    'The file cannot be sent: {why}.',
    'Send one that lies in the project’s folder, or give an http(s) address.',
  ],
  file_gone: ['refused', 404, 'The file could not be had from {channel}: {why}.', 'Ask for it to be sent again.'],
  file_too_large: [
    'refused',
    413,
    'The file at {channel} is too large: {why}.',
    'Look at it in the app itself; here files of up to 20 MB come through.',
  ],
  channel_refused: ['refused', 409, '{channel} did not do it: {why}.', 'Mend the cause, then try again.'],
  message_not_ours: [
    'refused',
    404,
    'Parley has sent no message {message} to {target}.',
    'Only its own messages can be changed. See what was sent: parley deliveries list',
  ],
  channel_not_found: [
    'refused',
    404,
    'There is no channel called {channel}.',
    'Channels are the accounts under "channels" in parley.yaml.',
  ],
  delivery_not_found: ['refused', 404, 'There is no delivery {delivery}.', 'See what there is: parley deliveries list'],
  delivery_exists: ['refused', 409, 'The delivery {delivery} is already planned.', 'Nothing to do: it is on its way.'],
  delivery_not_stuck: ['refused', 409, 'This delivery is {state}: it is not stuck.', 'Nothing to do.'],
  delivery_moved_on: ['refused', 409, 'This delivery is {state}; somebody else went on with it.', 'Nothing to do.'],
  control_used: ['refused', 409, 'These buttons were already used by {by} ({at}).', 'Nothing was changed. Write a message instead.'],
  control_unknown: ['refused', 404, 'This button is not one of ours any more.', 'Nothing was changed. Write a message instead.'],
  pairing_not_found: [
    'refused',
    404,
    'No one waits to be let in with the code {code}.',
    'A code is good for an hour; a new message of theirs makes a new one.',
  ],
  pairing_closed: ['refused', 409, 'This request is {state}.', 'Nothing was changed.'],
  unclaimed_not_found: ['refused', 404, 'Nothing that nobody took has the id {id}.', 'See what waits: parley inbox list'],

  // What an agent or its model did.
  model_unreachable: [
    'failed',
    502,
    'The model did not answer: {why}.',
    'Check that it runs and that the address is right: parley model test',
  ],
  model_key_refused: ['failed', 502, 'The model refused the key ({status}).', 'Set a valid key: parley model set'],
  model_refused: [
    'failed',
    502,
    'The model refused the request ({status}): {why}.',
    'Check the model name and its limits: parley model test',
  ],
  model_rate_limited: ['failed', 429, 'The model asks to slow down.', 'It is tried again by itself; otherwise wait and press Continue.'],
  model_overloaded: [
    'failed',
    502,
    'The model has a problem of its own ({status}).',
    'It is tried again by itself; otherwise press Continue later.',
  ],
  model_stalled: [
    'failed',
    504,
    'The model sent nothing for {seconds} s.',
    'Press Continue to try again, or choose another model: parley model set',
  ],
  model_garbled: [
    'failed',
    502,
    'The model sent something that cannot be read: {why}.',
    'Press Continue to try again; if it stays so, the address may not be an OpenAI-compatible one: parley model test',
  ],
  model_not_set: ['failed', 409, 'No model called "{model}" is set up.', 'Set one: parley model set'],
  command_failed: ['failed', 502, 'The agent program ended with {status}: {why}.', 'Run it by hand to see why, then press Continue.'],
  command_missing: ['failed', 502, 'The agent program could not be started: {why}.', 'Check the command of this member in parley.yaml.'],
  command_timeout: [
    'failed',
    504,
    'The agent program did not end within {seconds} s.',
    'Raise timeoutSeconds of this member in parley.yaml, or press Continue to try again.',
  ],
  sandbox_unavailable: [
    'failed',
    503,
    'Not run: the sandbox is not available ({why}).',
    'Install it (Debian, Ubuntu: apt-get install bubblewrap · Fedora: dnf install bubblewrap · Arch: pacman -S bubblewrap). parley doctor names what else is missing.',
  ],
  command_flooded: [
    'failed',
    502,
    'The agent program wrote more than {limit} bytes.',
    'Raise maxOutputBytes of this member in parley.yaml, or make it say less.',
  ],
  agent_failed: ['failed', 500, 'The agent has a fault: {why}.', 'See the server log, mend the agent, then press Continue.'],
  too_many_generations: [
    'failed',
    409,
    'The agent used its tools {limit} times in one turn without coming to an end.',
    'Press Continue to let it go on, or tell it what to do.',
  ],
  budget_spent: [
    'failed',
    402,
    'The budget of this dialog does not allow another step: {tokens} tokens are spent.',
    'Raise the budget in parley.yaml, then press Continue.',
  ],
  turn_crashed: [
    'failed',
    500,
    'The server ended {crashes} times within {minutes} minutes while this ran.',
    'See the server log for the cause, then press Continue.',
  ],
  thinking_too_long: [
    'failed',
    502,
    'The model used more than {limit} tokens for thinking and was ended.',
    'Press Continue to try again, ask for less at once, or raise limits.thinkingTokens in parley.yaml.',
  ],
  generation_too_long: [
    'failed',
    504,
    'The generation took longer than {seconds} s and was ended.',
    'Press Continue to try again, or raise limits.generationSeconds in parley.yaml.',
  ],
  output_too_long: [
    'failed',
    502,
    'The model wrote more than {limit} tokens, {factor} times what was requested, and was ended.',
    'Press Continue to try again, or raise maxOutputTokens of the model in parley.yaml.',
  ],

  // The terminal and the set-up.
  server_unreachable: ['failed', 503, 'No Parley server answers at {url}.', 'Start one: parley serve'],
  needs_terminal: ['refused', 400, 'This asks a question and needs a terminal.', 'Answer by a flag instead: {flag}'],
  reply_late: ['failed', 504, 'No reply came within {seconds} s.', 'The agent goes on without you. Read on: parley dialogs tail {dialog}'],
  config_invalid: ['refused', 400, '{file}: {where}: {why}.', 'See the whole schema: parley config schema'],
  policy_invalid: [
    'refused',
    400,
    'Parley does not start with mistakes in its policy ({count}). The first: {first}.',
    'See all of them: parley policy test',
  ],
  config_unreadable: ['failed', 400, '{file} cannot be read: {why}.', 'Mend or remove it, then: parley doctor'],
  port_taken: ['failed', 409, 'Port {port} is in use.', 'Choose another: --port 0 takes any free one.'],
  open_without_secret: [
    'refused',
    400,
    'Refusing to listen on {host}, which others can reach, without a secret.',
    'Set PARLEY_SECRET to at least 32 random characters, or listen on 127.0.0.1.',
  ],
  store_locked: ['failed', 503, 'The data file is busy: {why}.', 'Another program holds it. Wait or stop it, then try again.'],
  store_newer: [
    'failed',
    409,
    'The data was written by a newer Parley (schema {found}, this one knows {known}).',
    'Upgrade Parley, or point it to another data folder.',
  ],
  store_damaged: [
    'failed',
    500,
    'The data cannot be read: {why}.',
    'Keep the folder as it is, restore a backup beside it: docs/guides/backup.md',
  ],
  store_unwritable: [
    'failed',
    503,
    'The data cannot be written: {why}.',
    'Free space on the disk or mend its permissions, then try again. Nothing was stored half.',
  ],
  store_gone: [
    'failed',
    503,
    'The data file {file} was {what} while Parley was running.',
    'Nothing is stored until it is back. Stop Parley, put the file back or restore a backup (docs/guides/backup.md), then start it.',
  ],
  store_incomplete: [
    'failed',
    409,
    'The data lacks something that was acknowledged: {why}.',
    'Put the missing file back, then start again. If you restored a backup on purpose: parley store accept --data {data}',
  ],
  store_closed: ['failed', 503, 'The store was closed.', 'Open it again; while a server is stopping, try again when it is back.'],
  plugin_not_found: ['refused', 404, 'There is no plugin called {plugin} here.', 'See which there are: parley plugins list'],
  plugin_there: [
    'refused',
    409,
    'A plugin called {plugin} is already in {file}.',
    'Bring it up to date: parley plugins update {plugin}. Or take it out first: parley plugins remove {plugin}',
  ],
  plugin_unusable: ['refused', 400, '{plugin} cannot be used as a plugin: {why}.', 'Mend it, then: parley plugins check {plugin}'],
  plugin_not_fetched: ['failed', 502, '{plugin} could not be fetched: {why}.', 'Check its name and the network, then try again.'],
  package_missing: [
    'failed',
    501,
    'This needs a package that is not installed: {package}.',
    'Install it beside Parley: npm install {package}',
  ],
  usage: ['refused', 400, '{why}', 'See: parley --help'],
  internal: ['bug', 500, 'Parley has a fault. It was logged as {request}.', 'Please report it with that number.'],
} as const satisfies Record<string, readonly [Origin, number, string, string]>

export type ErrorCode = keyof typeof catalogue

/** A wish the rules do not allow. A value, never thrown by the pure core. */
export type Refusal = { code: ErrorCode; details: Details }

export const refuse = (code: ErrorCode, details: Details = {}): { refused: Refusal } => ({ refused: { code, details } })

export type ErrorWords = { code: ErrorCode; message: string; hint: string }

export function describeError(code: ErrorCode, details: Details = {}): ErrorWords {
  const [, , message, hint] = catalogue[code]
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? '?'))
  return { code, message: fill(message), hint: fill(hint) }
}

/** Thrown at the edges; carries a code of the catalogue and what fills its sentence. */
export class ParleyError extends Error {
  readonly code: ErrorCode
  readonly details: Details
  /** Worth another try without a person changing anything. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** The model refused the request before it did any work, so it cost nothing. */
  readonly isUnmetered: boolean

  constructor(
    code: ErrorCode,
    details: Details = {},
    more: { cause?: unknown; retryable?: boolean; retryAfterMs?: number; isUnmetered?: boolean } = {},
  ) {
    super(describeError(code, details).message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'ParleyError'
    this.code = code
    this.details = details
    this.retryable = more.retryable ?? false
    this.retryAfterMs = more.retryAfterMs
    this.isUnmetered = more.isUnmetered ?? false
  }

  get hint(): string {
    return describeError(this.code, this.details).hint
  }

  get status(): number {
    return catalogue[this.code][1]
  }
}
