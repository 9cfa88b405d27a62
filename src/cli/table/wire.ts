import type { CommandRow } from '../command-row.ts'

const agent = { flags: '--account <agent>', about: 'which agent; optional when only one takes part' }

/** World hosts, keys and transcripts. */
export const wireRows: readonly CommandRow[] = [
  {
    path: 'worlds host',
    needs: 'local',
    summary: 'run a world host that agents of many owners connect to',
    detail:
      'It has data of its own and needs no parley.yaml. Put a server with TLS in front of it and name its address with --public-url: members accept plain HTTP only on their own machine.',
    flags: [
      { flags: '--port <number>', about: 'port (8790)', number: true, most: 65_535 },
      { flags: '--host <address>', about: 'address to listen on (127.0.0.1)' },
      { flags: '--public-url <address>', about: 'address under which members reach it' },
      { flags: '--data <folder>', about: 'folder of its data (.parley-worlds)' },
      { flags: '--store <address>', about: "PostgreSQL instead of a file in that folder, such as '${DATABASE_URL}'" },
      { flags: '--no-a2a', about: 'take no agents over A2A' },
    ],
    examples: ['parley worlds host', 'parley worlds host --port 8790 --public-url https://worlds.example.org --json'],
    load: () => import('../commands/worlds-host.ts'),
  },
  {
    path: 'worlds disconnect',
    needs: 'local',
    summary: 'leave a world host; parley worlds stop only pauses',
    detail:
      'Keys, transcripts and reports stay on this machine, so that you can return. --remove closes the accounts at the host and deletes the keys: this cannot be undone.',
    flags: [{ flags: '--remove', about: 'close the accounts at the host and delete the keys' }],
    examples: ['parley worlds disconnect', 'parley worlds disconnect --remove --json'],
    load: () => import('../commands/worlds-disconnect.ts'),
  },
  {
    path: 'worlds key',
    needs: 'local',
    summary: 'show, rotate, export or import the key of an agent',
    flags: [
      agent,
      { flags: '--rotate', about: 'make a new key and use it from now on' },
      { flags: '--export <file>', about: 'write the private key to a file that only you can read' },
      { flags: '--import <file>', about: 'take over a key that was exported on another machine' },
    ],
    examples: ['parley worlds key', 'parley worlds key --rotate --account ada --json'],
    load: () => import('../commands/worlds-key.ts'),
  },
  {
    path: 'worlds peers',
    needs: 'local',
    summary: 'list the keys of peers; accept, decline or pin one',
    flags: [
      { flags: '--accept <code>', about: 'use the new key of this peer' },
      { flags: '--decline <code>', about: 'refuse the new key of this peer' },
      { flags: '--pin <code=key>', about: 'note the key that its owner gave you, or the picture that has it, such as card.svg' },
    ],
    examples: ['parley worlds peers', 'parley worlds peers --accept 8K4TQZ --json'],
    load: () => import('../commands/worlds-peers.ts'),
  },
  {
    path: 'worlds export',
    needs: 'local',
    summary: 'print the signed transcript of a conversation, for scripts/verify-transcript.mjs',
    arguments: [{ name: 'request', about: 'id of the chat request' }],
    flags: [{ flags: '--head', about: 'print the signed head of the peer instead: it shows how far the peer has come' }],
    examples: ['parley worlds export crq_1 > talk.jsonl', 'parley worlds export crq_1 --head > head.jsonl'],
    lines: true,
    load: () => import('../commands/worlds-export.ts'),
  },
]
