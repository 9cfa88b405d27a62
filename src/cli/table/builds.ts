import type { CommandRow } from '../command-row.ts'

const build = { name: 'build', about: 'id of the build ("last" is the newest)' }

export const buildRows: readonly CommandRow[] = [
  {
    path: 'builds start',
    needs: 'write.own',
    summary: 'start a build and follow it',
    detail:
      'Shows each step as it starts and asks you the questions of the agent. Ctrl+C leaves; the build continues. Without a terminal it ends with exit code 5 at the first question and prints how to answer.',
    arguments: [{ name: 'prompt', about: 'what to build; - reads it from stdin' }],
    flags: [
      { flags: '--agent <name>', about: 'agent that builds (the default agent)' },
      { flags: '--language <language>', about: 'language of the steps (yours)', choices: ['en', 'zh'] },
      { flags: '--detach', about: 'start it and do not wait' },
    ],
    examples: ['parley builds start "Build me a reading-list agent"', 'parley builds start - --detach --json < request.txt'],
    lines: true,
    load: () => import('../commands/builds-start.ts'),
  },
  {
    path: 'builds list',
    needs: 'read.own',
    aliases: ['ls'],
    summary: 'list builds, newest first',
    flags: [
      {
        flags: '--status <status>',
        about: 'only those in this state',
        choices: ['starting', 'running', 'waiting', 'complete', 'failed', 'cancelled'],
      },
      { flags: '--limit <number>', about: 'how many (20)', number: true },
      { flags: '--after <cursor>', about: 'continue after an earlier page' },
    ],
    examples: ['parley builds list', 'parley builds list --status waiting --json'],
    load: () => import('../commands/builds-list.ts'),
  },
  {
    path: 'builds show',
    needs: 'read.own',
    summary: 'read the events of a build',
    detail:
      '--all shows every event with its number: also the turns of the agent, rules it broke, and texts that were changed or suppressed.',
    arguments: [build],
    flags: [
      { flags: '--all', about: 'every event, for operators of the server' },
      { flags: '--follow', about: 'follow the build, and answer its questions here' },
    ],
    examples: ['parley builds show last', 'parley builds show last --all --json | jq .type'],
    lines: true,
    load: () => import('../commands/builds-show.ts'),
  },
  {
    path: 'builds answer',
    needs: 'answer',
    summary: 'answer a question of a build',
    detail: 'At a terminal, without a flag, the question is asked here. A choice is given by its id or its label.',
    arguments: [build],
    flags: [
      { flags: '--text <answer>', about: 'the answer to one question' },
      { flags: '--choice <answer>', about: 'the same, as in parley answer' },
      { flags: '--set <id=answer>', about: 'the answer to one question of a set; repeat for each', many: true },
    ],
    examples: ['parley builds answer last --text Europe', 'parley builds answer last --set q-name=Nori --set q-size=s'],
    load: () => import('../commands/builds-answer.ts'),
  },
  {
    path: 'builds say',
    needs: 'write.own',
    summary: 'add a message to a running build',
    detail: 'The agent receives it when it next starts a turn. Finished steps are not repeated.',
    arguments: [build, { name: 'text', about: 'the text; - reads it from stdin' }],
    examples: ['parley builds say last "Use our brand colours"', 'cat notes.txt | parley builds say last - --json'],
    load: () => import('../commands/builds-say.ts'),
  },
  {
    path: 'builds cancel',
    needs: 'write.own',
    summary: 'stop a build permanently',
    arguments: [build],
    examples: ['parley builds cancel last', 'parley builds cancel 0197f3a0-1c5e-7b2a-9d41-6f0c8e2b7a53 --json'],
    load: () => import('../commands/builds-cancel.ts'),
  },
  {
    path: 'builds retry',
    needs: 'write.own',
    summary: 'retry a build that failed or was cancelled',
    detail:
      'A new round of the same session: the agent starts again with the same request and everything you added, and your answers are kept. Shows each step as it starts, like builds start.',
    arguments: [build],
    flags: [{ flags: '--detach', about: 'retry it and do not wait' }],
    examples: ['parley builds retry last', 'parley builds retry 0197f3a0-1c5e-7b2a-9d41-6f0c8e2b7a53 --detach --json'],
    lines: true,
    load: () => import('../commands/builds-retry.ts'),
  },
  {
    path: 'builds token',
    needs: 'write.own',
    summary: 'create a token for one build, to show it in another page',
    detail:
      'The token sees this build and nothing else. It ends after 15 minutes and cannot renew itself: create another one. It also ends when you lose access.',
    arguments: [build],
    flags: [
      { flags: '--name <name>', about: 'shown beside what its holder says (your own name)' },
      { flags: '--role <role>', about: 'guest: what its holder writes is trusted less (member)', choices: ['member', 'guest'] },
      { flags: '--list', about: 'list the tokens of the build instead' },
      { flags: '--revoke', about: 'revoke all tokens of the build instead' },
    ],
    examples: ['parley builds token last', 'parley builds token last --revoke --json'],
    load: () => import('../commands/builds-token.ts'),
  },
  {
    path: 'builds check',
    needs: 'local',
    summary: 'check the events of a build against the protocol',
    detail:
      'The file holds one event on each line, as an agent or a server sends them; - reads it from stdin. Each finding names its line and the rule, T1 to T14, also for what an agent sent and the server dropped (builds show --all). Without session.started it is read as the output of an agent alone. Exits 1 when a rule is broken; warnings alone exit 0. No server is needed.',
    arguments: [{ name: 'file', about: 'a file of events, or - for stdin' }],
    examples: ['parley builds check events.jsonl', 'parley builds show last --all --json | parley builds check -'],
    load: () => import('../commands/builds-check.ts'),
  },
]
