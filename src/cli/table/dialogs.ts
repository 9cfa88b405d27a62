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
        choices: ['ready', 'working', 'stopping', 'waiting', 'delegated', 'stopped', 'failed'],
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
    path: 'dialogs tree',
    summary: 'show dialogs with the side dialogs below them',
    detail: 'Each line: title, teammate, state, age, what waits for you. Without a dialog: the latest ones.',
    arguments: [{ ...dialog, optional: true }],
    flags: [{ flags: '--limit <number>', about: 'how many, without a dialog (20)', number: true }],
    examples: ['parley dialogs tree', 'parley dialogs tree last --json'],
    load: () => import('../commands/dialogs-tree.ts'),
  },
  {
    path: 'dialogs stop',
    summary: 'stop a dialog and everything below it, or all work',
    detail:
      'Nothing starts there again before "dialogs continue", also not after a restart. A stopped dialog still answers what you write. With --all and no dialog it is the emergency stop: no agent starts at all.',
    arguments: [{ ...dialog, optional: true }],
    flags: [{ flags: '--all', about: 'all work, also what is started later; with a dialog, its whole tree' }],
    examples: ['parley dialogs stop last', 'parley dialogs stop --all --json'],
    load: () => import('../commands/dialogs-stop.ts'),
  },
  {
    path: 'dialogs continue',
    aliases: ['resume'],
    summary: 'continue after a stop or a failure',
    detail: 'Lifts the stop of the dialog and of everything below it. With --all and no dialog it also lifts the emergency stop.',
    arguments: [{ ...dialog, optional: true }],
    flags: [{ flags: '--all', about: 'everything stopped or failed; with a dialog, everything in its tree' }],
    examples: ['parley dialogs continue last', 'parley dialogs continue --all --json'],
    load: () => import('../commands/dialogs-continue.ts'),
  },
  {
    path: 'dialogs dead',
    summary: 'give a side dialog up for good',
    detail: 'It cannot be undone, and gives up the side dialogs below it as well. The agent that waits gets a failed reply with your note.',
    arguments: [{ name: 'dialog', about: 'id of the side dialog' }],
    flags: [{ flags: '--note <text>', about: 'why, for the agent that waits' }],
    examples: ['parley dialogs dead dlg_1a2b', 'parley dialogs dead dlg_1a2b --note "not needed any more"'],
    load: () => import('../commands/dialogs-dead.ts'),
  },
  {
    path: 'dialogs trust',
    summary: 'vouch for everything written in a dialog so far',
    detail:
      'A dialog in which a guest or a group has written is judged by their role from then on. This lifts it again, for the owner only and until one of them writes again. Read the dialog first: what it says may be meant to mislead the agent.',
    arguments: [{ name: 'dialog', about: 'id of the dialog' }],
    examples: ['parley dialogs trust dlg_1a2b', 'parley dialogs trust dlg_1a2b --json'],
    load: () => import('../commands/dialogs-trust.ts'),
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
