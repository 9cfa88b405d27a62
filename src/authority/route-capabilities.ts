import type { Capability } from './capabilities.ts'

/** One row for each route. `open` needs no sign-in; `later` marks routes that do not exist yet. */
export type RouteRow = {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  capability: Capability | 'open'
  /** The same route for what the caller does not own: unfiltered lists, dialogs of others, approvals. */
  beyond?: Capability
  later?: true
}

type Method = RouteRow['method']

const row = (capability: RouteRow['capability'], method: Method, paths: readonly string[], more: Partial<RouteRow> = {}): RouteRow[] =>
  paths.map((path) => ({ method, path: path.startsWith('~') ? path.slice(1) : `/v1${path}`, capability, ...more }))

const worldParts = ['worlds', 'account', 'chat-requests', 'conversations', 'reports']
const managedParts = ['sessions', 'budgets']

const later = { later: true } as const

const dialog = '/dialogs/{id}'
const question = '/questions/{id}'
const build = '/builds/{id}'

/** Routes of the API with the capability each needs. A route without a row fails the test of this table. */
export const routeCapabilities: readonly RouteRow[] = [
  ...row('open', 'get', ['~/healthz', '~/readyz']),
  ...row('open', 'post', ['/session', '/channels/{name}/webhook']),
  ...row('open', 'delete', ['/session']),

  ...row('read.own', 'get', ['/dialogs', dialog, `${dialog}/tree`, '/questions', question, '/inbox', '/events'], { beyond: 'read.all' }),
  ...row('read.own', 'get', ['/live', '/builds', build, `${build}/events`, '/channels/{name}/files/{fileId}'], { beyond: 'read.all' }),
  ...row('read.own', 'get', [`${dialog}/controls`], { beyond: 'read.all' }),
  ...row('read.own', 'get', ['/info', '/openapi.json']),
  ...row('read.own', 'post', ['/messages/preview']),
  ...row('read.all', 'get', ['~/metrics', '/deliveries', '/deliveries/{id}', '/channels', '/pairings', '/unclaimed', '/messages/pins']),

  ...row('write.own', 'post', ['/dialogs', `${dialog}/messages`, `${dialog}/stop`, `${dialog}/continue`, `${dialog}/controls`], {
    beyond: 'write.all',
  }),
  ...row('write.own', 'patch', [dialog], { beyond: 'write.all' }),
  ...row('write.own', 'post', ['/builds', `${build}/messages`, `${build}/cancel`, `${build}/retry`, '~/agui'], { beyond: 'write.all' }),
  ...row('write.all', 'post', [`${dialog}/dead`, '/stop-all', '/resume-all', `${question}/cancel`]),

  ...row('answer', 'post', [`${question}/answer`, `${question}/decline`, `${build}/answers`], { beyond: 'approve' }),
  ...row('grants', 'get', ['/grants', '/policy']),
  ...row('grants', 'delete', ['/grants/{id}']),
  ...row('grants', 'post', ['/policy/explain']),

  ...row('send', 'post', ['/messages', '/messages/edit', '/messages/remove', '/messages/react', '/messages/pin', '/messages/unpin']),
  ...row('send', 'post', ['/deliveries/{id}/retry', '/deliveries/{id}/dismiss', '/unclaimed/dismiss']),
  ...row(
    'pair',
    'post',
    ['accept', 'decline', 'block', 'unblock', 'bind', 'unbind'].map((verb) => `/pairings/${verb}`),
  ),

  ...row('manage', 'get', ['/tokens']),
  ...row('manage', 'post', ['/tokens', '/links', '/channels/{name}/test']),
  ...row('manage', 'delete', ['/tokens/{id}']),
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
