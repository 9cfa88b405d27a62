import type { z } from 'zod'
import { type RouteRow, routeRow } from '../authority/route-capabilities.ts'
import type { Principal } from '../access/principal.ts'
import type { RawInbound } from '../ports/channel.ts'
import type { Caller, Parley } from '../ports/parley.ts'
import type { LiveKind } from './connections.ts'
import type { HiddenArguments } from './hidden-arguments.ts'
import type { Headers } from './same-site.ts'

export type OpenStream = {
  /** Aborted with a ParleyError when the server has to close the stream. */
  signal: AbortSignal
  /** Waited for before each page; see `Turns`. */
  turn(): Promise<void>
  /** Called with the bytes of each page. */
  sent(bytes: number): void
}

/** What a route is handed once everything about the request was checked. */
export type Asked<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  principal: Principal
  /** Who wants it, by which door, and under which idempotency key. */
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
  readonly raw: RawInbound
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
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Of an answer that worked. */
  status: 200 | 201 | 204
  answer?: z.ZodType
  handle(asked: Asked<never, never, never>): Promise<unknown>
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** Adds the capability, and lets a row's handler know what its own schemas let through. */
export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  row: Omit<Route, 'handle' | 'params' | 'query' | 'body' | keyof RouteRow> & {
    method: RouteRow['method']
    /** As in OpenAPI, with `{id}`. */
    path: string
    params?: Params
    query?: Query
    body?: Body
    handle(asked: Asked<Output<Params>, Output<Query>, Output<Body>>): Promise<unknown>
  },
): Route {
  return { ...row, ...capabilityOfRoute(row.method, row.path) } as unknown as Route
}

/** A route without a row stops the start. */
export function capabilityOfRoute(method: RouteRow['method'], path: string): RouteRow {
  const row = routeRow(method, path)
  if (!row) throw new Error(`${method} ${path} has no row in route-capabilities.ts`)
  return row
}
