/**
 * Every error a person can meet, in one place.
 *
 * Three origins: *refused* (a request that the rules do not allow; returned as a value), *failed* (something
 * outside Parley did not work; a retry may help), *bug* (a fault of Parley; ends the turn, never the process).
 * docs/ERRORS.md has one entry for each code, compared both ways by test/docs.test.ts.
 */

import { clientErrors } from './errors/client-errors.ts'
import { fillSentence } from './errors/fill-sentence.ts'
import type { Details } from './errors/refuse.ts'

export { errorMessage } from './errors/error-message.ts'
export { refuse, type Details, type Refusal } from './errors/refuse.ts'

type Origin = 'refused' | 'failed' | 'bug'

/** code: [origin, HTTP status, what happened, what to do next]; `{name}` is filled in from the details. */
export const catalogue = {
  // Unreadable input.
  bad_json: ['refused', 400, 'The body is not valid JSON: {why}.', 'Send one JSON document with Content-Type: application/json.'],
  bad_request: ['refused', 400, '{field}: {why}.', 'The fields of every request are listed at /v1/openapi.json.'],
  bad_text: [
    'refused',
    400,
    '{field} holds {what}, which cannot be stored as text.',
    'Remove control characters and broken surrogate pairs, then send it again.',
  ],
  too_large: ['refused', 413, 'The body has more than {limit} bytes.', 'Send less, or split it into several messages.'],
  text_too_long: ['refused', 413, '{field} has {length} characters; at most {limit} are accepted.', 'Shorten the {field}.'],
  native_field: [
    'refused',
    400,
    '"{field}" belongs to one platform, but a message is written once for all platforms.',
    'Use {portable} instead; every channel shows it in its own format.',
  ],
  action_reserved: [
    'refused',
    400,
    '{at}: only the server can create the action "{type}", because it decides for a person.',
    'Use a callback action, or answer the question itself: POST /v1/questions/ID/answer',
  ],
  message_reserved: [
    'refused',
    409,
    'The delivery {delivery} shows a question or a request to write, so only the server can change it.',
    'Decide it: parley inbox list. To change the text, send a new message.',
  ],
  empty_message: [
    'refused',
    400,
    'The message is empty: it has no text, no title and no valid block.',
    'Add text, or a presentation with a title or at least one valid block.',
  ],
  message_too_big: ['refused', 413, 'The message has {count} {what}; at most {limit} are accepted.', 'Split it into several messages.'],
  empty_file: ['refused', 400, 'The file {name} is empty.', 'Choose another file.'],
  too_many_files: ['refused', 400, 'A message has at most {limit} files.', 'Send the other files in a second message.'],
  file_not_found: [
    'refused',
    404,
    'There is no file {file} here.',
    'Upload it again: a file is kept for a day until a message refers to it, and only its sender can use it.',
  ],
  too_many_uploads: [
    'refused',
    429,
    '{limit} uploaded files are already waiting for a message.',
    'Send messages with them, or wait: files without a message are deleted after {hours} hours.',
  ],
  wrong_content_type: ['refused', 415, 'The body is not declared as JSON.', 'Set Content-Type: application/json.'],
  key_reused: [
    'refused',
    422,
    'This Idempotency-Key was used for a different request.',
    'Use a new key for each new request; repeat a key only to repeat the same request.',
  ],

  // Identity and rights.
  not_signed_in: [
    'refused',
    401,
    'You are not signed in.',
    'Open a new sign-in link (parley link) or send a bearer token (parley token create).',
  ],
  signed_out: [
    'refused',
    401,
    'This connection ended: the session or token was revoked.',
    'Open a new sign-in link (parley link) or create a new token (parley token create).',
  ],
  session_not_found: ['refused', 404, 'There is no session {session}.', 'List the sessions: parley sessions list'],
  link_used: ['refused', 401, 'This sign-in link was already used or has expired.', 'Create a new one: parley link'],
  bad_token: ['refused', 401, 'This token is unknown or was revoked.', 'Create a new one: parley token create'],
  token_expired: [
    'refused',
    401,
    'This token expired: a token for one build lasts {minutes} minutes.',
    'Get a new one from the page or program that made it: POST /v1/builds/<build>/tokens',
  ],
  too_many_build_tokens: [
    'refused',
    429,
    'Too many tokens for builds exist at the moment.',
    'Wait a minute, or revoke those of this build: parley builds token <build> --revoke',
  ],
  not_addressed: ['refused', 403, 'Only {names} can decide this.', 'Nothing was changed. Ask them, or an owner or operator, to answer.'],
  already_allowed: [
    'refused',
    403,
    'You already allowed this. Another person has to allow it too.',
    'Nothing was changed. Ask another person who can decide.',
  ],
  always_not_limited: [
    'refused',
    403,
    'This token is limited to one dialog or build, so it cannot allow a call everywhere.',
    'Choose once, chat or deny. Only a person, or a token without this limit, can choose always.',
  ],
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
  unseen_text: [
    'refused',
    409,
    'Text from another person arrived at event {seq}, after event {upTo}.',
    'Read it: parley dialogs tail {dialog} --after {upTo}. Then trust the dialog again, up to the event you have read.',
  ],
  event_not_reached: [
    'refused',
    400,
    'The dialog has no event {upTo}; its last one is {last}.',
    'Give the number of an event you have read.',
  ],
  owner_only: ['refused', 403, 'Only an owner can do this.', 'Ask an owner, or sign in as one: parley link'],
  not_allowed: [
    'refused',
    403,
    'This token lacks the scope {scope}.',
    'Create a token with that scope: parley token create --scope {scope}',
  ],
  role_too_low: [
    'refused',
    403,
    'The role {role} does not include the capability {capability}.',
    'Ask an owner, who assigns roles under people in parley.yaml. docs/AUTHORITY.md lists roles and capabilities.',
  ],
  wrong_origin: [
    'refused',
    403,
    'The request came from another site ({origin}).',
    'Open Parley at the address it printed when it started. Behind a proxy, add the public origin to server.origins.',
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
    'The connection was closed because the client read too slowly.',
    'Connect again with `after` set to the last event you saw.',
  ],
  sender_too_fast: [
    'refused',
    429,
    'The connection was closed because it sent {what}.',
    'Send less, then connect again with `after` set to the last event you saw.',
  ],
  too_many_requests: ['refused', 429, 'Too many requests from this caller.', 'Wait {seconds} s and try again.'],

  // Missing resources.
  not_found: clientErrors.not_found,
  method_not_allowed: ['refused', 405, '{path} does not support {method}.', 'The methods of every path are listed at /v1/openapi.json.'],
  dialog_not_found: ['refused', 404, 'There is no dialog {dialog}.', 'List the dialogs: parley dialogs list'],
  dialog_exists: ['refused', 409, 'The dialog {dialog} already exists.', 'Send a message to it, or open another one.'],
  question_not_found: [
    'refused',
    404,
    'There is no question {question}.',
    'List open questions: parley inbox list (of a build: parley builds show ID)',
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
    'There is no agent called {agent}. Available: {known}.',
    'The team is under "team" in parley.yaml. A member with a mistake is skipped: parley doctor',
  ],
  dialog_dead: [
    'refused',
    409,
    'This dialog was declared dead and accepts no more messages.',
    'Its caller was notified. Write there, or open a new dialog.',
  ],
  root_cannot_die: ['refused', 409, 'Only a side dialog can be declared dead.', 'Stop this dialog instead.'],
  bad_reminder: ['refused', 400, 'The reminder cannot be stored: {why}.', 'Send text, and the number shown beside the reminder.'],
  token_not_found: ['refused', 404, 'There is no token {token}.', 'List the tokens: parley token list'],

  // Rules of a dialog.
  empty_text: ['refused', 400, '{field} is empty.', 'Write at least one character.'],
  already_answered: [
    'refused',
    409,
    'This question was already answered by {by} ({at}).',
    'Nothing was changed. The accepted answer is shown with the question.',
  ],
  question_closed: [
    'refused',
    409,
    'This question is no longer open: it was {outcome} ({at}).',
    'Nothing was changed. Send a message instead.',
  ],
  answer_missing: [
    'refused',
    400,
    'There is no answer for "{item}".',
    'Answer every part by its id. List the ids: parley inbox list, or parley builds show ID',
  ],
  answer_unknown: [
    'refused',
    400,
    'The question has no part called "{item}".',
    'Use the ids of the question: parley inbox list --json, or parley builds show ID',
  ],
  not_a_choice: ['refused', 400, '"{value}" is not one of the choices for "{item}": {choices}.', 'Send the value of one of the choices.'],
  bad_answer: ['refused', 400, '"{value}" does not fit "{item}".', '{expected}'],
  nothing_to_stop: ['refused', 409, 'Nothing is running in this dialog or below it.', 'No action is needed.'],
  stopped_above: [
    'refused',
    409,
    'This dialog is stopped because {by} stopped the dialog {above} it belongs to.',
    'Continue that one: parley dialogs continue {above}',
  ],
  all_stopped: [
    'refused',
    409,
    'All work was stopped by {by} ({at}).',
    'Resume all first: parley dialogs continue --all, or "Resume all" on the page.',
  ],
  dialog_stopped: [
    'refused',
    409,
    'The dialog was stopped by {by} before the agent replied.',
    'Continue it: parley dialogs continue {dialog}',
  ],
  no_pushes: [
    'refused',
    409,
    'This dialog has no pushes.',
    'Set `diligence-push-max` of its member in parley.yaml. Without it, only a root dialog with a task document has pushes (3).',
  ],
  nothing_to_continue: ['refused', 409, 'This dialog is not stopped or failed.', 'Send a message to it instead.'],
  too_many_waiting: ['refused', 429, '{count} messages are already waiting for this agent.', 'Wait until it has read them, or stop it.'],
  bad_question: [
    'refused',
    400,
    'The question is not well formed: {why}.',
    'A question has 1 to {items} parts; a choice has 2 to {options} options with different values.',
  ],
  turn_over: ['refused', 409, 'This turn has already ended.', 'No action is needed: another process finished the work.'],
  busy: ['failed', 503, 'Other requests kept changing this at the same time.', 'Try again.'],
  server_full: [
    'failed',
    503,
    'The server has reached its limit of {what}.',
    'Try again in {seconds} s. If this lasts, raise the limits of connections in parley.yaml.',
  ],
  shutting_down: ['failed', 503, 'The server is stopping.', 'Try again when it is back.'],

  // Rules of a build.
  build_not_found: [
    'refused',
    404,
    'There is no build {build}.',
    'List the builds: parley builds list. Start one: parley builds start TEXT',
  ],
  build_exists: ['refused', 409, 'The build {build} already exists.', 'Follow its events, or start another one.'],
  build_not_retriable: [
    'refused',
    409,
    'Only a build that failed or was cancelled can be retried; this one is {status}.',
    'Ask for a change with parley builds say ID TEXT, or follow it with parley builds show ID --follow.',
  ],
  build_rounds_spent: ['refused', 409, 'This build has reached its limit of {limit} rounds.', 'Start another build.'],
  build_over: [
    'refused',
    409,
    'This build has ended and no longer waits for an answer.',
    'Ask for a change with parley builds say ID TEXT.',
  ],
  no_question_open: ['refused', 409, 'This build has no open question.', 'Nothing was changed. See its progress: parley builds show ID'],
  wrong_answer_kind: [
    'refused',
    400,
    'The open question is {asked}, but the answer is for {given}.',
    'Answer one question with its id; answer a set with an answer for each of its ids.',
  ],
  resume_needed: [
    'refused',
    409,
    'This build waits for an answer to: {questions}.',
    'Send each answer as an entry of "resume"; other messages are not read until then.',
  ],
  bad_turn_message: [
    'refused',
    400,
    'The message to the agent is not valid ({rule}): {why}.',
    'Send each header line once, with the ids of this build and a type that fits the open question.',
  ],
  build_rules_broken: [
    'failed',
    502,
    'The agent broke a rule of builds again after a correction ({rule}): {why}.',
    'Try the build again. Check what the agent sends: parley builds check events.jsonl',
  ],

  // Messages to and from chat apps.
  no_channels: ['refused', 409, 'No chat app is connected to this Parley.', 'Connect one: parley channels add'],
  inbound_forged: [
    'refused',
    401,
    'The request did not come from the platform: its signature is missing or wrong.',
    'Nothing was stored. Restart the server to register its address and secret with the platform again.',
  ],
  inbound_unreadable: [
    'refused',
    400,
    'The request from the platform cannot be parsed.',
    'Nothing was stored. If this repeats, check what calls the webhook address.',
  ],
  channel_check_failed: [
    'failed',
    502,
    '{platform} refused the token: {why}.',
    'Copy the token from {platform} again, then run: parley channels add',
  ],
  channel_unreachable: [
    'failed',
    502,
    '{platform} could not be reached: {why}.',
    'The token may be right. Check the network, a proxy or --api-root, then try again; or store it unchecked with --no-check.',
  ],
  channel_unclear: ['refused', 400, 'Several accounts are connected: {known}.', 'Name one: --channel <name>, or "channel" over HTTP.'],
  channel_off: ['refused', 409, '{channel} cannot be reached at the moment: {why}.', 'See its state: parley channels list'],
  channel_cannot: ['refused', 409, '{channel} cannot {what}.', 'See what it supports: parley channels list'],
  file_refused: ['refused', 400, 'The file cannot be sent: {why}.', 'Send a file of the project folder, or an http(s) address.'],
  file_gone: ['refused', 404, 'The file could not be downloaded from {channel}: {why}.', 'Ask the sender to send it again.'],
  file_too_large: [
    'refused',
    413,
    'The file at {channel} is too large: {why}.',
    'Open it in the app. Parley downloads files of up to 20 MB.',
  ],
  channel_refused: ['refused', 409, '{channel} refused the request: {why}.', 'Fix the cause, then try again.'],
  message_not_ours: [
    'refused',
    404,
    'Parley has sent no message {message} to {target}.',
    'Only messages sent by Parley can be changed. List them: parley deliveries list',
  ],
  channel_not_found: [
    'refused',
    404,
    'There is no channel called {channel}.',
    'List the channels: parley channels list. Each is an account under "channels" in parley.yaml.',
  ],
  delivery_not_found: ['refused', 404, 'There is no delivery {delivery}.', 'List the deliveries: parley deliveries list'],
  delivery_exists: ['refused', 409, 'The delivery {delivery} is already planned.', 'No action is needed: it is being sent.'],
  delivery_not_stuck: ['refused', 409, 'This delivery is {state}: it is not stuck.', 'No action is needed.'],
  delivery_moved_on: ['refused', 409, 'This delivery is {state}; another process continued it.', 'No action is needed.'],
  control_used: ['refused', 409, 'These buttons were already used by {by} ({at}).', 'Nothing was changed. Write a message instead.'],
  control_unknown: ['refused', 404, 'This button is no longer valid.', 'Nothing was changed. Write a message instead.'],
  pairing_not_found: [
    'refused',
    404,
    'There is no open request with the code {code}.',
    'A code is valid for one hour. A new message from the sender creates a new one.',
  ],
  pairing_closed: ['refused', 409, 'This request is {state}.', 'Nothing was changed. See all requests: parley requests list --all'],
  unclaimed_not_found: ['refused', 404, 'There is no unclaimed message {id}.', 'List open items: parley inbox list'],

  // Failures of an agent or its model.
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
  model_unpaid: [
    'failed',
    502,
    'The provider of the model requires payment ({status}): {why}.',
    'Add credit to your account at the provider, or choose another model: parley model set. Then press Continue.',
  ],
  model_wrong_address: [
    'failed',
    502,
    'The address of the model returned a web page, so it is not the address of its API.',
    'Set the base URL that the provider documents, which often ends in /v1: parley model set. Then press Continue.',
  ],
  model_rate_limited: ['failed', 429, 'The provider of the model is limiting the request rate.', 'Wait a moment, then press Continue.'],
  model_overloaded: ['failed', 502, 'The model server reported an error ({status}).', 'Wait a few minutes, then press Continue.'],
  model_stalled: [
    'failed',
    504,
    'The model sent nothing for {seconds} s.',
    'Press Continue to try again, or choose another model: parley model set',
  ],
  model_garbled: [
    'failed',
    502,
    'The output of the model cannot be parsed: {why}.',
    'Press Continue to try again. If it fails again, the address may not be OpenAI-compatible: parley model test',
  ],
  model_declined: ['failed', 502, 'The model {model} declined to answer.', 'Ask in other words, or choose another model: parley model set'],
  model_output_bound: [
    'failed',
    502,
    'The model used its whole output limit of {limit} tokens for reasoning and gave no reply.',
    'Raise maxOutputTokens of the model in parley.yaml, or lower its effort.',
  ],
  model_not_set: ['failed', 409, 'No model called "{model}" is set up.', 'Set one: parley model set'],
  command_failed: [
    'failed',
    502,
    'The agent program ended with {status}: {why}.',
    'Run it in a terminal to see the cause, then press Continue.',
  ],
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
    'Raise maxOutputBytes of this member in parley.yaml, or reduce its output.',
  ],
  agent_failed: ['failed', 500, 'The agent failed: {why}.', 'See the server log, fix the agent, then press Continue.'],
  too_many_generations: [
    'failed',
    409,
    'The agent used its tools {limit} times in one turn without finishing.',
    'Press Continue to let it continue, or tell it what to do.',
  ],
  context_overflow: [
    'failed',
    409,
    'The prompt does not fit into the context window of the model ({window} tokens).',
    'Press Fresh start to continue with a new course, or set contextLength of the model in parley.yaml.',
  ],
  context_full: [
    'failed',
    409,
    'There is no room to work: instructions and tools take {fixed} tokens, request, reminders and documents {first}, of {usable} in the context window.',
    'Shorten the reminders, the task document or the list of tools, or use a model with a larger window. Then press Continue.',
  ],
  bad_taskdoc: ['refused', 400, '{taskdoc} cannot be a task document: {why}.', 'Name an existing folder *.tsk below the project.'],
  too_many_requests_in_a_row: [
    'failed',
    409,
    'The agent made {limit} requests to other agents without a message from a person.',
    'Press Continue to let it continue, or tell it what to do.',
  ],
  budget_spent: [
    'failed',
    402,
    'The {scope} budget does not allow another step: {spent} of {limit} {unit} are spent.',
    'Press Continue to be asked again, or raise the budget in parley.yaml.',
  ],
  turn_crashed: [
    'failed',
    500,
    'The server crashed {crashes} times within {minutes} minutes while this turn was running.',
    'See the server log for the cause, then press Continue.',
  ],
  thinking_too_long: [
    'failed',
    502,
    'The model used more than {limit} tokens for thinking and was stopped.',
    'Press Continue to try again, ask for less at once, or raise limits.thinkingTokens in parley.yaml.',
  ],
  generation_too_long: [
    'failed',
    504,
    'The generation took longer than {seconds} s and was stopped.',
    'Press Continue to try again, or raise limits.generationSeconds in parley.yaml.',
  ],
  output_too_long: [
    'failed',
    502,
    'The model wrote more than {limit} tokens, {factor} times what was requested, and was stopped.',
    'Press Continue to try again, or raise maxOutputTokens of the model in parley.yaml.',
  ],

  // The terminal and the set-up.
  server_unreachable: clientErrors.server_unreachable,
  needs_terminal: ['refused', 400, 'This command asks a question, so it needs a terminal.', 'Use a flag instead: {flag}'],
  reply_late: ['failed', 504, 'No reply within {seconds} s.', 'The agent continues. Follow it: parley dialogs tail {dialog}'],
  config_invalid: ['refused', 400, '{file}: {where}: {why}.', 'See the full schema: parley config schema'],
  policy_invalid: [
    'refused',
    400,
    'Parley cannot start: its policy has mistakes ({count}). The first: {first}.',
    'See all of them: parley policy test',
  ],
  default_agent_broken: [
    'refused',
    400,
    'Parley cannot start: its default agent {agent} cannot be used: {why}.',
    'Fix it, or name another agent as team.default. All problems: parley doctor',
  ],
  config_unreadable: ['failed', 400, '{file} cannot be read: {why}.', 'Fix or remove it, then run: parley doctor'],
  port_taken: ['failed', 409, 'Port {port} is in use.', 'Choose another one; --port 0 uses any free port.'],
  cannot_listen: [
    'failed',
    400,
    'Parley cannot listen on {host}, port {port}: {why}.',
    'Choose another address with --host (127.0.0.1 is this machine alone) or another port with --port.',
  ],
  open_without_secret: [
    'refused',
    400,
    'Refusing to listen on {host}, which others can reach, without a secret.',
    'Set PARLEY_SECRET to at least 32 random characters, or listen on 127.0.0.1.',
  ],
  store_locked: [
    'failed',
    503,
    'The data file is busy: {why}.',
    'Another program has locked it. Wait or stop that program, then try again.',
  ],
  store_newer: [
    'failed',
    409,
    'The data was written by a newer version of Parley (schema {found}; this version supports {known}).',
    'Upgrade Parley, or point it to another data folder.',
  ],
  store_damaged: [
    'failed',
    500,
    'The data cannot be read: {why}.',
    'Do not change the folder; restore a backup beside it: docs/guides/backup.md',
  ],
  store_unwritable: [
    'failed',
    503,
    'The data cannot be written: {why}.',
    'Free space on the disk or fix its permissions, then try again. Nothing was stored partially.',
  ],
  store_gone: [
    'failed',
    503,
    'The data file {file} was {what} while Parley was running.',
    'Nothing is stored until it is back. Stop Parley, move the file back or restore a backup (docs/guides/backup.md), then start it.',
  ],
  store_incomplete: [
    'failed',
    409,
    'Acknowledged data is missing: {why}.',
    'Move the missing file back, then start again. If you restored a backup on purpose: parley store accept --data {data}',
  ],
  store_unreachable: [
    'failed',
    503,
    'PostgreSQL cannot be reached: {why}.',
    'Check that the server runs and that the address, user and password in store.url are right. Parley reconnects when it is back.',
  ],
  store_moved: [
    'refused',
    409,
    'The data in {store} was copied to another store, which is in use now.',
    'Set store.url or store.path in parley.yaml to the copy. To use this one again on purpose, after stopping the other: parley serve --moved',
  ],
  copy_unfinished: [
    'refused',
    409,
    'A copy of the data from or into {store} is not finished.',
    'Run the same parley store copy again; it continues. To use a source again without the copy: parley serve --moved',
  ],
  copy_target_used: [
    'refused',
    409,
    'Nothing was copied to {target}: {why}.',
    'Choose an empty database or folder. An unfinished copy of the same source is continued.',
  ],
  copy_differs: [
    'failed',
    409,
    'The copy in {target} differs from its source: {part} {row}.',
    'The source was changed meanwhile, or the target was. Empty the target and copy again; the source is still complete.',
  ],
  store_differs: [
    'failed',
    409,
    '{count} rows or snapshots do not follow from the events; the first is {first}.',
    'Stop the server and keep the data as it is; then report it with the output of parley store check --json.',
  ],
  store_closed: ['failed', 503, 'The store was closed.', 'Open it again; while a server is stopping, try again when it is back.'],
  plugin_not_found: ['refused', 404, 'There is no plugin called {plugin} here.', 'List the plugins: parley plugins list'],
  plugin_there: [
    'refused',
    409,
    'A plugin called {plugin} is already in {file}.',
    'Remove the other one first: parley plugins disable {plugin} --all',
  ],
  plugin_unusable: ['refused', 400, '{plugin} cannot be used as a plugin: {why}.', 'Fix it, then run: parley plugins check {plugin}'],
  plugin_not_fetched: [
    'failed',
    502,
    '{plugin} is not installed: {why}.',
    'Run npm install {plugin} in the folder of parley.yaml, then parley plugins enable with the name of the package.',
  ],
  package_missing: [
    'failed',
    501,
    'This needs a package that is not installed: {package}.',
    'Install it beside Parley: npm install {package}',
  ],
  // Worlds: agents of different owners.
  worlds_off: [
    'refused',
    409,
    'No agent of this Parley takes part in worlds.',
    'Name one under worlds.agents in parley.yaml, then start the server again.',
  ],
  opening_message_required: [
    'refused',
    400,
    'A chat request needs a brief.',
    'Write the goal, the tone and when to stop as openingMessage.',
  ],
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
  usage: ['refused', 400, '{why}', 'See: parley --help'],
  internal: ['bug', 500, 'Parley had an internal error. It was logged as {request}.', 'Please report it with that number.'],
  // Worlds: keys, and the wire between a member and its host.
  key_file_readable: [
    'refused',
    409,
    'Others can read the key file {path}.',
    'Set its mode to 600. If others may have copied it, rotate the key.',
  ],
  key_file_broken: ['refused', 409, 'The key file {path} cannot be read.', 'Import the key from a backup: parley worlds key import FILE'],
  peer_key_changed: [
    'refused',
    409,
    'The key of {code} has changed, so its signature is not accepted.',
    'Compare the fingerprint with its owner, then accept or decline the new key.',
  ],
  peer_key_not_offered: [
    'refused',
    409,
    'This key is not waiting for a decision.',
    'Look at the contact again; the key may have changed since.',
  ],
  turn_signature_invalid: [
    'refused',
    400,
    'Turn {turn} of {request} is not signed with the key of {code}.',
    'Sign the bytes of the turn with the key of the account.',
  ],
  transcript_gap: ['refused', 409, 'Turn {turn} cannot be added: turn {expected} comes next.', 'Fetch the missing turns from the host.'],
  transcript_forked: [
    'refused',
    409,
    'Turn {turn} is known with other content.',
    'Export the transcript and compare it with that of the peer.',
  ],
  relay_delivery_scope_mismatch: ['refused', 400, '{field} is not the same everywhere in the message.', 'Name one delivery.'],
  relay_turn_scope_mismatch: ['refused', 400, '{field} is not the same everywhere in the message.', 'Name one turn.'],
  relay_session_scope_mismatch: ['refused', 400, '{field} is not the same everywhere in the message.', 'Name one session.'],
  relay_request_scope_mismatch: ['refused', 400, '{field} is not the same everywhere in the message.', 'Name one chat request.'],
  relay_account_scope_mismatch: ['refused', 403, '{field} is not the account of this connection.', 'Use the connection of that account.'],
  account_not_proven: [
    'refused',
    401,
    'The proof of the account key is missing or wrong: {why}.',
    'Sign the challenge of this host with the key of the account; check the address of the host and the clock.',
  ],
  world_host_unreachable: [
    'failed',
    502,
    'The world host {host} cannot be reached: {why}.',
    'Nothing is lost. It is sent again when the host is back; check the address with parley worlds doctor.',
  ],
} as const satisfies Record<string, readonly [Origin, number, string, string]>

