import type { CommandRow } from '../command-row.ts'

export const careRows: readonly CommandRow[] = [
  {
    path: 'preview',
    needs: 'read.own',
    summary: 'show a message as each channel would receive it, without sending it',
    detail:
      'The file holds { text?, presentation? } or a presentation alone; - reads it from stdin. Nothing is sent, no account and no server is needed.',
    arguments: [{ name: 'file', about: 'a JSON file, or - for stdin' }],
    flags: [
      { flags: '--channel <names>', about: 'only these, such as telegram,plain' },
      { flags: '--text', about: 'only the plain text' },
    ],
    examples: ['parley preview approval.json', 'parley preview approval.json --channel telegram --json'],
    load: () => import('../commands/preview.ts'),
  },
  {
    path: 'doctor',
    needs: 'local',
    summary: 'check the setup and suggest fixes',
    detail: 'Exits 0 even with findings; with --lint it exits 1 on errors, for use in scripts.',
    flags: [
      { flags: '--fix', about: 'fix what can be fixed safely' },
      { flags: '--lint', about: 'exit 1 on errors' },
    ],
    examples: ['parley doctor', 'parley doctor --lint --json'],
    load: () => import('../commands/doctor.ts'),
  },
  {
    path: 'logs',
    needs: 'local',
    summary: 'print what the server of this folder logged',
    detail:
      'The data folder holds the last lines, without secrets: server.log and one older file of at most 4 MB each. With --json each line is an object. Events are in: parley events.',
    flags: [
      { flags: '--lines <number>', about: 'at most this many of the last lines (100)', number: true },
      { flags: '--follow', about: 'wait for new lines' },
      { flags: '--data <folder>', about: 'data folder (./.parley)' },
    ],
    examples: ['parley logs', 'parley logs --follow', 'parley logs --lines 1000 --json | jq \'select(.level == "error")\''],
    lines: true,
    load: () => import('../commands/logs.ts'),
  },
  {
    path: 'store accept',
    needs: 'local',
    summary: 'accept a restored backup',
    detail:
      'Parley refuses to start when acknowledged data is missing. If you restored a backup on purpose, this accepts the database as it is. Stop the server first.',
    flags: [{ flags: '--data <folder>', about: 'data folder (./.parley)' }],
    examples: ['parley store accept', 'parley store accept --data ./backup-test --json'],
    load: () => import('../commands/store-accept.ts'),
  },
  {
    path: 'store migrate',
    needs: 'local',
    summary: 'bring the tables of the store up to date',
    detail: 'A start does the same. Before an upgrade of several processes, run this once.',
    flags: [{ flags: '--store <place>', about: 'data folder or postgres:// address (that of parley.yaml)' }],
    examples: ['parley store migrate', "parley store migrate --store '${DATABASE_URL}' --json"],
    load: () => import('../commands/store-migrate.ts'),
  },
  {
    path: 'store check',
    needs: 'local',
    summary: 'fold all events and compare them with views and snapshots',
    detail: 'Changes nothing. Stop the servers first. Exits 1 when something differs.',
    flags: [{ flags: '--store <place>', about: 'data folder or postgres:// address (that of parley.yaml)' }],
    examples: ['parley store check', 'parley store check --store ./.parley --json'],
    load: () => import('../commands/store-check.ts'),
  },
  {
    path: 'store copy',
    needs: 'local',
    summary: 'copy all data into another store',
    detail:
      'From the store of parley.yaml to an empty database or folder. Stop the servers first. Every event, row and file is compared afterwards; then the source is marked as moved and no server starts on it. A copy that was interrupted continues when it is run again. ${NAME} is taken from the environment.',
    flags: [
      { flags: '--to <place>', about: 'data folder or postgres:// address' },
      { flags: '--from <place>', about: 'data folder or postgres:// address (that of parley.yaml)' },
    ],
    examples: ["parley store copy --to '${DATABASE_URL}'", "parley store copy --from '${DATABASE_URL}' --to ./.parley"],
    load: () => import('../commands/store-copy.ts'),
  },
  {
    path: 'store retire',
    needs: 'local',
    summary: 'move finished dialogs to compressed files',
    detail:
      'Retires every finished dialog that has rested for --days: its events leave the store once the file was synced and read back. Runs beside servers. A dialog with an open question, a failure, a grant or a chat stays. `store.retire` in parley.yaml does the same once a day.',
    flags: [
      { flags: '--days <number>', about: 'days that a dialog has rested (store.retire.afterDays)', number: true },
      { flags: '--folder <path>', about: 'folder of the files (store.retire.folder, or retired in the data folder)' },
      { flags: '--store <place>', about: 'data folder or postgres:// address (that of parley.yaml)' },
    ],
    examples: ['parley store retire --days 90', 'parley store retire --days 365 --folder /srv/retired --json'],
    load: () => import('../commands/store-retire.ts'),
  },
  {
    path: 'store restore',
    needs: 'local',
    summary: 'read a retired dialog, or bring it back',
    detail:
      'Puts the events of a retired dialog and its side dialogs back under their numbers. Stop the servers first. With --print it writes the events as lines of JSON, changes nothing and runs beside servers.',
    arguments: [{ name: 'dialog', about: 'id of the dialog' }],
    flags: [
      { flags: '--print', about: 'only print the events' },
      { flags: '--folder <path>', about: 'folder of the files (store.retire.folder, or retired in the data folder)' },
      { flags: '--store <place>', about: 'data folder or postgres:// address (that of parley.yaml)' },
    ],
    examples: ['parley store restore dlg_01k --print', 'parley store restore dlg_01k'],
    load: () => import('../commands/store-restore.ts'),
  },
  {
    path: 'api',
    needs: 'read.own',
    summary: 'call any route of the HTTP API',
    detail:
      'For everything that has no command of its own. The server and its token are found as with every other command. GET /v1/openapi.json lists the routes.',
    arguments: [
      { name: 'method', about: 'HTTP method', choices: ['GET', 'POST', 'PATCH', 'DELETE'] },
      { name: 'path', about: 'path with its query, such as /v1/dialogs?limit=5' },
    ],
    flags: [
      { flags: '--body <json>', about: 'the body: JSON, @file, or - for stdin' },
      { flags: '--key <key>', about: 'idempotency key; a repeat with the same key changes nothing' },
    ],
    examples: ['parley api GET /v1/dialogs?limit=5', `parley api POST /v1/dialogs --body '{"text": "Hello"}'`],
    load: () => import('../commands/api.ts'),
  },
  {
    path: 'explain',
    needs: 'local',
    summary: 'explain an error code',
    arguments: [{ name: 'code', about: 'the code; without one, all are listed', optional: true }],
    examples: ['parley explain server_unreachable', 'parley explain --json'],
    load: () => import('../commands/explain.ts'),
  },
  {
    path: 'completion',
    needs: 'local',
    summary: 'print the completion script for your shell',
    arguments: [{ name: 'shell', about: 'which shell', choices: ['bash', 'zsh', 'fish', 'powershell'] }],
    examples: ['source <(parley completion bash)', 'parley completion fish > ~/.config/fish/completions/parley.fish'],
    load: () => import('../commands/completion.ts'),
  },
  {
    path: 'version',
    needs: 'local',
    summary: 'print the versions of this program, Node and the server',
    examples: ['parley version', 'parley version --json'],
    load: () => import('../commands/version.ts'),
  },
]
