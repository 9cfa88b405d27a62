import { clientErrors } from './client-errors.ts'
import type { ErrorRows } from './error-rows.ts'

/** The terminal and the set-up. */
export const setupErrors = {
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
} as const satisfies ErrorRows
