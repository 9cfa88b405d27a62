import type { CommandRow } from '../command-row.ts'

export const waitingRows: readonly CommandRow[] = [
  {
    path: 'inbox list',
    aliases: ['ls'],
    summary: 'list what waits for you',
    examples: ['parley inbox list', 'parley inbox list --json | jq .count'],
    load: () => import('../commands/inbox-list.ts'),
  },
  {
    path: 'inbox watch',
    summary: 'print each new thing that waits for you, as it comes',
    detail: 'Starts with what waits already. Survives a restart of the server. Ends with Ctrl+C.',
    examples: ['parley inbox watch', 'parley inbox watch --json | jq -r .question.id'],
    lines: true,
    load: () => import('../commands/inbox-watch.ts'),
  },
  {
    path: 'inbox dismiss',
    summary: 'let be what nobody took, or a message that got stuck',
    detail: 'A question is not dismissed but answered or declined; somebody at the door is accepted, declined or blocked.',
    arguments: [{ name: 'id', about: 'as the inbox names it' }],
    examples: ['parley inbox dismiss telegram/123', 'parley inbox dismiss dlv_123 --json'],
    load: () => import('../commands/inbox-dismiss.ts'),
  },
  {
    path: 'answer',
    summary: 'answer a question an agent asked',
    detail: 'Without a flag it asks you here, part by part. The first answer wins; a later one is told who was first.',
    arguments: [{ name: 'question', about: 'id of the question ("last" is the newest open one)' }],
    flags: [
      { flags: '--choice <value>', about: 'the value of one of the choices' },
      { flags: '--text <text>', about: 'an answer in words; - reads it from stdin' },
      { flags: '--set <id=value>', about: 'answer of one part, once for each part', many: true },
      { flags: '--file <file>', about: 'a JSON object with one answer for each part; - is stdin' },
      { flags: '--decline [reason]', about: 'say that you will not answer' },
    ],
    examples: ['parley answer last --choice middle', 'parley answer last --set budget=middle --set region=Europe'],
    load: () => import('../commands/answer.ts'),
  },
]
