import type { CommandRow, Flag } from '../command-row.ts'

const place: readonly Flag[] = [
  { flags: '-t, --target <where>', about: 'a chat, such as 42, user:42, channel:-1001, -1001:topic:7 or telegram:42' },
  { flags: '--channel <name>', about: 'which chat app; optional when only one is connected' },
  { flags: '--account <name>', about: 'its name in parley.yaml, where there are several of one kind' },
  { flags: '--thread-id <number>', about: 'a topic of the chat; the same as :topic: in the target' },
]

const which: Flag = { flags: '--message-id <id>', about: "the platform's own id of the message" }

const words: readonly Flag[] = [
  { flags: '--message <text>', about: 'the text, in Markdown; - reads it from stdin' },
  { flags: '--presentation <json>', about: 'title, tone and blocks, or a whole message, as JSON; @file.json reads a file, - stdin' },
]

/** Parts of a new message besides its words. */
const more: readonly Flag[] = [
  { flags: '--media <address>', about: 'a picture or file, by its http(s) address, or a file of the project: file:picture.png' },
  { flags: '--delivery <json>', about: 'what to do after it was sent, such as {"pin":{"enabled":true,"notify":true}}' },
  { flags: '--pin', about: 'pin it; short for --delivery \'{"pin":true}\'' },
]

const silent: Flag = { flags: '--silent', about: 'without a notification sound' }
const wait: Flag = { flags: '--wait <seconds>', about: 'how long to wait for the outcome (5)', number: true }

