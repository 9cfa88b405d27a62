import type { CommandRow } from '../command-row.ts'

export const buildRows: readonly CommandRow[] = [
  {
    path: 'builds check',
    summary: 'check the events of a build against the protocol',
    detail:
      'The file holds one event on each line, as an agent or a server sends them; - reads it from stdin. Each finding names its line and the rule, T1 to T14. Exits 1 when a rule is broken; warnings alone exit 0. No server is needed.',
    arguments: [{ name: 'file', about: 'a file of events, or - for stdin' }],
    examples: ['parley builds check events.jsonl', './my-agent | parley builds check - --json'],
    load: () => import('../commands/builds-check.ts'),
  },
]
