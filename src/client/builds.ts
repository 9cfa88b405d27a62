import type { z } from 'zod'
import type * as schemas from '../shapes/schemas/build-responses.ts'
import { type BuildFeed, buildFeed, type BuildFollower } from './build-feed.ts'
import type { BuildEventView } from './build-view.ts'
import type { Call, OperationInput } from './call.ts'
import type { CallOptions, HttpOptions } from './http.ts'
import { operations } from '../shapes/operations.ts'

/** Under these names they travel everywhere in a build: the protocol's own spelling. */
export type BuildIds = z.infer<typeof schemas.buildIds>

export type BuildSummary = z.infer<typeof schemas.build>

export type BuildAnswer = { question_id: string; answer: string } | { answers: Record<string, string> }

export type Builds = ReturnType<typeof builds>

export function builds(call: Call, { baseUrl, token, fetch }: Pick<HttpOptions, 'baseUrl' | 'token' | 'fetch'>) {
  /** All pages. A server of 0.1 sends one page without `next`. */
  const read = async (id: string, include: 'person' | 'all', after: number, options?: CallOptions): Promise<BuildEventView[]> => {
    const all: BuildEventView[] = []
    for (let from: number | null = after; from !== null;) {
      const page: { events: unknown[]; next?: string | null } = await call('builds.events', { id, include, after: from }, options)
      all.push(...(page.events as BuildEventView[]))
      from = typeof page.next === 'string' ? Number(page.next) : null
    }
    return all
  }
  const say = (id: string, text: string, options?: CallOptions) => call('builds.say', { id, text }, options)
  return {
    start: (input: OperationInput<'builds.start'>, options?: CallOptions) => call('builds.start', input, options),
    /** The latest first. */
    list: (query: OperationInput<'builds.list'> = {}, options?: CallOptions) => call('builds.list', query, options),
    get: (id: string, options?: CallOptions) => call('builds.get', { id }, options),
    /** The public events after `after`, and between them what the person asked for and answered. */
    events: (id: string, after = 0, options?: CallOptions) => read(id, 'person', after, options),
    /** Every event there is, also what only an operator needs. */
    log: (id: string, after = 0, options?: CallOptions) => read(id, 'all', after, options),
    /** The same as `events`, and then each as it happens. */
    follow: (id: string, after: number, follower: BuildFollower): BuildFeed => {
      const path = operations['builds.events'].path.replace('{id}', encodeURIComponent(id))
      return buildFeed({ url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}?include=person`, token, fetch, after, follower })
    },
    /** The first answer counts; a later one is refused with who was first. */
    answer: (id: string, answer: BuildAnswer, options?: CallOptions) => call('builds.answer', { id, ...answer }, options),
    /** A further request; the agent reads it with its next turn. */
    say,
    /** @deprecated Use `say`. */
    instruct: say,
    /** For this build alone, for 15 minutes. Ask again to renew it; it cannot renew itself. */
    createToken: (id: string, more: Omit<OperationInput<'builds.createToken'>, 'id'> = {}, options?: CallOptions) =>
      call('builds.createToken', { id, ...more }, options),
    tokens: (id: string, options?: CallOptions) => call('builds.tokens', { id }, options),
    revokeTokens: (id: string, options?: CallOptions) => call('builds.revokeTokens', { id }, options),
    cancel: (id: string, options?: CallOptions) => call('builds.cancel', { id }, options),
    /** Continues a build that failed or was cancelled, as a new round of the same session. */
    retry: (id: string, options?: CallOptions) => call('builds.retry', { id }, options),
  }
}
