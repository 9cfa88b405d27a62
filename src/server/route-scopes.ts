import type { Scope } from '../client/wire.ts'

export type RouteScope = {
  /** `open` needs no sign-in. */
  scope: Scope | 'open'
  /** Effects of the same route that need a further scope. The handler asks for them by name. */
  effects?: Readonly<Record<string, Scope>>
  /** Tokens of 0.1 may still use the route with this scope. */
  legacyScope?: Scope
}

const open: RouteScope = { scope: 'open' }
const read: RouteScope = { scope: 'read' }
const chat: RouteScope = { scope: 'chat' }
const answer: RouteScope = { scope: 'answer' }
const send: RouteScope = { scope: 'send' }
const pair: RouteScope = { scope: 'pair' }
const admin: RouteScope = { scope: 'admin' }

/**
 * The scope of every route, chosen by the effect of a request and not by the noun in its path. This table is the only
 * source: routing, the OpenAPI document and the tests read it, and a route without a row stops the start.
 */
export const routeScopes: Readonly<Record<string, RouteScope>> = {
  'get /healthz': open,
  'get /readyz': open,
  'get /v1/openapi.json': open,
  'post /v1/session': open,
  'delete /v1/session': open,
  // The platform proves itself.
  'post /v1/channels/{name}/webhook': open,

  'get /metrics': read,
  'get /v1/info': read,
  'get /v1/dialogs': read,
  'get /v1/dialogs/{id}': read,
  'get /v1/dialogs/{id}/tree': read,
  'get /v1/questions': read,
  'get /v1/questions/{id}': read,
  'get /v1/inbox': read,
  'get /v1/events': read,
  'get /v1/live': read,
  'get /v1/builds': read,
  'get /v1/builds/{id}': read,
  'get /v1/builds/{id}/events': { scope: 'read', effects: { 'include=all': 'admin' } },
  'get /v1/channels': read,
  'get /v1/channels/{name}/files/{fileId}': read,
  'get /v1/deliveries': read,
  'get /v1/deliveries/{id}': read,
  'get /v1/messages/pins': read,
  'post /v1/messages/preview': read,
  'get /v1/pairings': read,
  'get /v1/unclaimed': read,
  'post /agui': { scope: 'read', effects: { 'open, instruct or cancel a build': 'chat', 'answer a build': 'answer' } },

  'post /v1/dialogs': chat,
  'patch /v1/dialogs/{id}': chat,
  'post /v1/dialogs/{id}/messages': chat,
  'post /v1/dialogs/{id}/stop': chat,
  'post /v1/dialogs/{id}/continue': chat,
  'post /v1/dialogs/{id}/dead': chat,
  // Reading the buttons of plugins offers them, and the offer is stored.
  'get /v1/dialogs/{id}/controls': chat,
  'post /v1/dialogs/{id}/controls': chat,
  'post /v1/stop-all': chat,
  'post /v1/resume-all': chat,
  // Takes a question back without an answer.
  'post /v1/questions/{id}/cancel': chat,
  'post /v1/builds': chat,
  'post /v1/builds/{id}/messages': chat,
  'post /v1/builds/{id}/cancel': chat,
  'post /v1/builds/{id}/retry': chat,

  'post /v1/questions/{id}/answer': answer,
  'post /v1/questions/{id}/decline': answer,
  'post /v1/builds/{id}/answers': answer,

  // Everything that people in chat apps see.
  'post /v1/messages': { scope: 'send', effects: { 'file: media': 'admin' } },
  'post /v1/messages/edit': send,
  'post /v1/messages/remove': send,
  'post /v1/messages/react': send,
  'post /v1/messages/pin': send,
  'post /v1/messages/unpin': send,
  'post /v1/deliveries/{id}/retry': send,
  'post /v1/deliveries/{id}/dismiss': send,
  'post /v1/unclaimed/dismiss': { scope: 'send', legacyScope: 'answer' },

  // Who may write from a chat app, and into which dialog.
  'post /v1/pairings/accept': pair,
  'post /v1/pairings/decline': pair,
  'post /v1/pairings/block': pair,
  'post /v1/pairings/unblock': pair,
  'post /v1/pairings/bind': pair,
  'post /v1/pairings/unbind': pair,

  'post /v1/tokens': admin,
  'get /v1/tokens': admin,
  'delete /v1/tokens/{id}': admin,
  'post /v1/links': admin,
  'get /v1/sessions': admin,
  'delete /v1/sessions': admin,
  'delete /v1/sessions/{id}': admin,
  'post /v1/channels/{name}/test': admin,

  'get /v1/grants': admin,
  'delete /v1/grants/{id}': admin,
  'get /v1/policy': admin,
  'post /v1/policy/explain': admin,
  'post /v1/dialogs/{id}/trust': admin,
}

export function scopeOfRoute(method: string, path: string): RouteScope {
  const row = Object.hasOwn(routeScopes, `${method} ${path}`) ? routeScopes[`${method} ${path}`] : undefined
  if (!row) throw new Error(`${method} ${path} has no row in route-scopes.ts`)
  return row
}
