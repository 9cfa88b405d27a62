import type { Capability } from './capabilities.ts'

/** `local`: the verb works on files of the account that runs it and asks no server. */
type VerbCapability = Capability | 'local'

const verbs: Readonly<Record<VerbCapability, readonly string[]>> = {
  'read.own': [
    'dialogs list',
    'dialogs show',
    'dialogs tail',
    'dialogs tree',
    'events',
    'inbox list',
    'inbox watch',
    'builds list',
    'builds show',
    'preview',
  ],
  'read.all': ['channels list', 'requests list', 'deliveries list', 'deliveries show', 'message pins'],
  'write.own': ['send', 'chat', 'dialogs continue', 'dialogs stop', 'dialogs title', 'builds start', 'builds cancel', 'builds retry'],
  'write.all': ['dialogs dead'],
  answer: ['answer', 'builds answer'],
  approve: ['approve', 'deny'],
  grants: ['grants list', 'grants revoke', 'policy show', 'policy explain', 'policy test'],
  send: [
    'message send',
    'message edit',
    'message delete',
    'message react',
    'message pin',
    'message unpin',
    'deliveries retry',
    'deliveries dismiss',
    'inbox dismiss',
  ],
  pair: ['requests accept', 'requests decline', 'requests block', 'requests unblock'],
  manage: ['token create', 'token list', 'token revoke', 'link', 'channels test', 'dialogs trust', 'sessions list', 'sessions revoke'],
  worlds: [],
  local: [
    'serve',
    'demo',
    'doctor',
    'explain',
    'version',
    'completion',
    'builds check',
    'channels add',
    'channels remove',
    'config get',
    'config set',
    'config schema',
    'config where',
    'model list',
    'store accept',
    'model set',
    'model test',
    'plugins check',
    'plugins install',
    'plugins list',
    'plugins new',
    'plugins remove',
    'plugins update',
  ],
}

const byVerb: ReadonlyMap<string, VerbCapability> = new Map(
  Object.entries(verbs).flatMap(([capability, paths]) => paths.map((path) => [path, capability as VerbCapability] as const)),
)

/** The capability a terminal command needs; null when the table has no row for it. */
export const verbCapability = (path: string): VerbCapability | null => byVerb.get(path) ?? null