export const messageRows: readonly CommandRow[] = [
  {
    path: 'message send',
    needs: 'send',
    summary: 'send a message to a chat app',
    detail:
      'Needs a target and one of --message, --media and --presentation. It is stored before it is sent. Exits 1 unless it was sent or is still being sent.\n' +
      'Parts that the chat app cannot show are listed: what, from, to, why.',
    flags: [
      ...place,
      ...words,
      ...more,
      { flags: '--reply-to <id>', about: 'reply to this message' },
      silent,
      { flags: '--dry-run', about: 'send nothing; show the requests and what would be lost' },
      wait,
    ],
    examples: [
      'parley message send -t telegram:42 --message "The build is green"',
      'parley message send -t -1001:topic:7 --presentation @approval.json --pin --dry-run',
    ],
    load: () => import('../commands/message-send.ts'),
  },
  {
    path: 'message broadcast',
    needs: 'send',
    summary: 'send one message to several chats',
    detail: 'Every chat gets a delivery of its own. Exits 1 unless each was sent or is still being sent; the others arrive all the same.',
    flags: [
      { flags: '-t, --target <where>', about: 'a chat, as message send takes it; once for each', many: true },
      ...place.slice(1, 3),
      ...words,
      ...more,
      silent,
      wait,
    ],
    examples: [
      'parley message broadcast -t telegram:42 -t slack:C024BE91L --message "The release is out"',
      'parley message broadcast -t 42 -t -1001:topic:7 --channel telegram --presentation @release.json --pin',
    ],
    load: () => import('../commands/message-broadcast.ts'),
  },
  {
    path: 'message poll',
    needs: 'send',
    summary: 'send a poll to a chat app that has polls: Telegram or Discord',
    detail: 'Votes stay in the chat app. For an answer that an agent reads, let it ask a question.',
    flags: [
      ...place,
      { flags: '--poll-question <text>', about: 'the question' },
      { flags: '--poll-option <text>', about: 'an option; once for each, 2 to 12', many: true },
      { flags: '--poll-multi', about: 'several options may be chosen' },
      { flags: '--poll-anonymous', about: 'nobody sees who voted for what' },
      { flags: '--poll-public', about: 'everybody sees who voted for what' },
      { flags: '--poll-duration-hours <number>', about: 'how long it is open', number: true },
      { flags: '--poll-duration-seconds <number>', about: 'the same in seconds', number: true },
      { flags: '--pin', about: 'pin it' },
      { flags: '--reply-to <id>', about: 'reply to this message' },
      silent,
      wait,
    ],
    examples: [
      'parley message poll -t telegram:-1001 --poll-question "Lunch?" --poll-option Pizza --poll-option Sushi',
      'parley message poll -t discord:1100 --poll-question "When?" --poll-option Mon --poll-option Tue --poll-multi --poll-duration-hours 24',
    ],
    load: () => import('../commands/message-poll.ts'),
  },
  {
    path: 'message read',
    needs: 'read.all',
    summary: 'list messages of a chat, also those of other people',
    detail: 'Asked of the chat app: Slack, Discord, Mattermost and groups of Feishu. Telegram, Teams and LINE show a bot no history.',
    flags: [
      ...place,
      { flags: '--limit <number>', about: 'how many at most (20)', number: true },
      { flags: '--before <id>', about: 'only messages before this one' },
      { flags: '--message-id <id>', about: 'only this message' },
    ],
    examples: ['parley message read -t slack:C024BE91L', 'parley message read -t discord:1100 --limit 50 --json'],
    load: () => import('../commands/message-read.ts'),
  },
  {
    path: 'message reactions',
    needs: 'read.all',
    summary: 'list the reactions to a message and who gave them',
    detail: 'Asked of the chat app: Slack, Discord, Mattermost and Feishu. Telegram, Teams and LINE do not tell a bot.',
    flags: [...place, which],
    examples: [
      'parley message reactions -t slack:C024BE91L --message-id 1700000000.000100',
      'parley message reactions -t discord:1100 --message-id 1200 --json',
    ],
    load: () => import('../commands/message-reactions.ts'),
  },
  {
    path: 'message edit',
    needs: 'send',
    summary: 'change a message that was sent',
    detail: 'By the id of its delivery, or by --target and --message-id.',
    arguments: [{ name: 'delivery', about: 'id of the delivery', optional: true }],
    flags: [...place, which, ...words, wait],
    examples: [
      'parley message edit dlv_123 --message "The build is red again"',
      'parley message edit -t telegram:42 --message-id 7 --message "Fixed"',
    ],
    load: () => import('../commands/message-edit.ts'),
  },
  {
    path: 'message remove',
    needs: 'send',
    aliases: ['rm'],
    formerNames: ['delete'],
    summary: 'delete a message that Parley sent',
    flags: [...place, which],
    examples: ['parley message remove -t telegram:42 --message-id 7', 'parley message remove -t user:42 --message-id 7 --json'],
    load: () => import('../commands/message-remove.ts'),
  },
  {
    path: 'message react',
    needs: 'send',
    summary: 'add a reaction to a message, or remove it',
    flags: [...place, which, { flags: '--emoji <emoji>', about: 'the reaction' }, { flags: '--remove', about: 'remove the reaction' }],
    examples: [
      'parley message react -t telegram:42 --message-id 7 --emoji 👍',
      'parley message react -t telegram:42 --message-id 7 --remove',
    ],
    load: () => import('../commands/message-react.ts'),
  },
  {
    path: 'message pin',
    needs: 'send',
    summary: 'pin a message',
    flags: [...place, which, { flags: '--notify', about: 'notify everyone in the chat' }],
    examples: ['parley message pin -t telegram:-1001 --message-id 7', 'parley message pin -t telegram:-1001 --message-id 7 --notify'],
    load: () => import('../commands/message-pin.ts'),
  },
  {
    path: 'message unpin',
    needs: 'send',
    summary: 'unpin a message',
    flags: [...place, which],
    examples: ['parley message unpin -t telegram:-1001 --message-id 7', 'parley message unpin -t telegram:-1001 --message-id 7 --json'],
    load: () => import('../commands/message-unpin.ts'),
  },
  {
    path: 'message pins',
    needs: 'read.all',
    summary: 'list messages that Parley pinned in a chat',
    flags: [...place, { flags: '--limit <number>', about: 'how many at most (20)', number: true }],
    examples: ['parley message pins -t telegram:-1001', 'parley message pins -t telegram:-1001 --limit 5 --json'],
    load: () => import('../commands/message-pins.ts'),
  },
  {
    path: 'deliveries list',
    needs: 'read.all',
    aliases: ['ls'],
    summary: 'list messages to chat apps and their state',
    flags: [
      {
        flags: '--state <state>',
        about: 'only those in this state',
        choices: ['waiting', 'sent', 'partly-sent', 'unknown', 'failed', 'parked', 'dismissed'],
      },
      { flags: '--search <text>', about: 'only those whose text or address contains this' },
      { flags: '--limit <number>', about: 'how many at most (50)', number: true },
      { flags: '--after <cursor>', about: 'continue after an earlier page' },
    ],
    examples: ['parley deliveries list --state unknown', 'parley deliveries list --limit 5 --json'],
    load: () => import('../commands/deliveries-list.ts'),
  },
  {
    path: 'deliveries show',
    needs: 'read.all',
    summary: 'show one delivery: parts, receipts, losses, what went wrong',
    arguments: [{ name: 'delivery', about: 'id of the delivery' }],
    examples: ['parley deliveries show dlv_123', 'parley deliveries show dlv_123 --json | jq .losses'],
    load: () => import('../commands/deliveries-show.ts'),
  },
  {
    path: 'deliveries retry',
    needs: 'send',
    summary: 'try a stuck delivery again',
    detail:
      'An unconfirmed message may then arrive twice: check the chat first. Of several parts, those without a confirmation are sent again.',
    arguments: [{ name: 'delivery', about: 'id of the delivery' }],
    examples: ['parley deliveries retry dlv_123', 'parley deliveries retry dlv_123 --json'],
    load: () => import('../commands/deliveries-retry.ts'),
  },
  {
    path: 'deliveries confirm',
    needs: 'send',
    summary: 'say that an unconfirmed delivery arrived',
    detail: 'Nothing is sent again.',
    arguments: [{ name: 'delivery', about: 'id of the delivery' }],
    examples: ['parley deliveries confirm dlv_123', 'parley deliveries confirm dlv_123 --json'],
    load: () => import('../commands/deliveries-confirm.ts'),
  },
  {
    path: 'deliveries dismiss',
    needs: 'send',
    summary: 'dismiss a stuck delivery, so that it leaves the inbox',
    detail: 'It is kept and can still be retried.',
    arguments: [{ name: 'delivery', about: 'id of the delivery' }],
    examples: ['parley deliveries dismiss dlv_123', 'parley deliveries dismiss dlv_123 --json'],
    load: () => import('../commands/deliveries-dismiss.ts'),
  },
]
