import type { Capability, TokenScope } from '../authority/capabilities.ts'

/** `open` needs no sign-in. */
export type OperationAccess = {
  capability: Capability | 'open'
  /** Opens the route as well; `effects` say which of the two an effect needs. */
  or?: Capability
  /** The same route for what the caller does not own: unfiltered lists, dialogs and builds of others. */
  beyond?: Capability
  /** Effects that need a capability of their own. The handler asks for them by name. */
  effects?: Readonly<Record<string, Capability>>
  /** Open to tokens that are limited to one dialog or build: ids are checked, lists and streams filtered. */
  limited?: true
  /** Tokens of 0.1 may still use the route with this scope. */
  legacyScope?: TokenScope
}

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** Effects that are asked for by name, so that a handler and this table cannot differ. */
export const routeEffects = {
  allEvents: 'include=all',
  file: 'file: media',
  answer: 'answer a question',
  approve: 'decide an approval',
  readBuild: 'read the events of a build',
  writeBuild: 'open, instruct or cancel a build',
  answerBuild: 'answer a build',
} as const

/** Readable in part by every member, and by a token for what it is limited to. */
const own = { beyond: 'read.all', limited: true } as const
const change = { beyond: 'write.all', limited: true } as const
const limited = { limited: true } as const

const group = <const Paths extends Readonly<Record<string, `${Method} ${string}`>>>(
  capability: OperationAccess['capability'],
  paths: Paths,
  more: Omit<OperationAccess, 'capability'> = {},
): { access: OperationAccess; paths: Paths } => ({ access: { capability, ...more }, paths })

/**
 * Every operation of the API with its method, its path and the capability it needs, chosen by its effect and not by the noun in
 * its path. Noun and verb are the same in HTTP, client, library and terminal. The server adds schemas and handlers, the client
 * calls operations by this table, and docs/AUTHORITY.md shows it.
 */
