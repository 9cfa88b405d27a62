import { limitFlags } from './worlds.ts'
import { builtInKinds } from '../../chats/channels/registry.ts'
import type { CommandRow } from '../command-row.ts'

const account = { flags: '--channel <name>', about: 'which chat app; optional when only one is connected' }
const agent = { flags: '--account <agent>', about: 'for a chat request: which of your agents; optional when only one takes part' }

export const channelRows: readonly CommandRow[] = [
  {
    path: 'channels list',
    needs: 'read.all',
    aliases: ['ls'],
    summary: 'list the connected chat apps and their problems',
    detail: 'Without a server, it lists the entries of parley.yaml.',
    examples: ['parley channels list', 'parley channels list --json'],
    load: () => import('../commands/channels-list.ts'),
  },
  {
    path: 'channels add',
    needs: 'local',
    summary: 'connect a chat app: check its token and store it',
    detail:
      'Asks for each token and secret of the platform without showing it, unless its usual environment variable is set. They are stored with your data, readable only by you; parley.yaml refers to them as variables.\n' +
      'Tokens are never passed on the command line.',
    arguments: [{ name: 'platform', about: 'which one', choices: Object.keys(builtInKinds) }],
    flags: [
      { flags: '--name <name>', about: 'its name in parley.yaml; that of the platform unless set' },
      { flags: '--token-env <NAME>', about: 'store no token; the server reads it from this variable, which must be set there too' },
      { flags: '--token-file <file>', about: 'file that holds the token; - is stdin' },
      { flags: '--api-root <address>', about: "a server of your own instead of the platform's" },
      { flags: '--test-target <chat>', about: 'send a test message to this chat' },
      { flags: '--no-check', about: 'do not check the token with the platform' },
    ],
    examples: ['parley channels add telegram', 'parley channels add telegram --token-env TELEGRAM_BOT_TOKEN --test-target 42 --json'],
    load: () => import('../commands/channels-add.ts'),
  },
  {
    path: 'channels test',
    needs: 'manage',
    summary: 'check the account with the platform; with -t, send a test message',
    arguments: [{ name: 'name', about: 'its name in parley.yaml; optional when there is only one', optional: true }],
    flags: [{ flags: '-t, --target <where>', about: 'send a short message to this chat' }],
    examples: ['parley channels test telegram', 'parley channels test telegram -t 42 --json'],
    load: () => import('../commands/channels-test.ts'),
  },
  {
    path: 'channels remove',
    needs: 'local',
    aliases: ['rm'],
    summary: 'remove a chat app from parley.yaml and delete its token',
    arguments: [{ name: 'name', about: 'its name in parley.yaml' }],
    examples: ['parley channels remove telegram', 'parley channels remove telegram --json'],
    load: () => import('../commands/channels-remove.ts'),
  },
  {
    path: 'check-channel',
    needs: 'local',
    summary: 'run the contract of channels on a chat platform of your own',
    detail:
      'The default export of the module has the kind and what the cases need: { kind, settings, thread, messageIds, webhook, validate }.\n' +
      'The cases are those of channelContract in parley-runtime/testing. No platform is called.',
    arguments: [{ name: 'module', about: 'such as ./mine.ts' }],
    examples: ['parley check-channel ./mine.ts', 'parley check-channel ./mine.ts --json'],
    load: () => import('../commands/check-channel.ts'),
  },
  {
    path: 'requests list',
    needs: 'read.all',
    aliases: ['ls'],
    summary: 'list requests of people who want to write, and of agents who want to talk',
    flags: [
      {
        flags: '--state <state>',
        about: 'only requests in this state',
        choices: ['requested', 'accepted', 'bound', 'declined', 'expired', 'blocked'],
      },
      { flags: '--all', about: 'requests in every state' },
    ],
    examples: ['parley requests list', 'parley requests list --state blocked --json'],
    load: () => import('../commands/requests-list.ts'),
  },
  {
    path: 'requests accept',
    needs: 'pair',
    summary: 'accept a request by the code that the sender sees, or a chat request by its id',
    arguments: [{ name: 'code', about: 'the code they give you, or the id of a chat request' }],
    flags: [
      { flags: '--dialog <dialog>', about: 'into this dialog ("last" is the newest) instead of a new one' },
      { flags: '--brief <text>', about: 'for a chat request: what your agent should do' },
      ...limitFlags,
      agent,
    ],
    examples: [
      'parley requests accept 123456',
      'parley requests accept 123456 --dialog last',
      'parley requests accept crq_1 --turns 10 --money 0.2',
    ],
    load: () => import('../commands/requests-accept.ts'),
  },
  {
    path: 'requests decline',
    needs: 'pair',
    summary: 'decline a request; the sender can ask again',
    arguments: [{ name: 'code', about: 'the code of the request, or the id of a chat request' }],
    flags: [agent],
    examples: ['parley requests decline 123456', 'parley requests decline 123456 --json'],
    load: () => import('../commands/requests-decline.ts'),
  },
  {
    path: 'requests block',
    needs: 'pair',
    summary: 'block a sender',
    arguments: [{ name: 'who', about: 'the code of the request, an address such as telegram:42, or the id of a chat request' }],
    flags: [account, agent],
    examples: ['parley requests block telegram:42', 'parley requests block 123456 --json'],
    load: () => import('../commands/requests-block.ts'),
  },
  {
    path: 'requests unblock',
    needs: 'pair',
    summary: 'unblock a sender; they can ask again',
    arguments: [{ name: 'who', about: 'an address such as telegram:42' }],
    flags: [account],
    examples: ['parley requests unblock telegram:42', 'parley requests unblock 42 --channel telegram'],
    load: () => import('../commands/requests-unblock.ts'),
  },
]
