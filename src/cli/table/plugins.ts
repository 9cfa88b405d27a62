import type { CommandRow } from '../command-row.ts'

const name = { name: 'name', about: 'its name in parley.yaml' }

export const pluginRows: readonly CommandRow[] = [
  {
    path: 'plugins list',
    needs: 'local',
    aliases: ['ls'],
    summary: 'list the plugins in parley.yaml and those that come with Parley',
    detail: 'The server skips a plugin that cannot be used; the reason is listed here.',
    examples: ['parley plugins list', 'parley plugins list --json'],
    load: () => import('../commands/plugins-list.ts'),
  },
  {
    path: 'plugins new',
    needs: 'local',
    summary: 'create a small working plugin with a test',
    arguments: [{ name: 'folder', about: 'where to create it; must not exist or be empty' }],
    flags: [{ flags: '--name <name>', about: 'its name (the name of the folder)' }],
    examples: ['parley plugins new ./plugins/word-count', 'parley plugins new ./mine --name word-count --json'],
    load: () => import('../commands/plugins-new.ts'),
  },
  {
    path: 'plugins check',
    needs: 'local',
    summary: 'load a plugin in a separate process and print its hooks or its problem',
    detail: 'Nothing is installed, stored or sent. Without a name, all plugins in parley.yaml are checked. Exits 1 on a problem.',
    arguments: [{ name: 'plugin', about: 'a folder, a file, or a name in parley.yaml', optional: true }],
    examples: ['parley plugins check ./plugins/word-count', 'parley plugins check reply-end-controls --json'],
    load: () => import('../commands/plugins-check.ts'),
  },
  {
    path: 'plugins enable',
    needs: 'local',
    aliases: ['install', 'add'],
    summary: 'enable a plugin in parley.yaml; comments stay',
    detail:
      'npm installs packages: run npm install in the folder of parley.yaml, then enable the package here.\n' +
      'A path is used where it is. A name in parley.yaml, or of a plugin that comes with Parley, is enabled.',
    arguments: [{ name: 'from', about: 'a name, a folder or file (./…), or an installed package' }],
    examples: [
      'parley plugins enable reply-end-controls',
      'parley plugins enable ./plugins/word-count',
      'parley plugins enable @me/word-count --json',
    ],
    load: () => import('../commands/plugins-enable.ts'),
  },
  {
    path: 'plugins disable',
    needs: 'local',
    aliases: ['remove', 'rm'],
    summary: 'disable a plugin, with --all remove it from parley.yaml',
    detail: 'Packages and your own folders are kept. Remove a package with npm uninstall.',
    arguments: [name],
    flags: [
      { flags: '--all', about: 'remove its settings from parley.yaml as well' },
      { flags: '--disable', about: 'keep its settings (the default)' },
      { flags: '--keep-config', about: 'keep its settings (the default)' },
    ],
    examples: ['parley plugins disable word-count', 'parley plugins disable word-count --all --json'],
    load: () => import('../commands/plugins-disable.ts'),
  },
  {
    path: 'plugins diff',
    needs: 'local',
    aliases: ['update'],
    summary: 'after an upgrade with npm, show where the settings of a plugin differ from yours',
    detail: 'parley.yaml is never written.',
    arguments: [name],
    flags: [{ flags: '--dry-run', about: 'do not remember this version as seen' }],
    examples: ['parley plugins diff word-count', 'parley plugins diff word-count --dry-run --json'],
    load: () => import('../commands/plugins-diff.ts'),
  },
]