export type ErrorCode = keyof typeof catalogue

export type ErrorWords = { code: ErrorCode; message: string; hint: string }

export function describeError(code: ErrorCode, details: Details = {}): ErrorWords {
  const [, , message, hint] = catalogue[code]
  return { code, message: fillSentence(message, details), hint: fillSentence(hint, details) }
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never

/** The details of one error: those its sentences in the catalogue name are there, others may be. */
export type ErrorDetails<Code extends ErrorCode> = Details &
  Readonly<Record<Placeholders<(typeof catalogue)[Code][2] | (typeof catalogue)[Code][3]>, Details[string]>>

type ErrorOptions = { cause?: unknown; retryable?: boolean; retryAfterMs?: number; isUnmetered?: boolean }

type Thrown = Error & {
  /** A retry may succeed without a change by a person. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** The model refused the request before it did any work, so it cost nothing. */
  readonly isUnmetered: boolean
  readonly hint: string
  readonly status: number
}

/**
 * Thrown at the edges; carries a code of the catalogue and what fills its sentence. `ParleyError<'already_answered'>` has the
 * details of that code; a check of `code` narrows to it.
 */
export type ParleyError<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? Thrown & { readonly code: Code; readonly details: ErrorDetails<Code> }
  : never

type ParleyErrorClass = {
  new <Code extends ErrorCode>(code: Code, details?: Details, options?: ErrorOptions): ParleyError<Code>
  /** The type that `instanceof` narrows to. */
  readonly prototype: ParleyError
}

export const ParleyError: ParleyErrorClass = class extends Error {
  readonly code: ErrorCode
  readonly details: Details
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly isUnmetered: boolean

  constructor(code: ErrorCode, details: Details = {}, options: ErrorOptions = {}) {
    super(describeError(code, details).message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ParleyError'
    this.code = code
    this.details = details
    this.retryable = options.retryable ?? false
    this.retryAfterMs = options.retryAfterMs
    this.isUnmetered = options.isUnmetered ?? false
  }

  get hint(): string {
    return describeError(this.code, this.details).hint
  }

  get status(): number {
    return catalogue[this.code][1]
  }
} as unknown as ParleyErrorClass
