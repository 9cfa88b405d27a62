import type { CommandRow } from '../command-row.ts'

const name = { name: 'name', about: 'its name in parley.yaml' }

export const pluginRows: readonly CommandRow[] = [
  {
    path: 'plugins list',
    aliases: ['ls'],
    summary: 'list the plugins in parley.yaml and those that come with Parley',
    detail: 'One that cannot be used is left out by the server, and named here with the reason.',
    examples: ['parley plugins list', 'parley plugins list --json'],
    load: () => import('../commands/plugins-list.ts'),
  },
  {
    path: 'plugins new',
    summary: 'begin a plugin of your own: a small one that works, with a test',
    arguments: [{ name: 'folder', about: 'where to put it; must not exist or be empty' }],
    flags: [{ flags: '--name <name>', about: 'what it is called (the name of the folder)' }],
    examples: ['parley plugins new ./plugins/word-count', 'parley plugins new ./mine --name word-count --json'],
    load: () => import('../commands/plugins-new.ts'),
  },
  {
    path: 'plugins check',
    summary: 'load a plugin in a process of its own and say what it offers or what is wrong',
    detail: 'Nothing is installed, stored or sent. Without one, all in parley.yaml are looked at. Exits 1 when something is wrong.',
    arguments: [{ name: 'plugin', about: 'a folder, a file, or a name in parley.yaml', optional: true }],
    examples: ['parley plugins check ./plugins/word-count', 'parley plugins check reply-end-controls --json'],
    load: () => import('../commands/plugins-check.ts'),
  },
  {
    path: 'plugins install',
    aliases: ['add'],
    summary: 'install a plugin and write it into parley.yaml; comments stay',
    detail:
      'A path is used where it is. A package is fetched with npm into the data folder; its install scripts are not run.\n' +
      'The name of one that comes with Parley switches it on.',
    arguments: [{ name: 'from', about: 'a folder or file (./…), a package of npm, a .tgz, or a name' }],
    examples: [
      'parley plugins install reply-end-controls',
      'parley plugins install ./plugins/word-count',
      'parley plugins install @me/word-count@1.2.0 --json',
    ],
    load: () => import('../commands/plugins-install.ts'),
  },
  {
    path: 'plugins update',
    summary: 'bring a plugin up to date and show where its settings differ from yours',
    detail: 'Only its code and its install record are changed. parley.yaml is never written.',
    arguments: [name, { name: 'from', about: 'another version or place (the newest from where it came)', optional: true }],
    flags: [{ flags: '--dry-run', about: 'show what would be different and change nothing' }],
    examples: ['parley plugins update word-count', 'parley plugins update word-count @me/word-count@2.0.0 --dry-run --json'],
    load: () => import('../commands/plugins-update.ts'),
  },
  {
    path: 'plugins remove',
    aliases: ['rm'],
    summary: 'disable a plugin, or remove it with or without its settings',
    detail: 'Asks which, unless a flag says it. Files in a folder of your own are left alone.',
    arguments: [name],
    flags: [
      { flags: '--disable', about: 'leave everything, do not load it' },
      { flags: '--keep-config', about: 'remove it, keep its settings in parley.yaml' },
      { flags: '--all', about: 'remove it and its settings' },
    ],
    examples: ['parley plugins remove word-count', 'parley plugins remove word-count --all --json'],
    load: () => import('../commands/plugins-remove.ts'),
  },
]
