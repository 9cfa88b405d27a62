import type { Capability, TokenScope } from './capabilities.ts'

/** One row for each route. `open` needs no sign-in; `later` marks routes that do not exist yet. */
export type RouteRow = {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
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
  later?: true
}

type Method = RouteRow['method']

const row = (capability: RouteRow['capability'], method: Method, paths: readonly string[], more: Partial<RouteRow> = {}): RouteRow[] =>
  paths.map((path) => ({ method, path: path.startsWith('~') ? path.slice(1) : `/v1${path}`, capability, ...more }))

const worldParts = ['worlds', 'account', 'chat-requests', 'conversations', 'reports']
const managedParts = ['budgets']

const later = { later: true } as const

const dialog = '/dialogs/{id}'
const question = '/questions/{id}'
const build = '/builds/{id}'

/** Readable in part by every member, and by a token for what it is limited to. */
const own = { beyond: 'read.all', limited: true } as const
const change = { beyond: 'write.all', limited: true } as const
const limited = { limited: true } as const

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

/**
 * Routes of the API with the capability each needs, chosen by the effect of a request and not by the noun in its path. This
 * table is the only source: routing, the API document and docs/AUTHORITY.md read it, and a route without a row stops the start.
 */
export const routeCapabilities: readonly RouteRow[] = [
  ...row('open', 'get', ['~/healthz', '~/readyz']),
  // The platform proves itself at its webhook.
  ...row('open', 'post', ['/session', '/channels/{name}/webhook']),
  ...row('open', 'delete', ['/session']),

  ...row('read.own', 'get', ['/dialogs', dialog, `${dialog}/tree`, '/questions', question, '/inbox', '/events'], own),
  ...row('read.own', 'get', ['/live', '/builds', build], own),
  ...row('read.own', 'get', [`${build}/events`], { ...own, effects: { [routeEffects.allEvents]: 'read.all' } }),
  ...row('read.own', 'get', ['/channels/{name}/files/{fileId}'], { beyond: 'read.all' }),
  ...row('read.own', 'get', ['/info', '/openapi.json'], limited),
  ...row('read.own', 'post', ['/messages/preview']),
  ...row('read.all', 'get', ['~/metrics', '/deliveries', '/deliveries/{id}', '/channels', '/pairings', '/unclaimed', '/messages/pins']),

  ...row('write.own', 'post', ['/dialogs', '/builds']),
  ...row('write.own', 'post', [`${dialog}/messages`, `${dialog}/stop`, `${dialog}/continue`, `${dialog}/controls`], change),
  // Reading the buttons of plugins offers them, and the offer is stored.
  ...row('write.own', 'get', [`${dialog}/controls`], change),
  ...row('write.own', 'patch', [dialog], change),
  ...row('write.own', 'post', [`${build}/messages`, `${build}/cancel`, `${build}/retry`], change),
  ...row('write.own', 'post', ['~/agui'], {
    ...change,
    or: 'read.own',
    effects: {
      [routeEffects.readBuild]: 'read.own',
      [routeEffects.writeBuild]: 'write.own',
      [routeEffects.answerBuild]: 'answer',
    },
  }),
  ...row('write.all', 'post', [`${dialog}/dead`, '/stop-all', '/resume-all', `${question}/cancel`], limited),

  ...row('answer', 'post', [`${question}/answer`, `${question}/decline`], {
    ...limited,
    or: 'approve',
    effects: { [routeEffects.answer]: 'answer', [routeEffects.approve]: 'approve' },
  }),
  ...row('answer', 'post', [`${build}/answers`], limited),
  ...row('grants', 'get', ['/grants', '/policy']),
  ...row('grants', 'delete', ['/grants/{id}']),
  ...row('grants', 'post', ['/policy/explain']),

  ...row('send', 'post', ['/messages'], { effects: { [routeEffects.file]: 'manage' } }),
  ...row('send', 'post', ['/messages/edit', '/messages/remove', '/messages/react', '/messages/pin', '/messages/unpin']),
  ...row('send', 'post', ['/deliveries/{id}/retry', '/deliveries/{id}/dismiss']),
  ...row('send', 'post', ['/unclaimed/dismiss'], { legacyScope: 'answer' }),
  ...row(
    'pair',
    'post',
    ['accept', 'decline', 'block', 'unblock', 'bind', 'unbind'].map((verb) => `/pairings/${verb}`),
  ),

  ...row('manage', 'get', ['/tokens', '/sessions']),
  ...row('manage', 'post', ['/tokens', '/links', '/channels/{name}/test']),
  ...row('manage', 'delete', ['/tokens/{id}', '/sessions', '/sessions/{id}']),
  ...row('manage', 'post', [`${dialog}/trust`]),

  ...row(
    'worlds',
    'get',
    worldParts.map((part) => `/${part}`),
    later,
  ),

  // Added by later work.
  ...row('write.own', 'post', [`${dialog}/fresh-start`, `${dialog}/archive`, `${build}/tokens`], { ...later, beyond: 'write.all' }),
  ...row('write.own', 'patch', [`${dialog}/taskdoc`], { ...later, beyond: 'write.all' }),
  ...row('write.all', 'delete', [dialog], later),
  ...row('send', 'post', ['/deliveries/{id}/confirm'], later),
  ...row(
    'manage',
    'get',
    managedParts.map((part) => `/${part}`),
    later,
  ),
]

const byRoute: ReadonlyMap<string, RouteRow> = new Map(routeCapabilities.map((one) => [`${one.method} ${one.path}`, one]))

/**
 * The row of a route by its pattern, such as `/v1/dialogs/{id}`; null when the table has none. Routes of worlds share one
 * capability whatever their exact path is.
 */
export function routeRow(method: Method, path: string): RouteRow | null {
  const exact = byRoute.get(`${method} ${path}`)
  if (exact) return exact
  const part = path.split('/')[2] ?? ''
  if (worldParts.includes(part)) return { method, path, capability: 'worlds' }
  return managedParts.includes(part) ? { method, path, capability: 'manage' } : null
}
