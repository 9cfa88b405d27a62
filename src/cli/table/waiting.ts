import type { CommandRow } from '../command-row.ts'

const question = { name: 'question', about: 'id of the question ("last" is the newest open one)' }
const reason = { flags: '--reason <text>', about: 'why; the agent reads it' }

export const waitingRows: readonly CommandRow[] = [
  {
    path: 'inbox list',
    needs: 'read.own',
    aliases: ['ls'],
    isDefault: true,
    summary: 'list what is waiting for you',
    detail: 'The same as parley inbox.',
    examples: ['parley inbox list', 'parley inbox list --json | jq .count'],
    load: () => import('../commands/inbox-list.ts'),
  },
  {
    path: 'inbox watch',
    needs: 'read.own',
    summary: 'print each new item that is waiting for you',
    detail: 'Starts with the open items. Survives a restart of the server. Ends with Ctrl+C.',
    examples: ['parley inbox watch', 'parley inbox watch --json | jq -r .question.id'],
    lines: true,
    load: () => import('../commands/inbox-watch.ts'),
  },
  {
    path: 'inbox dismiss',
    needs: 'send',
    summary: 'dismiss an unclaimed message or a stuck delivery',
    detail: 'A question is answered or declined instead; a request is accepted, declined or blocked.',
    arguments: [{ name: 'id', about: 'its id in the inbox' }],
    examples: ['parley inbox dismiss telegram/123', 'parley inbox dismiss dlv_123 --json'],
    load: () => import('../commands/inbox-dismiss.ts'),
  },
  {
    path: 'answer',
    needs: 'answer',
    summary: 'answer a question an agent asked',
    detail:
      'Without a flag it asks you here, part by part. The first answer counts; a later one is refused with the name of the person who answered.',
    arguments: [question],
    flags: [
      { flags: '--choice <value>', about: 'the value of one of the choices' },
      { flags: '--text <text>', about: 'a typed answer: text, a number, a date, or options such as 1, 3; - reads it from stdin' },
      { flags: '--set <id=value>', about: 'answer to one part; repeat for each part', many: true },
      { flags: '--file <file>', about: 'a JSON object with one answer for each part; - is stdin' },
      { flags: '--decline [reason]', about: 'decline to answer' },
    ],
    examples: ['parley answer last --choice middle', 'parley answer last --set budget=middle --set region=Europe'],
    load: () => import('../commands/answer.ts'),
  },
  {
    path: 'decline',
    needs: 'answer',
    summary: 'decline to answer a question',
    detail: 'The agent is told that you declined, with your reason, and continues without an answer.',
    arguments: [question],
    flags: [reason],
    examples: ['parley decline last', 'parley decline q_123 --reason "Ask me next week."'],
    load: () => import('../commands/decline.ts'),
  },
  {
    path: 'withdraw',
    needs: 'write.all',
    summary: 'withdraw a question that is no longer needed',
    detail: 'The agent continues without an answer.',
    arguments: [question],
    flags: [reason],
    examples: ['parley withdraw last', 'parley withdraw q_123 --reason "We have decided." --json'],
    load: () => import('../commands/withdraw.ts'),
  },
]
