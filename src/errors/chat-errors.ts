import type { ErrorRows } from './error-rows.ts'

/** Messages to and from chat apps. */
export const chatErrors = {
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
  delivery_not_unconfirmed: [
    'refused',
    409,
    'This delivery is {state}: it does not wait for a confirmation.',
    'Only an unconfirmed delivery can be confirmed. See: parley deliveries show',
  ],
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
} as const satisfies ErrorRows
