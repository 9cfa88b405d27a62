import type { CommandRow } from '../command-row.ts'

export const careRows: readonly CommandRow[] = [
  {
    path: 'preview',
    summary: 'show a message as each channel would get it, without sending it',
    detail: 'The file holds { text?, presentation? }; - reads it from stdin. Nothing is sent, no account and no server is needed.',
    arguments: [{ name: 'file', about: 'a JSON file, or - for stdin' }],
    flags: [
      { flags: '--channel <names>', about: 'only these, such as telegram,plain' },
      { flags: '--text', about: 'only how it reads as plain text' },
    ],
    examples: ['parley preview approval.json', 'parley preview approval.json --channel telegram --json'],
    load: () => import('../commands/preview.ts'),
  },
  {
    path: 'doctor',
    summary: 'check everything and say what to do about what is wrong',
    detail: 'Exits 0 even with findings; with --lint it exits 1 when something is wrong, for use in scripts.',
    flags: [
      { flags: '--fix', about: 'mend what can be mended safely' },
      { flags: '--lint', about: 'exit 1 when something is wrong' },
    ],
    examples: ['parley doctor', 'parley doctor --lint --json'],
    load: () => import('../commands/doctor.ts'),
  },
  {
    path: 'store accept',
    summary: 'start with a restored backup',
    detail:
      'Parley refuses to start when the database lacks something that was acknowledged. After you restored a backup on purpose, this accepts the database as it is. Stop the server first.',
    flags: [{ flags: '--data <folder>', about: 'where the data is kept (./.parley)' }],
    examples: ['parley store accept', 'parley store accept --data ./backup-test --json'],
    load: () => import('../commands/store-accept.ts'),
  },
  {
    path: 'explain',
    summary: 'explain an error code',
    arguments: [{ name: 'code', about: 'the code; without one, all are listed', optional: true }],
    examples: ['parley explain server_unreachable', 'parley explain --json'],
    load: () => import('../commands/explain.ts'),
  },
  {
    path: 'completion',
    summary: 'print the completion script of your shell',
    arguments: [{ name: 'shell', about: 'which shell', choices: ['bash', 'zsh', 'fish', 'powershell'] }],
    examples: ['source <(parley completion bash)', 'parley completion fish > ~/.config/fish/completions/parley.fish'],
    load: () => import('../commands/completion.ts'),
  },
  {
    path: 'version',
    summary: 'print the version of this program, of Node and of the server',
    examples: ['parley version', 'parley version --json'],
    load: () => import('../commands/version.ts'),
  },
]