const groups = [
  group('open', {
    'server.health': 'get /healthz',
    'server.ready': 'get /readyz',
  }),
  // The platform proves itself at its webhook.
  group('open', {
    'session.signIn': 'post /v1/session',
    'channels.webhook': 'post /v1/channels/{name}/webhook',
    'session.signOut': 'delete /v1/session',
  }),
  group(
    'read.own',
    {
      'dialogs.list': 'get /v1/dialogs',
      'dialogs.get': 'get /v1/dialogs/{id}',
      'dialogs.export': 'get /v1/dialogs/{id}/export',
      'dialogs.tree': 'get /v1/dialogs/{id}/tree',
      'files.get': 'get /v1/dialogs/{id}/files/{file}',
      'questions.list': 'get /v1/questions',
      'questions.get': 'get /v1/questions/{id}',
      'inbox.list': 'get /v1/inbox',
      'events.read': 'get /v1/events',
      'search.find': 'get /v1/search',
      'builds.list': 'get /v1/builds',
      'builds.get': 'get /v1/builds/{id}',
    },
    own,
  ),
  group(
    'read.own',
    {
      'builds.events': 'get /v1/builds/{id}/events',
    },
    { ...own, effects: { [routeEffects.allEvents]: 'read.all' } },
  ),
  group(
    'read.own',
    {
      'channels.file': 'get /v1/channels/{name}/files/{fileId}',
    },
    { beyond: 'read.all' },
  ),
  group(
    'read.own',
    {
      'server.info': 'get /v1/info',
      'server.openapi': 'get /v1/openapi.json',
    },
    limited,
  ),
  // A browser subscribes itself, so no other capability is needed.
  group('read.own', {
    'notifications.get': 'get /v1/notifications',
    'notifications.subscribe': 'post /v1/notifications',
    'notifications.unsubscribe': 'delete /v1/notifications',
    'notifications.test': 'post /v1/notifications/test',
  }),
  // A task document is shared by dialogs, so tokens that are limited to one of them do not reach it.
  group(
    'read.own',
    {
      'taskdocs.get': 'get /v1/dialogs/{id}/taskdoc',
      'taskdocs.versions': 'get /v1/dialogs/{id}/taskdoc/versions',
      'taskdocs.version': 'get /v1/dialogs/{id}/taskdoc/versions/{version}',
    },
    { beyond: 'read.all' },
  ),
  group('read.own', {
    'messages.preview': 'post /v1/messages/preview',
  }),
  group('read.all', {
    'server.metrics': 'get /metrics',
    'taskdocs.list': 'get /v1/taskdocs',
    'deliveries.list': 'get /v1/deliveries',
    'deliveries.get': 'get /v1/deliveries/{id}',
    'channels.list': 'get /v1/channels',
    'requests.list': 'get /v1/pairings',
    'unclaimed.list': 'get /v1/unclaimed',
    'messages.pins': 'get /v1/messages/pins',
    'messages.read': 'get /v1/messages/read',
    'messages.reactions': 'get /v1/messages/reactions',
  }),
  group('write.own', {
    'dialogs.open': 'post /v1/dialogs',
    'builds.start': 'post /v1/builds',
  }),
  group('write.own', { 'files.add': 'post /v1/files' }, limited),
  group(
    'write.own',
    {
      'dialogs.say': 'post /v1/dialogs/{id}/messages',
      'dialogs.tap': 'post /v1/dialogs/{id}/taps',
      'dialogs.stop': 'post /v1/dialogs/{id}/stop',
      'dialogs.continue': 'post /v1/dialogs/{id}/continue',
      'dialogs.freshStart': 'post /v1/dialogs/{id}/fresh-start',
      'dialogs.pin': 'post /v1/dialogs/{id}/pin',
      'dialogs.archive': 'post /v1/dialogs/{id}/archive',
      'dialogs.chooseModel': 'post /v1/dialogs/{id}/model',
      'dialogs.changePushes': 'post /v1/dialogs/{id}/pushes',
      'controls.tap': 'post /v1/dialogs/{id}/controls',
    },
    change,
  ),
  // Reading the buttons of plugins offers them, and the offer is stored.
  group(
    'write.own',
    {
      'controls.list': 'get /v1/dialogs/{id}/controls',
      'dialogs.title': 'patch /v1/dialogs/{id}',
      'builds.say': 'post /v1/builds/{id}/messages',
      'builds.cancel': 'post /v1/builds/{id}/cancel',
      'builds.retry': 'post /v1/builds/{id}/retry',
    },
    change,
  ),
  group('write.own', { 'taskdocs.change': 'patch /v1/dialogs/{id}/taskdoc' }, { beyond: 'write.all' }),
  // Closed to limited tokens: it opens another dialog.
  group('write.own', { 'dialogs.branch': 'post /v1/dialogs/{id}/branch' }, { beyond: 'write.all' }),
  // Closed to limited tokens, so no token of a build makes or renews another.
  group(
    'write.own',
    {
      'builds.createToken': 'post /v1/builds/{id}/tokens',
      'builds.tokens': 'get /v1/builds/{id}/tokens',
      'builds.revokeTokens': 'delete /v1/builds/{id}/tokens',
    },
    { beyond: 'write.all' },
  ),
  group(
    'write.own',
    {
      'builds.agUi': 'post /agui',
    },
    {
      ...change,
      or: 'read.own',
      effects: {
        [routeEffects.readBuild]: 'read.own',
        [routeEffects.writeBuild]: 'write.own',
        [routeEffects.answerBuild]: 'answer',
      },
    },
  ),
  group('write.all', { 'taskdocs.create': 'post /v1/taskdocs' }),
  group(
    'write.all',
    {
      'dialogs.delete': 'delete /v1/dialogs/{id}',
      'dialogs.giveUp': 'post /v1/dialogs/{id}/give-up',
      'dialogs.stopAll': 'post /v1/stop-all',
      'dialogs.resumeAll': 'post /v1/resume-all',
      'questions.withdraw': 'post /v1/questions/{id}/withdraw',
    },
    limited,
  ),
  group('answer', { 'questions.withdrawAnswer': 'post /v1/questions/{id}/withdraw-answer' }, limited),
  group(
    'answer',
    {
      'questions.answer': 'post /v1/questions/{id}/answer',
      'questions.decline': 'post /v1/questions/{id}/decline',
    },
    {
      ...limited,
      or: 'approve',
      effects: { [routeEffects.answer]: 'answer', [routeEffects.approve]: 'approve' },
    },
  ),
  group(
    'approve',
    {
      'questions.approve': 'post /v1/questions/{id}/approve',
      'questions.deny': 'post /v1/questions/{id}/deny',
    },
    { ...limited, or: 'answer', effects: { [routeEffects.approve]: 'approve' } },
  ),
  group(
    'answer',
    {
      'builds.answer': 'post /v1/builds/{id}/answers',
    },
    limited,
  ),
  group('grants', {
    'grants.list': 'get /v1/grants',
    'policy.show': 'get /v1/policy',
    'grants.revoke': 'delete /v1/grants/{id}',
    'policy.explain': 'post /v1/policy/explain',
  }),
  group(
    'send',
    {
      'messages.send': 'post /v1/messages',
    },
    { effects: { [routeEffects.file]: 'manage' } },
  ),
  group('send', {
    'messages.poll': 'post /v1/messages/poll',
    'messages.edit': 'post /v1/messages/edit',
    'messages.remove': 'post /v1/messages/remove',
    'messages.react': 'post /v1/messages/react',
    'messages.pin': 'post /v1/messages/pin',
    'messages.unpin': 'post /v1/messages/unpin',
    'deliveries.retry': 'post /v1/deliveries/{id}/retry',
    'deliveries.confirm': 'post /v1/deliveries/{id}/confirm',
    'deliveries.dismiss': 'post /v1/deliveries/{id}/dismiss',
  }),
  group(
    'send',
    {
      'unclaimed.dismiss': 'post /v1/unclaimed/dismiss',
    },
    { legacyScope: 'answer' },
  ),
  group('pair', {
    'requests.accept': 'post /v1/pairings/accept',
    'requests.decline': 'post /v1/pairings/decline',
    'requests.block': 'post /v1/pairings/block',
    'requests.unblock': 'post /v1/pairings/unblock',
    'requests.bind': 'post /v1/pairings/bind',
    'requests.unbind': 'post /v1/pairings/unbind',
  }),
  group('worlds', {
    'account.list': 'get /v1/account',
    'account.change': 'patch /v1/account',
    'account.budget': 'post /v1/account/budget',
    'account.standingBrief': 'post /v1/account/standing-brief',
    'account.stop': 'post /v1/account/stop',
    'account.resume': 'post /v1/account/resume',
    'account.consents': 'get /v1/account/consents',
    'account.card': 'get /v1/account/card',
    'account.peers': 'get /v1/account/peers',
    'account.decideKey': 'post /v1/account/peers',
    'worlds.list': 'get /v1/worlds',
    'worlds.create': 'post /v1/worlds',
    'worlds.get': 'get /v1/worlds/{id}',
    'worlds.join': 'post /v1/worlds/{id}/join',
    'worlds.leave': 'post /v1/worlds/{id}/leave',
    'worlds.candidates': 'get /v1/worlds/{id}/candidates',
    'worlds.moderation': 'get /v1/worlds/{id}/moderation',
    'worlds.moderate': 'post /v1/worlds/{id}/moderation',
    'worlds.broadcast': 'post /v1/worlds/{id}/broadcasts',
    'worlds.report': 'post /v1/worlds/{id}/reports',
    'chatRequests.list': 'get /v1/chat-requests',
    'chatRequests.send': 'post /v1/chat-requests',
    'chatRequests.get': 'get /v1/chat-requests/{id}',
    'chatRequests.accept': 'post /v1/chat-requests/{id}/accept',
    'chatRequests.reject': 'post /v1/chat-requests/{id}/reject',
    'chatRequests.withdraw': 'post /v1/chat-requests/{id}/withdraw',
    'chatRequests.block': 'post /v1/chat-requests/{id}/block',
    'chatRequests.report': 'post /v1/chat-requests/{id}/report',
    'conversations.get': 'get /v1/conversations/{id}',
    'conversations.limit': 'post /v1/conversations/{id}/limits',
    'conversations.takeOver': 'post /v1/conversations/{id}/take-over',
    'conversations.handBack': 'post /v1/conversations/{id}/hand-back',
    'conversations.write': 'post /v1/conversations/{id}/turns',
    'conversations.close': 'post /v1/conversations/{id}/close',
    'conversations.export': 'get /v1/conversations/{id}/export',
    'reports.list': 'get /v1/reports',
    'reports.get': 'get /v1/reports/{id}',
    'reports.card': 'get /v1/reports/{id}/card',
  }),
  group('manage', {
    'settings.get': 'get /v1/settings',
    'settings.preview': 'post /v1/settings/preview',
    'settings.change': 'patch /v1/settings',
    'settings.keepSecret': 'post /v1/settings/secrets',
    'settings.testModel': 'post /v1/settings/models/{name}/test',
    'settings.checkChannel': 'post /v1/settings/channels/{name}/check',
  }),
  group('manage', {
    'tokens.list': 'get /v1/tokens',
    'sessions.list': 'get /v1/sessions',
    'tokens.create': 'post /v1/tokens',
    'links.create': 'post /v1/links',
    'channels.test': 'post /v1/channels/{name}/test',
    'tokens.revoke': 'delete /v1/tokens/{id}',
    'sessions.revokeOthers': 'delete /v1/sessions',
    'sessions.revoke': 'delete /v1/sessions/{id}',
    'dialogs.trust': 'post /v1/dialogs/{id}/trust',
  }),
]

type KeyOfEach<Union> = Union extends unknown ? keyof Union : never

export type OperationId = KeyOfEach<(typeof groups)[number]['paths']>

/** Path parameters stand in braces, as in OpenAPI. */
export type OperationRow = OperationAccess & { method: Method; path: string }

export const operations = Object.fromEntries(
  groups.flatMap(({ access, paths }) =>
    Object.entries<string>(paths).map(([id, address]) => {
      const [method = '', path = ''] = address.split(' ')
      return [id, { ...access, method: method as Method, path }]
    }),
  ),
) as Record<OperationId, OperationRow>
