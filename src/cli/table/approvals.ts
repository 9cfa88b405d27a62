import { roles } from '../../authority/roles.ts'
import type { CommandRow } from '../command-row.ts'

const question = { name: 'question', about: 'id of the approval' }
const local = { flags: '--local', about: 'use the parley.yaml of this folder, not the server' }

export const approvalRows: readonly CommandRow[] = [
  {
    path: 'approve',
    needs: 'approve',
    summary: 'allow a tool call that is waiting for a decision',
    detail:
      'Without an id it lists the open approvals and, at a terminal, asks about each one with the full call shown. Name an approval by its id: "last" could be a different one from the one you read.\n' +
      '--chat applies to this dialog for at most 30 days, --always everywhere for at most 90 days. Without --scope the first proposed scope is granted.',
    arguments: [{ ...question, optional: true }],
    flags: [
      { flags: '--once', about: 'allow this call only' },
      { flags: '--chat', about: 'allow it in this dialog from now on' },
      { flags: '--always', about: 'allow it in every dialog from now on' },
      { flags: '--scope <scope>', about: 'what is allowed from now on, such as "run(git log *)"; it must cover the call' },
      { flags: '--where <field=value>', about: 'a field of the input that must match, for mcp(…) and tool(…)', many: true },
      { flags: '--until <time>', about: 'an earlier end: 2027-01-31, 7d, 12h' },
      { flags: '--edit <field=text>', about: 'with --once: other words for a text that leaves, such as purpose="A book"', many: true },
    ],
    examples: ['parley approve', 'parley approve q_123 --once', 'parley approve q_123 --always --scope "run(git log *)" --until 7d'],
    load: () => import('../commands/approve.ts'),
  },
  {
    path: 'deny',
    needs: 'approve',
    summary: 'deny a tool call that is waiting for a decision',
    detail: 'The agent receives the denial with your note and continues without the call.',
    arguments: [question],
    flags: [{ flags: '--note <text>', about: 'what the agent should do instead; - reads it from stdin' }],
    examples: ['parley deny q_123', 'parley deny q_123 --note "Open a pull request instead."'],
    load: () => import('../commands/deny.ts'),
  },
  {
    path: 'grants list',
    needs: 'grants',
    aliases: ['ls'],
    summary: 'list standing permissions and who granted them',
    flags: [
      { flags: '--agent <name>', about: 'only those of this agent' },
      { flags: '--all', about: 'include those that ended or expired' },
    ],
    examples: ['parley grants list', 'parley grants list --agent ada --all --json'],
    load: () => import('../commands/grants-list.ts'),
  },
  {
    path: 'grants revoke',
    needs: 'grants',
    aliases: ['rm'],
    summary: 'revoke a standing permission; calls it covered ask again',
    arguments: [{ name: 'grant', about: 'id of the grant' }],
    examples: ['parley grants revoke grant_123', 'parley grants revoke grant_123 --json'],
    load: () => import('../commands/grants-revoke.ts'),
  },
  {
    path: 'policy show',
    needs: 'grants',
    summary: 'print the rules, people and preset in force',
    detail: 'Asks the running server. Without one, or with --local, it reads the parley.yaml of this folder.',
    flags: [local],
    examples: ['parley policy show', 'parley policy show --local --json'],
    load: () => import('../commands/policy-show.ts'),
  },
  {
    path: 'policy explain',
    needs: 'grants',
    summary: 'print what the gate would decide about a call, and why',
    detail:
      'Nothing runs. Asks the running server, so that its grants count; without one, or with --local, it reads the parley.yaml of this folder.',
    arguments: [
      { name: 'tool', about: 'run, read, write, net, message or mcp, or the name of a tool' },
      { name: 'text', about: 'the command, path, host, channel:address or server/tool', optional: true },
    ],
    flags: [
      { flags: '--as <role>', about: 'the lowest role whose text the agent has read (owner)', choices: roles },
      { flags: '--agent <name>', about: 'which agent makes the call (the default agent)' },
      { flags: '--input <json>', about: 'input of the tool; @file reads a file, - stdin' },
      { flags: '--dialog <dialog>', about: 'count grants for this dialog as well' },
      local,
    ],
    examples: [
      "parley policy explain run 'git status && curl x' --as guest --agent ada",
      'parley policy explain write src/a.ts --json',
      'parley policy explain mcp github/create_issue --input \'{"repo":"acme/site"}\'',
    ],
    load: () => import('../commands/policy-explain.ts'),
  },
  {
    path: 'policy test',
    needs: 'grants',
    summary: 'check the examples of all rules in parley.yaml',
    detail:
      'Exits 1 when an example fails, when the policy has a mistake, and when it has rules but no example at all, because then nothing was tested.',
    examples: ['parley policy test', 'parley policy test --json'],
    load: () => import('../commands/policy-test.ts'),
  },
]
