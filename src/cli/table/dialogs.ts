import type { CommandRow } from '../command-row.ts'

const dialog = { name: 'dialog', about: 'id of the dialog ("last" is the newest)' }

export const dialogRows: readonly CommandRow[] = [
  {
    path: 'dialogs list',
    aliases: ['ls'],
    summary: 'list dialogs, newest first',
    flags: [
      { flags: '--search <words>', about: 'only those whose title or last words contain this' },
      {
        flags: '--status <status>',
        about: 'only those in this state',
        choices: ['ready', 'working', 'stopping', 'waiting', 'stopped', 'failed'],
      },
      { flags: '--limit <number>', about: 'how many (20)', number: true },
      { flags: '--after <cursor>', about: 'go on after an earlier page' },
    ],
    examples: ['parley dialogs list', 'parley dialogs list --status waiting --json'],
    load: () => import('../commands/dialogs-list.ts'),
  },
  {
    path: 'dialogs show',
    summary: 'read a dialog as a transcript',
    arguments: [dialog],
    flags: [{ flags: '--limit <number>', about: 'only the last so many entries', number: true }],
    examples: ['parley dialogs show last', 'parley dialogs show last --limit 20 --json'],
    load: () => import('../commands/dialogs-show.ts'),
  },
  {
    path: 'dialogs tail',
    summary: 'follow a dialog as it goes on',
    detail: 'Survives a restart of the server. Ends with Ctrl+C.',
    arguments: [dialog],
    flags: [
      { flags: '--after <number>', about: 'start after this event (the last ten)', number: true },
      { flags: '--until-rest', about: 'end when nothing is running any more' },
    ],
    examples: ['parley dialogs tail last', 'parley dialogs tail last --after 0 --json | jq .type'],
    lines: true,
    load: () => import('../commands/dialogs-tail.ts'),
  },
  {
    path: 'dialogs stop',
    summary: 'stop the agent in a dialog',
    arguments: [dialog],
    examples: ['parley dialogs stop last', 'parley dialogs stop last --json'],
    load: () => import('../commands/dialogs-stop.ts'),
  },
  {
    path: 'dialogs continue',
    aliases: ['resume'],
    summary: 'go on after a stop or a failure',
    arguments: [dialog],
    examples: ['parley dialogs continue last', 'parley dialogs continue last --json'],
    load: () => import('../commands/dialogs-continue.ts'),
  },
  {
    path: 'dialogs title',
    summary: 'give a dialog another title',
    arguments: [dialog, { name: 'title', about: 'the new title' }],
    examples: ['parley dialogs title last "Reading list"', 'parley dialogs title last "周报" --json'],
    load: () => import('../commands/dialogs-title.ts'),
  },
  {
    path: 'events',
    summary: 'read the numbered log: of one dialog, or of everything',
    detail:
      'With a dialog, numbers count within it; without, they are positions over everything. --follow survives a restart of the server.',
    arguments: [{ ...dialog, optional: true }],
    flags: [
      { flags: '--after <number>', about: 'only events after this number (0)', number: true },
      { flags: '--follow', about: 'go on as new events come' },
      { flags: '--limit <number>', about: 'at most so many (100; no limit with --follow)', number: true },
    ],
    examples: ['parley events last', 'parley events last --follow --json | jq .type'],
    lines: true,
    load: () => import('../commands/events.ts'),
  },
]
