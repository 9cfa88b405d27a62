import type { Capability } from './capabilities.ts'
import { type Method, type OperationRow, operations } from '../shapes/operations.ts'

/** One row for each route; `later` marks routes that do not exist yet. */
export type RouteRow = OperationRow & { later?: true }

const row = (capability: Capability, method: Method, paths: readonly string[], more: Partial<RouteRow> = {}): RouteRow[] =>
  paths.map((path) => ({ method, path: `/v1${path}`, capability, ...more }))

const worldParts = ['worlds', 'account', 'chat-requests', 'conversations', 'reports']
const managedParts = ['budgets']

const later = { later: true } as const

/**
 * Routes of the API with the capability each needs: the operations, their paths in earlier versions, and those to come. This
 * table is the only source: routing, the API document and docs/AUTHORITY.md read it, and a route without a row stops the start.
 */
export const routeCapabilities: readonly RouteRow[] = [
  ...Object.values(operations),
  ...row('read.own', 'get', ['/live'], { beyond: 'read.all', limited: true }),
  { ...operations['dialogs.giveUp'], path: '/v1/dialogs/{id}/dead' },
  { ...operations['questions.withdraw'], path: '/v1/questions/{id}/cancel' },

  // Added by later work.
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
