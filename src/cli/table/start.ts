import type { CommandRow } from '../command-row.ts'

export const startRows: readonly CommandRow[] = [
  {
    path: 'demo',
    needs: 'local',
    summary: 'start with a scripted agent: no key, no account',
    detail:
      'Runs a server in this folder with the demo agent and prints a one-time sign-in link. Takes the next free port if its own is in use.',
    flags: [
      { flags: '--port <number>', about: 'port to start looking from (4700)', number: true, most: 65_535 },
      { flags: '--fast', about: 'the agent answers without pauses' },
      { flags: '--build', about: 'open the builds page instead of the chat: seven steps in about a minute' },
      { flags: '--worlds', about: 'instead of a server: two households meet in a world, in about a minute' },
      { flags: '--no-open', about: 'do not open the browser' },
      { flags: '--data <folder>', about: 'data folder (./.parley)' },
    ],
    examples: ['parley demo', 'parley demo --build', 'parley demo --worlds', 'parley demo --port 0 --no-open --fast'],
    load: () => import('../commands/demo.ts'),
  },
  {
    path: 'init',
    needs: 'local',
    summary: 'create parley.yaml and an agent of your own to start from',
    detail: 'Writes parley.yaml, agent.ts and .env.example. Files that exist are left as they are.',
    arguments: [{ name: 'folder', about: 'folder to create them in (this folder)', optional: true }],
    examples: ['parley init', 'parley init my-team'],
    load: () => import('../commands/init.ts'),
  },
  {
    path: 'open',
    needs: 'read.own',
    summary: 'open the page in the browser, signed in',
    detail: 'Without a browser it prints the one-time link.',
    arguments: [{ name: 'dialog', about: 'dialog to open ("last" is the newest)', optional: true }],
    examples: ['parley open', 'parley open last'],
    load: () => import('../commands/open.ts'),
  },
  {
    path: 'serve',
    needs: 'local',
    summary: 'run the server',
    detail: 'Runs until Ctrl+C, which lets running work finish; a second Ctrl+C stops it at once.',
    flags: [
      { flags: '--host <address>', about: 'address to listen on (127.0.0.1)' },
      { flags: '--port <number>', about: 'port to listen on (4700); 0 uses any free port', number: true, most: 65_535 },
      { flags: '--config <file>', about: 'the parley.yaml to use (./parley.yaml)' },
      { flags: '--data <folder>', about: 'data folder (./.parley)' },
      { flags: '--only <part>', about: 'web takes requests, worker runs agents and chats; both unless set', choices: ['web', 'worker'] },
      { flags: '--moved', about: 'start although the data was copied to another store' },
      { flags: '--fast', about: 'the scripted demo agent answers without pauses' },
    ],
    examples: ['parley serve', 'parley serve --port 8080 --config ./team/parley.yaml', 'parley serve --only worker'],
    load: () => import('../commands/serve.ts'),
  },
  {
    path: 'chat',
    needs: 'write.own',
    summary: 'talk to an agent in the terminal',
    detail:
      'Commands while chatting: /stop /continue /dialogs /inbox /open /file /help /quit. Ctrl+C stops the agent, a second Ctrl+C leaves.\n' +
      'Without a terminal each line of stdin is sent, and each reply printed: echo hi | parley chat. It ends with 5 when the agent asks a question and with 6 when a tool call is waiting for approval.',
    arguments: [{ name: 'agent', about: 'agent to talk to (the default agent)', optional: true }],
    flags: [
      { flags: '--to <dialog>', about: 'continue this dialog ("last" is the newest)' },
      { flags: '--model <name>', about: 'one of the models of the agent, from the next reply on' },
      { flags: '--taskdoc <path>', about: 'task document of a new dialog, such as plan.tsk (parley taskdocs list)' },
      { flags: '--wait', about: 'never prompt: exit when a person is needed, as without a terminal' },
    ],
    examples: ['parley chat', 'parley chat --to last', 'echo "What can you do?" | parley chat'],
    lines: true,
    load: () => import('../commands/chat.ts'),
  },
  {
    path: 'send',
    needs: 'write.own',
    summary: 'send one message to an agent',
    detail:
      'With --wait the reply is printed. If the agent asks a person something, the question is printed and the exit code is 5; if a tool call is waiting for approval, the call and the commands that decide are printed and the exit code is 6.',
    arguments: [{ name: 'text', about: 'the message; - reads it from stdin' }],
    flags: [
      { flags: '--to <dialog>', about: 'send it to this dialog ("last" is the newest); otherwise a new one is opened' },
      { flags: '--agent <name>', about: 'agent of a new dialog (the default agent)' },
      { flags: '--taskdoc <path>', about: 'task document of a new dialog, such as plan.tsk (parley taskdocs list)' },
      { flags: '--file <path>', about: 'a picture or another file that goes with it', many: true },
      { flags: '--wait', about: 'wait for the reply' },
      { flags: '--timeout <seconds>', about: 'how long to wait (600)', number: true },
    ],
    examples: [
      'parley send "Build me a reading list" --wait',
      'git diff | parley send - --to last --wait --timeout 120',
      'parley send "What is in this picture?" --file photo.png --wait',
    ],
    load: () => import('../commands/send.ts'),
  },
]
