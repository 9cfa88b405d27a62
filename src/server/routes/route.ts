import { z } from 'zod'
import { type RouteRow, routeRow } from '../../authority/route-capabilities.ts'
import type { Principal } from '../auth/principal.ts'
import type { WebhookRequest } from '../../ports/channel-kind.ts'
import { type OperationId, operations } from '../../shapes/operations.ts'
import type { Caller, Parley } from '../../shapes/parley.ts'
import type { LiveKind } from '../connections.ts'
import type { HiddenArguments } from '../auth/hidden-arguments.ts'
import { id } from '../text.ts'
import type { Headers } from '../auth/same-site.ts'

export type OpenStream = {
  /** Aborted with a ParleyError when the server has to close the stream. */
  signal: AbortSignal
  /** Waited for before each page; see `Turns`. */
  turn(): Promise<void>
  /** Called with the bytes of each page. */
  sent(bytes: number): void
}

/** Path parameters of a route with `{id}`. */
export const byId = z.strictObject({ id })

/** The body of a request that says everything with its path. */
export const nothing = z.strictObject({})

/** A checked request, as a route receives it. */
export type Asked<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  principal: Principal
  /** The caller, the surface and the idempotency key. */
  caller: Caller
  /** Parley as this caller may see and change it. What they may not see does not exist in it. */
  parley: Parley
  /** Hides arguments of approvals that this caller may not decide. */
  hidden: HiddenArguments
  /** Throws unless the caller has the capability that route-capabilities.ts names for this effect of the route. */
  mustBeAllowedTo(effect: string): void
  header: Headers
  setCookie(value: string): void
  signal: AbortSignal
  /** Room for a response that stays open. Throws when there is none; see `Connections.live`. */
  live(kind: LiveKind): OpenStream
  /** As it came in, for what has to be verified to the byte. */
  readonly raw: WebhookRequest
}

/**
 * One row of the API. The table of these is the one source for routing, the OpenAPI document and the fuzz test: what is not
 * in the table does not exist. Its capability comes from route-capabilities.ts.
 */
export type Route = RouteRow & {
  /**
   * Called by a platform, by whichever address it knows us: no host and no site is foreign here, and only who is refused
   * is counted as a stranger. The route itself finds out whether the caller is genuine.
   */
  forPlatforms?: true
  /** Name of the operation in OpenAPI: noun and verb, the same as in client, library and terminal. */
  operation: string
  /** Its path in an earlier version; it works until 1.0. */
  formerPath?: string
  isDeprecated?: true
  /** The body is bytes, and has at most so many; `raw` has them. */
  rawBytes?: number
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The status of success. */
  status: 200 | 201 | 204
  /** A schema of `src/shapes/schemas`; missing for bytes, streams and 204. */
  response?: z.ZodType
  handle(asked: Asked<never, never, never>): Promise<unknown>
}

type Schema = z.ZodType | undefined

type Output<Given> = Given extends z.ZodType ? z.output<Given> : undefined

/** A row with the types of its schemas, for the handler beside them and for the client. */
export type TypedRoute<
  Operation extends OperationId,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Response extends Schema,
> = Route & { operation: Operation; schemas?: { params: Params; query: Query; body: Body; response: Response } }

/** Adds method, path and capability, and lets a row's handler know what its own schemas let through. */
export function route<
  Operation extends OperationId,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Response extends Schema = undefined,
>(
  row: Omit<Route, 'operation' | 'handle' | 'params' | 'query' | 'body' | 'response' | keyof RouteRow> & {
    operation: Operation
    params?: Params
    query?: Query
    body?: Body
    response?: Response
    handle(asked: Asked<Output<Params>, Output<Query>, Output<Body>>): Promise<unknown>
  },
): TypedRoute<Operation, Params, Query, Body, Response> {
  return { ...row, ...operations[row.operation] } as unknown as TypedRoute<Operation, Params, Query, Body, Response>
}

/** A route without a row stops the start. */
export function capabilityOfRoute(method: RouteRow['method'], path: string): RouteRow {
  const row = routeRow(method, path)
  if (!row) throw new Error(`${method} ${path} has no row in route-capabilities.ts`)
  return row
}

/** A route that was renamed answers under both paths. */
export function withFormerPath({ formerPath, ...current }: Route): Route[] {
  if (formerPath === undefined) return [current]
  const former = capabilityOfRoute(current.method, formerPath)
  return [current, { ...current, ...former, operation: `${current.operation}Former`, isDeprecated: true }]
}
