import type { CommandRow } from '../command-row.ts'

const account = { flags: '--channel <name>', about: 'which chat app; may be left out when only one is connected' }

export const channelRows: readonly CommandRow[] = [
  {
    path: 'channels list',
    aliases: ['ls'],
    summary: 'list the chat apps that are connected, and what is wrong with them',
    detail: 'Without a server, it lists what parley.yaml says.',
    examples: ['parley channels list', 'parley channels list --json'],
    load: () => import('../commands/channels-list.ts'),
  },
  {
    path: 'channels add',
    summary: 'connect a chat app: check its token and write it down',
    detail:
      'Asks for the token without showing it, unless TELEGRAM_BOT_TOKEN or TELEGRAM_TOKEN is set. The token is kept beside your data, readable only by you; parley.yaml names it as a variable.\n' +
      'The token itself never goes on the command line.',
    arguments: [{ name: 'platform', about: 'which one', choices: ['telegram'] }],
    flags: [
      { flags: '--name <name>', about: 'its name in parley.yaml (telegram)' },
      { flags: '--token-env <NAME>', about: 'keep no token; the server reads it from this variable, which must be set there too' },
      { flags: '--token-file <file>', about: 'file that holds the token; - is stdin' },
      { flags: '--api-root <address>', about: "a Bot API server of your own instead of Telegram's" },
      { flags: '--test-target <chat>', about: 'send a test message to this chat' },
      { flags: '--no-check', about: 'do not ask Telegram whose token it is' },
    ],
    examples: ['parley channels add telegram', 'parley channels add telegram --token-env TELEGRAM_BOT_TOKEN --test-target 42 --json'],
    load: () => import('../commands/channels-add.ts'),
  },
  {
    path: 'channels test',
    summary: 'ask the platform who we are, and send a test message if you like',
    arguments: [{ name: 'name', about: 'its name in parley.yaml; may be left out when there is only one', optional: true }],
    flags: [{ flags: '-t, --target <where>', about: 'send a short message to this chat' }],
    examples: ['parley channels test telegram', 'parley channels test telegram -t 42 --json'],
    load: () => import('../commands/channels-test.ts'),
  },
  {
    path: 'channels remove',
    aliases: ['rm'],
    summary: 'take a chat app out of parley.yaml, and forget its token',
    arguments: [{ name: 'name', about: 'its name in parley.yaml' }],
    examples: ['parley channels remove telegram', 'parley channels remove telegram --json'],
    load: () => import('../commands/channels-remove.ts'),
  },
  {
    path: 'requests list',
    aliases: ['ls'],
    summary: 'list who asks to be let in',
    flags: [
      {
        flags: '--state <state>',
        about: 'those in another state',
        choices: ['requested', 'accepted', 'bound', 'declined', 'expired', 'blocked'],
      },
      { flags: '--all', about: 'everybody who ever wrote' },
    ],
    examples: ['parley requests list', 'parley requests list --state blocked --json'],
    load: () => import('../commands/requests-list.ts'),
  },
  {
    path: 'requests accept',
    summary: 'let somebody in by the code they were shown',
    arguments: [{ name: 'code', about: 'the code they tell you' }],
    flags: [{ flags: '--dialog <dialog>', about: 'into this dialog ("last" is the newest) instead of a new one' }],
    examples: ['parley requests accept 123456', 'parley requests accept 123456 --dialog last'],
    load: () => import('../commands/requests-accept.ts'),
  },
  {
    path: 'requests decline',
    summary: 'do not let somebody in this time',
    arguments: [{ name: 'code', about: 'the code of the request' }],
    examples: ['parley requests decline 123456', 'parley requests decline 123456 --json'],
    load: () => import('../commands/requests-decline.ts'),
  },
  {
    path: 'requests block',
    summary: 'hear nothing more from somebody',
    arguments: [{ name: 'who', about: 'the code of their request, or a place such as telegram:42' }],
    flags: [account],
    examples: ['parley requests block telegram:42', 'parley requests block 123456 --json'],
    load: () => import('../commands/requests-block.ts'),
  },
  {
    path: 'requests unblock',
    summary: 'hear somebody again: they may ask to be let in',
    arguments: [{ name: 'who', about: 'a place such as telegram:42' }],
    flags: [account],
    examples: ['parley requests unblock telegram:42', 'parley requests unblock 42 --channel telegram'],
    load: () => import('../commands/requests-unblock.ts'),
  },
]
