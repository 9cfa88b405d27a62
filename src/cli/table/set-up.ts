import type { CommandRow } from '../command-row.ts'

export const setUpRows: readonly CommandRow[] = [
  {
    path: 'model list',
    aliases: ['ls'],
    summary: 'list the models in parley.yaml and those found on this machine',
    examples: ['parley model list', 'parley model list --json'],
    load: () => import('../commands/model-list.ts'),
  },
  {
    path: 'model set',
    summary: 'choose the model your agents think with',
    detail:
      'Without a provider it asks. A key is never a flag: it is read from the environment (--key-env), from a file (--key-file), or asked for hidden.\n' +
      'A key that was typed or read from a file is kept in the secrets file of the data folder (mode 0600); parley.yaml only holds ${NAME}.',
    arguments: [{ name: 'provider', about: 'what kind of model', optional: true, choices: ['openai-compatible', 'ollama', 'anthropic'] }],
    flags: [
      { flags: '--model <name>', about: 'name of the model, as its provider calls it' },
      { flags: '--base-url <address>', about: 'address of an OpenAI-compatible server, with its /v1' },
      { flags: '--name <name>', about: 'what this model is called in parley.yaml (main)' },
      { flags: '--key-env <variable>', about: 'environment variable that holds the key' },
      { flags: '--key-file <file>', about: 'file that holds the key; - is stdin' },
    ],
    examples: [
      'parley model set',
      'parley model set openai-compatible --base-url http://127.0.0.1:1234/v1 --model qwen3',
      'parley model set anthropic --model claude-sonnet-4-5 --key-env ANTHROPIC_API_KEY',
    ],
    load: () => import('../commands/model-set.ts'),
  },
  {
    path: 'model test',
    summary: 'try a model: does it answer, stream, use tools, ask questions?',
    detail: 'Exits 1 when one of these does not work.',
    arguments: [{ name: 'name', about: 'which one of parley.yaml (the one the default agent uses)', optional: true }],
    examples: ['parley model test', 'parley model test main --json'],
    load: () => import('../commands/model-test.ts'),
  },
  {
    path: 'token create',
    aliases: ['new'],
    summary: 'make a token for a program',
    detail:
      'The token is shown this once.\n' +
      'The role bounds everything: member sees and changes what the token itself opened, operator all dialogs and builds, owner everything.\n' +
      'read sees dialogs and builds, chat speaks in them and stops them, answer answers questions, approve decides about tool calls, send writes to chat apps, pair decides who may write from there, admin includes all of these and manages tokens, sessions and files of this machine.',
    arguments: [{ name: 'name', about: 'what it is for', optional: true }],
    flags: [
      {
        flags: '--scope <scope>',
        about: 'what it may do, once for each (read, chat, answer)',
        choices: ['read', 'chat', 'answer', 'approve', 'send', 'pair', 'admin'],
        many: true,
      },
      { flags: '--role <role>', about: 'whose rights bound its scopes (member)', choices: ['owner', 'operator', 'member'] },
      { flags: '--dialog <id>', about: 'only this dialog and those below it' },
      { flags: '--build <id>', about: 'only this build' },
    ],
    examples: [
      'parley token create ci --role operator --scope read --scope chat',
      'PARLEY_TOKEN=$(parley token create widget --dialog dlg_123) parley dialogs show dlg_123',
    ],
    load: () => import('../commands/token-create.ts'),
  },
  {
    path: 'token list',
    aliases: ['ls'],
    summary: 'list tokens, never their secret',
    examples: ['parley token list', 'parley token list --json'],
    load: () => import('../commands/token-list.ts'),
  },
  {
    path: 'token revoke',
    aliases: ['rm'],
    summary: 'make a token worthless at once',
    arguments: [{ name: 'token', about: 'id of the token' }],
    examples: ['parley token revoke tok_123', 'parley token revoke tok_123 --json'],
    load: () => import('../commands/token-revoke.ts'),
  },
  {
    path: 'link',
    summary: 'make a new one-time sign-in link',
    arguments: [{ name: 'path', about: 'page it leads to (/)', optional: true }],
    flags: [
      { flags: '--for <person>', about: 'who signs in with it: a name under people in parley.yaml (the owner)' },
      { flags: '--open', about: 'open it in the browser as well' },
    ],
    examples: ['parley link', 'parley link /o --open', 'parley link --for mia'],
    load: () => import('../commands/link.ts'),
  },
  {
    path: 'sessions list',
    aliases: ['ls'],
    summary: 'list the browsers that are signed in',
    flags: [{ flags: '--all', about: 'those that were revoked or expired in the last 30 days as well' }],
    examples: ['parley sessions list', 'parley sessions list --all --json'],
    load: () => import('../commands/sessions-list.ts'),
  },
  {
    path: 'sessions revoke',
    aliases: ['rm'],
    summary: 'sign a browser out, or all of them; what they have open ends at once',
    arguments: [{ name: 'session', about: 'id of the session', optional: true }],
    flags: [{ flags: '--all', about: 'sign every browser out' }],
    examples: ['parley sessions revoke ses_123', 'parley sessions revoke --all --json'],
    load: () => import('../commands/sessions-revoke.ts'),
  },
  {
    path: 'config get',
    summary: 'print parley.yaml, or one part of it',
    arguments: [{ name: 'path', about: 'which part, such as models.main.model', optional: true }],
    examples: ['parley config get', 'parley config get team --json'],
    load: () => import('../commands/config-get.ts'),
  },
  {
    path: 'config set',
    summary: 'change one value in parley.yaml; comments stay',
    arguments: [
      { name: 'path', about: 'which part, such as server.port' },
      { name: 'value', about: 'the new value, as YAML' },
    ],
    examples: ['parley config set server.port 4800', 'parley config set limits.concurrentTurns 16 --json'],
    load: () => import('../commands/config-set.ts'),
  },
  {
    path: 'config where',
    summary: 'say which files and folders are used here',
    examples: ['parley config where', 'parley config where --json | jq -r .data'],
    load: () => import('../commands/config-where.ts'),
  },
  {
    path: 'config schema',
    summary: 'print the JSON Schema of parley.yaml',
    examples: ['parley config schema > parley.schema.json', 'parley config schema --json | jq .properties'],
    load: () => import('../commands/config-schema.ts'),
  },
]
